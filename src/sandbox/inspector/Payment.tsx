import { useSignal } from '@preact/signals';
import type { PaymentFacts } from '../overview.ts';
import { post } from './ask.ts';
import { Badge } from './Badge.tsx';
import { Copy } from './Copy.tsx';
import { useModel } from './context.ts';
import { Moment } from './Moment.tsx';
import { Story } from './Story.tsx';
import { moneyText } from './words.ts';

/** One payment: what it is, what can be done to it, its money, its story. */
export const Payment = ({ id }: { id: string }) => {
  const { facts } = useModel();
  const known = facts.value;
  return (
    <article class="detail" aria-label="Payment">
      <p class="back">
        <a href="#/payments">All payments</a>
      </p>
      {known?.payment.id === id ? (
        <Known facts={known} />
      ) : (
        <p class="empty">The sandbox has no payment {id}.</p>
      )}
    </article>
  );
};

const Known = ({ facts }: { facts: PaymentFacts }) => {
  const { payment } = facts;
  const money = (minor: number) => moneyText(minor, payment.currency);
  return (
    <>
      <header class="detail-head">
        <h2>
          {money(payment.amount_total)} <Badge text={payment.status} />
        </h2>
        <p>
          <code>{payment.id}</code>
          <Copy text={payment.id} what="the id" />
        </p>
      </header>
      <dl class="facts">
        <Fact name="Created">
          <Moment at={payment.created * 1000} />
        </Fact>
        <Fact name="Order">{payment.order_reference ?? 'none yet'}</Fact>
        <Fact name="Buyer">{payment.buyer?.name ?? 'not named yet'}</Fact>
        <Fact name="Attempts">
          {payment.confirmation_attempts} of {facts.attempts_allowed}
        </Fact>
        <Fact name="Fees">
          {money(payment.processing_fee + payment.bank_fee)}, borne by the {payment.fee_bearer}
        </Fact>
        {payment.amount_refunded > 0 && <Fact name="Refunded">{money(payment.amount_refunded)}</Fact>}
        {payment.status === 'succeeded' && <Fact name="Refundable">{money(payment.amount_refundable)}</Fact>}
        <Fact name="Client secret">
          <Secret id={payment.id} />
        </Fact>
      </dl>
      <Acts facts={facts} />
      {payment.unlock_schedule.length > 0 && <Steps facts={facts} />}
      <Story facts={facts} />
    </>
  );
};

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Shown when somebody asks for it, and gone when they look elsewhere. */
const Secret = ({ id }: { id: string }) => {
  const { act } = useModel();
  const secret = useSignal<string | null>(null);
  const show = () =>
    void act(async () => {
      const answer = await post<{ client_secret: string }>(`payment_intents/${id}/client_secret`);
      secret.value = answer.client_secret;
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
      <Copy text={secret.value} what="the client secret" />
    </>
  );
};

/** A number and what is done with it. */
const AmountAct = ({
  label,
  name,
  preset,
  mayBeEmpty = false,
  run,
}: {
  label: string;
  name: string;
  preset: string;
  mayBeEmpty?: boolean;
  run: (amount: number | null) => Promise<string>;
}) => {
  const { act } = useModel();
  const amount = useSignal(preset);
  return (
    <form
      class="act"
      onSubmit={(event) => {
        event.preventDefault();
        const text = amount.value.trim();
        void act(() => run(text === '' ? null : Number(text)));
      }}
    >
      <label>
        {label}
        <input
          inputMode="numeric"
          size={8}
          required={!mayBeEmpty}
          placeholder={mayBeEmpty ? 'all' : undefined}
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

const Acts = ({ facts: { payment, refunds_refused } }: { facts: PaymentFacts }) => {
  const { act } = useModel();
  const at = `payment_intents/${payment.id}`;
  const isOpen = payment.status === 'pending';
  const mayCancel = isOpen || payment.status === 'processing';
  if (!mayCancel && payment.status !== 'succeeded') return null;
  return (
    <fieldset class="acts">
      <legend class="unseen">What can be done to it</legend>
      {isOpen && (
        <AmountAct
          label="Amount, minor units"
          name="Change the amount"
          preset={`${payment.amount}`}
          run={async (amount) => {
            await post(`${at}/update`, { amount });
            return 'Changed the amount.';
          }}
        />
      )}
      {mayCancel && (
        <button
          type="button"
          class="danger"
          onClick={() =>
            void act(async () => {
              await post(`${at}/cancel`);
              return 'Canceled the payment.';
            })
          }
        >
          Cancel the payment
        </button>
      )}
      {payment.status === 'succeeded' && (
        <>
          <AmountAct
            label="Refund, minor units"
            name="Refund"
            preset=""
            mayBeEmpty
            run={async (amount) => {
              const { id } = await post<{ id: string }>(`${at}/refund`, amount === null ? {} : { amount });
              return `Began the refund ${id}.`;
            }}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={refunds_refused}
              onChange={({ currentTarget: { checked } }) =>
                void act(async () => {
                  await post(`${at}/refuse_refunds`, { refuse: checked });
                  return checked
                    ? 'Refunds of it are refused from now on.'
                    : 'Refunds of it are taken again.';
                })
              }
            />
            The network refuses refunds
          </label>
        </>
      )}
    </fieldset>
  );
};

const Steps = ({ facts: { payment } }: { facts: PaymentFacts }) => {
  const { act, now } = useModel();
  const money = (minor: number) => moneyText(minor, payment.currency);
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
                <span class="unseen">Act</span>
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
                    <Moment at={step.available_at * 1000} />
                    {step.rescheduled && <span class="soft"> rescheduled</span>}
                  </td>
                  <td class="end">
                    {isLocked && (
                      <button
                        type="button"
                        class="small"
                        aria-label={`Release now: step ${step.step}`}
                        onClick={() =>
                          void act(async () => {
                            await post(`payment_intents/${payment.id}/unlock_steps/release`, {
                              step: step.step,
                            });
                            return `Step ${step.step} is available now.`;
                          })
                        }
                      >
                        Release now
                      </button>
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
