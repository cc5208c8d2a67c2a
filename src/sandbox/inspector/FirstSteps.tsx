import { PLAYGROUND } from '../../api/routes.ts';
import { CopyButton } from './CopyButton.tsx';
import { useInspector } from './context.ts';
import { curlOf, FIRST_ORDER, withSecretKey } from './curl.ts';

/** Payments with this card always succeed. */
const TEST_CARD = '4242424242424242';

/** Shown next to the list while no payment is selected: how to create one, and what to do with it. */
export const FirstSteps = () => {
  const { payments } = useInspector();
  const command = curlOf(location.origin, '/partner/v1/payment_intents', FIRST_ORDER);
  return (
    <section class="first-steps" aria-label="First steps">
      <h2>{payments.value?.matching === 0 ? 'No payment yet' : 'Select a payment'}</h2>
      <p class="note">Its timeline shows every request, webhook and change, as they happen.</p>
      <ol>
        <li>
          <strong>Create a test payment</strong> in the list of payments, and pay it in the form that appears
          beside its timeline, with the card{' '}
          <CopyButton text={TEST_CARD} what="the card number" label={TEST_CARD} />, any date in the future and
          any security code.
        </li>
        <li>
          Or create one as your server would, with the sandbox's secret key:
          <pre>
            <code>{command}</code>
          </pre>
          <CopyButton
            text={() => withSecretKey(command)}
            what="the command, with the secret key"
            label="Copy as curl"
          />
        </li>
        <li>
          Decline it, cut its connection, send its webhook twice: <a href="#/cards">test cards</a> and{' '}
          <a href="#/faults">faults</a>.
        </li>
        <li>
          Try the form's options in the <a href={PLAYGROUND}>playground</a>, and read the{' '}
          <a href="/llms.txt">documentation</a>.
        </li>
      </ol>
    </section>
  );
};
