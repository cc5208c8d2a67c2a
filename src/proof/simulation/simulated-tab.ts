/** One open form: the session that buyers use, on a page that can sleep and a network that can fail. */
import * as z from 'zod/mini';
import type { Clock } from '../../api/clock/clock.ts';
import type { Money } from '../../api/money.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import { Currency } from '../../api/schemas.ts';
import type { FrameMessage } from '../../form/channel/messages.ts';
import { createForm } from '../../form/frame/form/card-form.ts';
import { answerRefresh } from '../../form/frame/session/payment-status.ts';
import type { Session } from '../../form/frame/session/session.ts';
import type { PageAnswer, PaymentState, UnpaidEnd } from '../../form/payment/payment-state.ts';
import type { Sandbox } from '../../sandbox/service/sandbox.ts';
import { type FormParts, openFormSession } from '../tab/form-session.ts';
import { createPageLife, type PageLife } from './page-life.ts';
import type { SharedTabs } from './shared-tabs.ts';

/**
 * A press of Pay that the form accepted. Its number is used as the buyer's name, so that the service's records contain
 * it.
 */
export type SimulatedPress = {
  number: number;
  tab: SimulatedTab;
  /** Of the intent whose total the button showed. */
  intent: string;
  shown: Money;
  card: string;
};

export type SimulatedTab = {
  session: Session;
  life: PageLife;
  /** The number in its field. All but the first are set without an event. */
  card: string;
  isOpen: boolean;
  /** This tab's presses, in order. */
  presses: SimulatedPress[];
  /** Confirms it sent, and how many of them are open. */
  confirms: number;
  openConfirms: number;
  /** The page calls `refresh()` and receives the answer. */
  refresh(): void;
  /** The page calls `update({ clientSecret })`. */
  swap(clientSecret: string): void;
  /** The browser takes back what it gave to this page. */
  leave(): void;
};

/** One question to the page's `beforePay`. */
export type SimulatedQuestion = { shown: Money };

/** Callbacks that observe a tab. */
export type Observer = {
  confirming(tab: SimulatedTab, shown: Money, card: string): void;
  requesting(tab: SimulatedTab, url: string): void;
  /** `null` if no answer came. */
  answered(tab: SimulatedTab, url: string, answer: Response | null): void;
  state(tab: SimulatedTab, state: PaymentState): void;
  /** A message to the merchant's page. */
  event(tab: SimulatedTab, message: FrameMessage): void;
  /** The page's `beforePay` was asked about a press. */
  askingPage(tab: SimulatedTab, question: SimulatedQuestion): void;
  /** It answered; `question` is the object from `askingPage`. */
  answeredByPage(tab: SimulatedTab, question: SimulatedQuestion, answer: PageAnswer): void;
  /** The page was asked for a secret; with `over`, for that of another intent to replace this one. */
  fetchingSecret(over: UnpaidEnd | null): void;
  defect(defect: unknown): void;
};

export type Setting = {
  sandbox: Sandbox;
  clock: Clock;
  random: () => number;
  observer: Observer;
  sharedTabs: SharedTabs;
  /** Parts of a form with a mistake, to show that the simulation notices it. */
  wrong: FormParts;
};

/** The page's source for the secret: a fixed one, or its server, given the id of the intent that is over. */
export type SecretSource = string | ((over: string | null) => Promise<string | null>);

/** The page's `beforePay`, which may call `refresh()`. Never resolves if it doesn't answer. */
export type SimulatedBeforePay = (refresh: () => void) => Promise<PageAnswer>;

/** Details the buyer isn't asked for: only the card is typed. */
const BILLING = {
  email: 'ada@example.com',
  address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
};

