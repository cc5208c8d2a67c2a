import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PaymentDetails } from '../service/control/overview.ts';
import { useInspector } from './context.ts';
import { post } from './control-api.ts';

/**
 * The part of the form's script that this page uses. index.html loads it from the sandbox, as a merchant's page would.
 */
type Form = { unmount(): void };
type FormScript = { mount(container: Element, options: object): Form };

const isFormScript = (value: unknown): value is FormScript =>
  typeof value === 'object' && value !== null && 'mount' in value && typeof value.mount === 'function';

const formScript = (): FormScript => {
  const found: unknown = Reflect.get(window, 'CardForm');
  if (isFormScript(found)) return found;
  throw new Error("The form's script did not load. Was the sandbox started with built files?");
};

/** A known buyer, so that only a test card is left to type. */
const BUYER = {
  billingDetails: {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
  },
};

/**
 * The form for a payment, next to its timeline. It opens on a press, because its requests use up faults and appear in
 * the timeline. For a payment that was just created here it opens automatically.
 */
export const Checkout = ({ facts }: { facts: PaymentDetails }) => {
  const { checkoutOf } = useInspector();
  const { id, status } = facts.payment;
  const isOpen = checkoutOf.value === id;
  const isPayable = status === 'pending' || status === 'processing';
  if (!isOpen && !isPayable) return null;
  return (
    <aside class="checkout" aria-label="Checkout">
      <h3>Try it</h3>
      {facts.publishable_key === null ? (
        <p class="note">
          The account has no publishable key that is in force, so no form can show this payment.
        </p>
      ) : isOpen ? (
        <MountedForm key={id} id={id} publishableKey={facts.publishable_key} isPayable={isPayable} />
      ) : (
        <>
          <p class="note">Pay as a buyer would. The form's requests appear in the timeline.</p>
          <button
            type="button"
            class="primary"
            onClick={() => {
              checkoutOf.value = id;
            }}
          >
            Open the form here
          </button>
        </>
      )}
    </aside>
  );
};

const MountedForm = ({
  id,
  publishableKey,
  isPayable,
}: {
  id: string;
  publishableKey: string;
  isPayable: boolean;
}) => {
  const container = useRef<HTMLDivElement>(null);
  const problem = useSignal<string | null>(null);
  useEffect(() => {
    let form: Form | null = null;
    let isGone = false;
    const show = async () => {
      const { client_secret } = await post<{ client_secret: string }>(`payment_intents/${id}/client_secret`);
      if (isGone || container.current === null) return;
      form = formScript().mount(container.current, {
        publishableKey,
        clientSecret: client_secret,
        locale: 'en',
        defaultValues: BUYER,
      });
    };
    show().catch((error: unknown) => {
      problem.value = error instanceof Error ? error.message : 'The form did not load.';
    });
    return () => {
      isGone = true;
      form?.unmount();
    };
  }, [id, publishableKey, problem]);
  if (!isSecureContext)
    return (
      <p class="note">
        Browsers show the form on https and on localhost only. Open the inspector on the sandbox's own machine
        to pay here.
      </p>
    );
  return (
    <>
      <div ref={container} />
      {problem.value !== null && <p class="note">{problem.value}</p>}
      {isPayable && (
        <p class="note">
          Press the ribbon of the form for <a href="#/cards">test cards</a>.
        </p>
      )}
    </>
  );
};
