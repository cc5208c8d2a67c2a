import { useSignal } from '@preact/signals';
import type { PaymentDetails } from '../service/control/overview.ts';
import { ActionButton } from './ActionButton.tsx';
import { Badge } from './Badge.tsx';
import { BugReport } from './BugReport.tsx';
import { Checkbox } from './Checkbox.tsx';
import { Checkout } from './Checkout.tsx';
import { Compare, CompareWith } from './Compare.tsx';
import { CopyButton } from './CopyButton.tsx';
import { useInspector } from './context.ts';
import { post } from './control-api.ts';
import { curlsFor, withSecretKey } from './curl.ts';
import { formatMinor } from './format.ts';
import { RelativeTime } from './RelativeTime.tsx';
import { Timeline } from './Timeline.tsx';

/** One payment: its fields, the actions on it, its unlock steps and its timeline. */
export const OnePayment = ({ id }: { id: string }) => {
  const { facts, otherFacts, route } = useInspector();
  const loaded = facts.value;
  const other = route.value.otherId === null ? null : otherFacts.value;
  return (
    <article class="detail" aria-label="Payment">
      <p class="back">
        <a href="#/payments">All payments</a>
      </p>
      {loaded?.payment.id === id ? (
        other === null ? (
          <LoadedPayment facts={loaded} />
        ) : (
          <Compare facts={loaded} other={other} />
        )
      ) : (
        <p class="empty">The sandbox has no payment {id}.</p>
      )}
    </article>
  );
};

const LoadedPayment = ({ facts }: { facts: PaymentDetails }) => {
  const { payment } = facts;
  const money = (minor: number) => formatMinor(minor, payment.currency);
  return (
    <>
      <header class="detail-head">
        <h2>
          {money(payment.amount_total)} <Badge text={payment.status} />
        </h2>
        <p>
          <code>{payment.id}</code>
          <CopyButton text={payment.id} what="the id" />
        </p>
      </header>
      <dl class="facts">
        <Fact name="Created">
          <RelativeTime at={payment.created * 1000} />
        </Fact>
        <Fact name="Order">{payment.order_reference ?? 'none yet'}</Fact>
        <Fact name="Buyer">{payment.buyer?.name ?? 'unknown yet'}</Fact>
        <Fact name="Attempts">
          {payment.confirmation_attempts} of {facts.attempts_allowed}
        </Fact>
        <Fact name="Fees">
          {money(payment.processing_fee + payment.bank_fee)}, paid by the {payment.fee_bearer}
        </Fact>
        {payment.amount_refunded > 0 && <Fact name="Refunded">{money(payment.amount_refunded)}</Fact>}
        {payment.status === 'succeeded' && <Fact name="Refundable">{money(payment.amount_refundable)}</Fact>}
        <Fact name="Client secret">
          <ClientSecret id={payment.id} />
        </Fact>
      </dl>
      <Actions facts={facts} />
      <Tools facts={facts} />
      {payment.unlock_schedule.length > 0 && <UnlockSteps facts={facts} />}
      <div class="beside-timeline">
        <Timeline facts={facts} />
        <Checkout facts={facts} />
      </div>
    </>
  );
};

const Tools = ({ facts }: { facts: PaymentDetails }) => (
  <fieldset class="buttons tools">
    <legend class="visually-hidden">Tools</legend>
    {curlsFor(location.origin, facts.payment).map(({ text, command }) => (
      <CopyButton
        key={text}
        text={() => withSecretKey(command)}
        what={`the command: ${text}`}
        label={`curl: ${text}`}
      />
    ))}
    <CopyButton text={location.href} what="the link to this payment" label="Copy link" />
    <BugReport facts={facts} />
    <CompareWith id={facts.payment.id} />
  </fieldset>
);

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Shows the client secret, which is fetched only when its button is pressed and dropped when the payment is left. */
const ClientSecret = ({ id }: { id: string }) => {
  const { runAction } = useInspector();
  const secret = useSignal<string | null>(null);
  const show = () =>
    void runAction(async () => {
      const response = await post<{ client_secret: string }>(`payment_intents/${id}/client_secret`);
      secret.value = response.client_secret;
      return 'The client secret is shown.';
    });
  if (secret.value === null)
    return (
      <button type="button" class="link" onClick={show}>
        Show
      </button>
    );
  return (
    <>
      <code>{secret.value}</code>
      <CopyButton text={secret.value} what="the client secret" />
    </>
  );
};