/** Opens a form. */
export const openTab = (
  { sandbox, clock, random, observer, sharedTabs, wrong }: Setting,
  {
    source,
    card,
    beforePay,
  }: { source: SecretSource; card: string; beforePay?: SimulatedBeforePay | undefined },
): SimulatedTab => {
  const life = createPageLife(clock);
  const { leave, ...sharing } = sharedTabs.join();
  const isOnline = () => life.online.peek();

  const request: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    init?.signal?.throwIfAborted(); // nothing is sent
    observer.requesting(tab, url);
    if (!isOnline()) throw new TypeError('offline');
    const answer = await sandbox.fetch(new Request(url, init)).catch((reason) => {
      if (!init?.signal?.aborted) observer.answered(tab, url, null);
      throw reason;
    });
    await life.running();
    if (!isOnline()) throw new TypeError('offline');
    init?.signal?.throwIfAborted(); // nobody receives it
    observer.answered(tab, url, answer);
    return answer;
  };
  const counted: typeof globalThis.fetch = async (input, init) => {
    if (!String(input).endsWith(CLIENT_ROUTES.confirm)) return request(input, init);
    const { amount_total, currency, card } = Confirmed.parse(JSON.parse(String(init?.body)));
    tab.confirms += 1;
    tab.openConfirms += 1;
    observer.confirming(tab, { amount: amount_total, currency }, card.number);
    return request(input, init).finally(() => {
      tab.openConfirms -= 1;
    });
  };

  const provideSecret = async () => {
    const state = tab.session.state.peek();
    const over = state.status === 'loading' ? state.replaces : null;
    observer.fetchingSecret(over);
    const secret = typeof source === 'string' ? null : await source(over?.intent.id ?? null);
    await life.running();
    tab.session.receiveSecret(secret);
  };

  const askPage = async (shown: Money): Promise<PageAnswer> => {
    const question = { shown };
    observer.askingPage(tab, question);
    const answer = (await beforePay?.(() => tab.session.refresh())) ?? { kind: 'failed' };
    await life.running();
    observer.answeredByPage(tab, question, answer);
    return answer;
  };

  const form = createForm({ preferred: ['en-US'], thisMonth: () => ({ year: 2026, month: 1 }) });
  form.fillIn(BILLING);
  for (const [name, text] of [
    ['number', card],
    ['expiry', '12 / 30'],
    ['cvc', '123'],
  ] as const)
    form.fields[name].type(text);
  if (!wrong.hearsEventsAlone)
    form.readWith(() => {
      const now = tab.session.view.peek();
      if (now.screen === 'form' && !now.locked) form.fields.number.type(tab.card);
    });

  const presses: SimulatedPress[] = [];
  const tab: SimulatedTab = {
    life,
    card,
    isOpen: true,
    presses,
    confirms: 0,
    openConfirms: 0,
    leave,
    refresh: () =>
      answerRefresh(tab.session, (message) =>
        observer.event(tab, wrong.answer ? wrong.answer(message) : message),
      ),
    swap(clientSecret) {
      void life.running().then(() => {
        if (tab.isOpen) tab.session.swaps.ask(clientSecret, () => undefined);
      });
    },
    session: openFormSession({
      port: {
        baseUrl: 'http://pay.example',
        publishableKey: sandbox.keys.publishable,
        fetch: counted,
      },
      clientSecret: typeof source === 'string' ? { kind: 'given', value: source } : { kind: 'ask' },
      canReplace: typeof source !== 'string',
      askPage: beforePay && askPage,
      typed: {
        details() {
          form.fields.name.type(`${presses.at(-1)?.number}`);
          return form.details();
        },
      },
      lifecycle: life,
      tabs: sharing,
      clock: life.clock,
      random,
      askSecret: () => void Promise.resolve().then(provideSecret),
      say: (message) => observer.event(tab, message),
      onDefect: observer.defect,
      wrong,
    }),
  };
  tab.session.state.subscribe((state) => observer.state(tab, state));
  return tab;
};

/** The fields read from a confirm's body. */
const Confirmed = z.object({
  amount_total: z.int(),
  currency: Currency,
  card: z.object({ number: z.string() }),
});

/** Presses the button if it says Pay. Returns the press, or null if the form didn't accept it. */
export const pressPay = (tab: SimulatedTab, number: number): SimulatedPress | null => {
  const { session, presses } = tab;
  const shown = session.view.peek();
  if (shown.screen !== 'form' || shown.action.kind !== 'pay') return null;
  const intent = intentOfForm(session) ?? '';
  const made: SimulatedPress = { number, tab, intent, shown: shown.action.total, card: tab.card };
  presses.push(made); // first, because its effects happen before pay() returns
  if (session.pay(made.shown)) return made;
  presses.pop();
  return null;
};

/** Id of the intent in the form. */
export const intentOfForm = ({ state }: Session): string | undefined => {
  const now = state.peek();
  return 'intent' in now ? now.intent?.id : undefined;
};

/** Closes the tab. The form is notified while it still runs. */
export const closeTab = (tab: SimulatedTab): void => {
  tab.isOpen = false;
  tab.session.close();
  tab.life.end();
  tab.leave();
};
