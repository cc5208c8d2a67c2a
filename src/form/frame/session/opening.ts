/**
 * The payment until `confirm.ts` has arrived: what the first read said, and the total that can be paid. That script is asked for
 * once the read has said so, and at once if it says anything else. What happens before it is here waits for it, in order: a press,
 * messages of the page, a press that did not count.
 *
 * If it does not load, nothing was sent. Before the page has heard `ready`, the form has failed to load like with any other
 * script. After it, the buyer can go on typing; the script is asked for again when the connection is back and at each need,
 * and a press that waited is told that nothing was sent. If "Try again" fails, too, the form is given up for a new one.
 */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Money } from '../../../api/money.ts';
import type { Clock } from '../../../clock/clock.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { Init } from '../../channel/read-options.ts';
import { mayBeAttempting } from '../../payment/attempts.ts';
import type { Ready } from '../../payment/opened.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import type { Prefetch } from '../first/prefetch.ts';
import type { FormModel } from '../form/card-form.ts';
import type { PressRefusal } from '../press/press.ts';
import {
  busy,
  CONFIRMING_NOTICE,
  FIRST_VIEW,
  notLoaded,
  payable,
  readingView,
  type View,
} from '../view/form-view.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Offer } from './offer.ts';
import type { Heard } from './page-link.ts';
import type { Session } from './session.ts';

/** How long the answer to the first read is waited for before the machine takes over, which knows what to do, in ms. */
export const PATIENCE = 3000;

/** What a session begins with. Both hold the client secret, so nobody may keep them (threat-model C20). */
export type Beginning = {
  init: Init;
  /** The first read, if it was sent while the scripts were loading. */
  prefetch: Prefetch | null;
};

/** The messages of the page that are not answered before a press. */
export type LaterMessage = Exclude<Heard, { type: 'submit' | 'destroy' }>;

/** A payment with all that belongs to it. */
export type RunningPayment = {
  session: Session;
  receive(message: LaterMessage): void;
  /** Tells the page that a press did not count. */
  refused(why: PressRefusal): void;
};

/** What is shown while there is a total to pay and no machine. */
type Progress =
  | 'none'
  /** A press waits. */
  | 'pressed'
  /** The press was not sent. */
  | 'lost'
  /** The buyer tries again. */
  | 'retried';

export type Opening = {
  state: ReadonlySignal<PaymentState>;
  /** What the buyer sees. */
  view: ReadonlySignal<View>;
  /** Whether a confirm was sent whose outcome the page has not been told. */
  isAwaitingOutcome: ReadonlySignal<boolean>;
  /** Makes the first read, then loads what comes after it. `load` may be called again if it rejects. */
  begin(load: () => Promise<Start>): void;
  /** Confirms with the total that the pressed button showed. False if this state takes no press, or not yet. */
  pay(shown: Money): Promise<boolean>;
  /** "Try again" or "Check status". */
  retry(): void;
  /** At once or later, but in the order of the calls. */
  whenStarted(act: (payment: RunningPayment) => void): void;
  /** The form is removed: nothing more is sent, and the card is forgotten. */
  close(): void;
};

/** `opened`: the state after the first read, if it was made and told already. */
type Start = (beginning: Beginning, opened: Ready | null) => RunningPayment;

type Deps = {
  clock: Clock;
  form: Pick<FormModel, 'details' | 'clearCard'>;
  lifecycle: Pick<Lifecycle, 'online'>;
  post(message: FrameMessage): void;
  /** The first read, as far as it has got. */
  first: Pick<Offer, 'opened' | 'reading'>;
  /** Aborted when the form is removed. */
  ending: AbortSignal;
};

const LOADING: PaymentState = {
  status: 'loading',
  replaces: null,
  failures: 0,
  activity: 'reading',
};