/** A field for an amount, with the button of the action that uses it. An empty field is passed as `null`. */
const AmountForm = ({
  label,
  name,
  preset,
  optional = false,
  run,
}: {
  label: string;
  name: string;
  preset: string;
  optional?: boolean;
  run: (amount: number | null) => Promise<string>;
}) => {
  const { runAction } = useInspector();
  const amount = useSignal(preset);
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        const text = amount.value.trim();
        void runAction(() => run(text === '' ? null : Number(text)));
      }}
    >
      <label>
        {label}
        <input
          inputMode="numeric"
          size={8}
          required={!optional}
          placeholder={optional ? 'all' : undefined}
          value={amount.value}
          onInput={({ currentTarget }) => {
            amount.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit">{name}</button>
    </form>
  );
};

const Actions = ({ facts: { payment, refunds_refused } }: { facts: PaymentDetails }) => {
  const { runAction } = useInspector();
  const path = `payment_intents/${payment.id}`;
  const isOpen = payment.status === 'pending';
  const mayCancel = isOpen || payment.status === 'processing';
  if (!mayCancel && payment.status !== 'succeeded') return null;
  return (
    <fieldset class="actions">
      <legend class="visually-hidden">Actions on this payment</legend>
      {isOpen && (
        <AmountForm
          label="Amount, minor units"
          name="Change the amount"
          preset={`${payment.amount}`}
          run={async (amount) => {
            await post(`${path}/update`, { amount });
            return 'Changed the amount.';
          }}
        />
      )}
      {mayCancel && (
        <button
          type="button"
          class="danger"
          onClick={() =>
            void runAction(async () => {
              await post(`${path}/cancel`);
              return 'Canceled the payment.';
            })
          }
        >
          Cancel the payment
        </button>
      )}
      {payment.status === 'succeeded' && (
        <>
          <AmountForm
            label="Refund, minor units"
            name="Refund"
            preset=""
            optional
            run={async (amount) => {
              const { id } = await post<{ id: string }>(`${path}/refund`, amount === null ? {} : { amount });
              return `Created the refund ${id}.`;
            }}
          />
          <Checkbox
            checked={refunds_refused}
            set={(checked) =>
              void runAction(async () => {
                await post(`${path}/refuse_refunds`, { refuse: checked });
                return checked
                  ? 'Refunds of this payment are now refused.'
                  : 'Refunds of this payment are now accepted.';
              })
            }
          >
            The network refuses refunds
          </Checkbox>
        </>
      )}
    </fieldset>
  );
};

const UnlockSteps = ({ facts: { payment } }: { facts: PaymentDetails }) => {
  const { now } = useInspector();
  const money = (minor: number) => formatMinor(minor, payment.currency);
  return (
    <section aria-label="Unlock steps">
      <h3>Unlock steps</h3>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col" class="number">
                Amount
              </th>
              <th scope="col" class="number">
                Deducted
              </th>
              <th scope="col" class="number">
                Remaining
              </th>
              <th scope="col">Available</th>
              <th scope="col">
                <span class="visually-hidden">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {payment.unlock_schedule.map((step) => {
              const isLocked = now.value < step.available_at * 1000;
              return (
                <tr key={step.step}>
                  <td>{step.step}</td>
                  <td class="number">{money(step.amount)}</td>
                  <td class="number">{money(step.deducted)}</td>
                  <td class="number">{money(step.remaining)}</td>
                  <td>
                    <Badge text={isLocked ? 'locked' : 'available'} tone={isLocked ? 'wait' : 'good'} />{' '}
                    <RelativeTime at={step.available_at * 1000} />
                    {step.rescheduled && <span class="muted"> rescheduled</span>}
                  </td>
                  <td class="end">
                    {isLocked && (
                      <ActionButton
                        aria-label={`Release now: step ${step.step}`}
                        run={async () => {
                          await post(`payment_intents/${payment.id}/unlock_steps/release`, {
                            step: step.step,
                          });
                          return `Step ${step.step} is available now.`;
                        }}
                      >
                        Release now
                      </ActionButton>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
};
