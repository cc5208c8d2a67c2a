/**
 * Other client secrets for a mounted form, from a component or an element of a page without code. Both declare which
 * payment the form has, so a swap that fails for now is tried again, until the form has that payment or another secret
 * is given. Neither has a promise through which to say why a swap fails, so a warning says it.
 */
import type { CardFormEvent, CardFormEvents } from './events.ts';
import type { CardFormError } from './result.ts';

/** Time until the next try unless the service says another, in seconds. */
const RETRY_AFTER = 5;

type MountedForm = {
  on(name: '*', handler: (...event: CardFormEvent) => void): unknown;
  update(changes: { clientSecret: string }): Promise<CardFormError | null>;
  /** Settles when the payment is over or the form is unmounted: then nothing is tried again. */
  readonly result: Promise<unknown>;
};

type Callbacks = {
  warn(warning: CardFormEvents['warning']): void;
  /** The form has the payment of this client secret now. */
  swapped?(clientSecret: string): void;
};

/** Gives the form another client secret; without one, none is tried again. */
export type GiveSecret = (clientSecret?: string) => void;

export const createSecretSwap = (form: MountedForm, { warn, swapped }: Callbacks): GiveSecret => {
  let given: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const swap = async (isAgain?: boolean) => {
    clearTimeout(timer);
    timer = undefined;
    const clientSecret = given;
    if (!clientSecret) return;
    const error = await form.update({ clientSecret });
    if (!error) swapped?.(clientSecret);
    if (!error || clientSecret !== given) return;
    if (!isAgain) warn({ about: 'clientSecret', hint: error.message });
    if (/^(wait|retry)$/.test(error.recovery))
      timer = setTimeout(swap, (error.retryAfter ?? RETRY_AFTER) * 1000, true);
  };
  form.on('*', (...[name]) => {
    // The payment that kept the form from swapping now continues with another press or not at all.
    if (timer && (name === 'decline' || name === 'error')) void swap(true);
  });
  form.result.then(() => {
    given = undefined;
  });
  return (clientSecret) => {
    given = clientSecret;
    swap().catch((mistake) => reportError(mistake));
  };
};