/** No closure in here may keep `beginning` itself, which holds the client secret: only `unused`, which is emptied. */
export const createOpening = (
  beginning: Beginning,
  { clock, form, lifecycle, post, first, ending }: Deps,
): Opening => {
  let unused: Beginning | null = beginning;
  const opened = signal(first.opened);
  const payment = signal<RunningPayment | null>(null);
  const progress = signal<Progress>('none');
  let waiting: readonly ((payment: RunningPayment) => void)[] = [];
  let loading: Promise<boolean> | null = null;
  let load = (): Promise<Start> => Promise.reject();

  /** Loads the script and starts the payment. Fulfils with whether that worked. */
  const attempt = async (): Promise<boolean> => {
    const start = await load().catch((failure: unknown) => {
      reportError(failure);
      return null;
    });
    loading = null;
    const from = unused;
    if (!start || !from) return false;
    unused = null;
    const started = start(from, opened.peek());
    batch(() => {
      payment.value = started;
      for (const act of waiting) act(started);
      waiting = [];
    });
    return true;
  };
  /** The same, by the attempt that is under way if there is one. */
  const ensure = (): Promise<boolean> => {
    loading ??= attempt();
    return loading;
  };

  const giveUp = () => {
    unused?.prefetch?.abandon();
    if (!ending.aborted) post({ type: 'loaderror' });
  };

  /** What the first read leads to; null if that takes too long. */
  const inTime = async (reading: Promise<Ready | null>): Promise<Ready | null> => {
    const patience = new AbortController();
    const late = clock.wait(PATIENCE, patience.signal).then(() => null);
    const read = await Promise.race([reading, late]);
    patience.abort();
    return read;
  };

  const readAndLoad = async (): Promise<void> => {
    const read = opened.peek() ?? (first.reading && (await inTime(first.reading)));
    if (ending.aborted) return;
    if (!read) {
      if (!(await ensure())) giveUp();
      return;
    }
    lifecycle.online.value = true;
    opened.value = read;
    const { amount_total, currency } = read.intent;
    post({ type: 'ready', amountTotal: amount_total, currency });
    effect(() => {
      if (lifecycle.online.value && !payment.value && !ending.aborted) void ensure();
    });
  };

  return {
    state: computed(() => payment.value?.session.state.value ?? opened.value ?? LOADING),
    view: computed(() => {
      if (payment.value) return payment.value.session.view.value;
      if (!opened.value) return FIRST_VIEW;
      const { intent } = opened.value;
      switch (progress.value) {
        case 'pressed':
          return busy(intent, CONFIRMING_NOTICE);
        case 'lost':
          return notLoaded(intent);
        case 'retried':
          return readingView(intent);
        case 'none':
          return payable(intent, lifecycle.online.value);
      }
    }),
    isAwaitingOutcome: computed(() => payment.value?.session.isAwaitingOutcome.value ?? false),
    begin(loadStart) {
      load = loadStart;
      void readAndLoad();
    },
    async pay(shown) {
      const started = payment.peek();
      if (started) return started.session.pay(shown);
      const ready = opened.peek();
      if (!ready || clock.now() < ready.armedAt || !form.details()) return false;
      let hasCounted = false;
      const press = ({ session }: RunningPayment) => {
        hasCounted = session.pay(shown);
      };
      waiting = [...waiting, press];
      progress.value = 'pressed';
      if (await ensure()) return hasCounted;
      waiting = waiting.filter((act) => act !== press);
      progress.value = 'lost';
      if (!ending.aborted) post(notSent(mayBeAttempting(ready.intent)));
      return true;
    },
    async retry() {
      const started = payment.peek();
      if (started) return started.session.retry();
      progress.value = 'retried';
      if (!(await ensure())) giveUp();
    },
    whenStarted(act) {
      const started = payment.peek();
      if (started) return act(started);
      waiting = [...waiting, act];
      if (opened.peek()) void ensure();
    },
    close() {
      unused?.prefetch?.abandon();
      unused = null;
      waiting = [];
      payment.peek()?.session.close();
      form.clearCard();
    },
  };
};

/** What the page hears of a press that was not sent. `mayRun`: an attempt of another tab may be running. */
const notSent = (mayRun: boolean): FrameMessage => ({
  type: 'error',
  error: {
    type: 'api_connection_error',
    code: 'script_failed',
    message: 'A script of the form could not be loaded, so nothing was sent.',
    charged: mayRun ? 'unknown' : 'no',
    recovery: 'retry',
  },
});
