/** One open form: the session that buyers use, on a page that can sleep and a network that can fail. */
import * as z from 'zod/mini';
import type { Clock } from '../api/clock.ts';
import { exampleDetails } from '../api/confirm-details.fixture.ts';
import type { Money } from '../api/money.ts';
import { CLIENT_ROUTES } from '../api/routes.ts';
import { Currency } from '../api/schemas.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { createSession, type Session, type SessionDeps } from '../frame/session/session.ts';
import type { PageAnswer, PaymentState, UnpaidEnd } from '../payment/payment-state.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createPageLife, type PageLife } from './page-life.ts';
import type { SharedTabs } from './shared-tabs.ts';

/** A form with a mistake, to show that the simulation notices it. */
export type Mutation = SessionDeps['replace'] & {
  fetch?: (answer: Response) => Response;
};

/** A press of Pay that the form accepted. Its number is the buyer's name, so that the service's records name it. */
export type Press = { number: number; tab: Tab; shown: Money };

export type Tab = {
  session: Session;
  life: PageLife;
  card: string;
  isOpen: boolean;
  /** Presses of this tab, in order. */
  presses: Press[];
  /** Confirms it sent, and how many of them are open. */
  confirms: number;
  openConfirms: number;
  /** The browser takes back what it gave to this page. */
  leave(): void;
};

/** One question to the page's `beforePay`. */
export type PageQuestion = { shown: Money };

/** What is observed of a tab. */
export type Observer = {
  confirming(tab: Tab, shown: Money): void;
  requesting(tab: Tab, url: string): void;
  /** `null` if no answer came. */
  answered(tab: Tab, url: string, answer: Response | null): void;
  state(state: PaymentState): void;
  /** What the merchant's page hears. */
  event(tab: Tab, message: FrameMessage): void;
  /** The page's `beforePay` was asked about a press. */
  askingPage(tab: Tab, question: PageQuestion): void;
  /** It answered: the same object as in `askingPage`. */
  answeredByPage(tab: Tab, question: PageQuestion, answer: PageAnswer): void;
  /** The page was asked for a secret; `over`: for that of another intent, in place of this one. */
  fetchingSecret(over: UnpaidEnd | null): void;
  defect(defect: unknown): void;
};

export type Setting = {
  sandbox: Sandbox;
  clock: Clock;
  random: () => number;
  observer: Observer;
  sharedTabs: SharedTabs;
  mutation: Mutation;
};

/** How the page gets the secret: it has one, or its server is asked, given the id of the intent that is over. */
export type SecretSource = string | ((over: string | null) => Promise<string | null>);

/** The page's `beforePay`, which may call `refresh()`. Never fulfils if it does not answer. */
export type SimulatedBeforePay = (refresh: () => void) => Promise<PageAnswer>;

/** Opens a form. */
export const openTab = (
  { sandbox, clock, random, observer, sharedTabs, mutation }: Setting,
  {
    source,
    card,
    beforePay,
  }: { source: SecretSource; card: string; beforePay?: SimulatedBeforePay | undefined },
): Tab => {
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
    init?.signal?.throwIfAborted(); // no one receives it
    observer.answered(tab, url, answer);
    return mutation.fetch ? mutation.fetch(answer) : answer;
  };
  const counted: typeof globalThis.fetch = async (input, init) => {
    if (!String(input).endsWith(CLIENT_ROUTES.confirm)) return request(input, init);
    const { amount_total, currency } = ConfirmedTotal.parse(JSON.parse(String(init?.body)));
    tab.confirms += 1;
    tab.openConfirms += 1;
    observer.confirming(tab, { amount: amount_total, currency });
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

  const { fetch: _, ...replace } = mutation;
  const presses: Press[] = [];
  const tab: Tab = {
    life,
    card,
    isOpen: true,
    presses,
    confirms: 0,
    openConfirms: 0,
    leave,
    session: createSession({
      service: {
        baseUrl: 'http://pay.example',
        publishableKey: sandbox.keys.publishable,
        fetch: counted,
      },
      clientSecret: typeof source === 'string' ? { kind: 'given', value: source } : { kind: 'ask' },
      canReplace: typeof source !== 'string',
      askPage: beforePay && askPage,
      form: {
        details: () => exampleDetails(`${presses.at(-1)?.number}`, tab.card),
        cardNumber: () => tab.card,
        clearCard: () => undefined,
        clearCvc: () => undefined,
        markRefused: () => undefined,
      },
      lifecycle: life,
      tabs: sharing,
      network: { diagnose: (send) => send() },
      onFailure: () => undefined,
      clock: life.clock,
      random,
      post(message) {
        if (message.type === 'secret') void Promise.resolve().then(provideSecret);
        else observer.event(tab, message);
      },
      onDefect: observer.defect,
      replace,
    }),
  };
  tab.session.state.subscribe(observer.state);
  return tab;
};

/** What is read of a confirm's body. */
const ConfirmedTotal = z.object({ amount_total: z.int(), currency: Currency });

/** Presses the button if it says Pay. Returns the press, or null if the form did not accept it. */
export const press = (tab: Tab, number: number): Press | null => {
  const { session, presses } = tab;
  const shown = session.view.peek();
  if (shown.screen !== 'form' || shown.action.kind !== 'pay') return null;
  const made: Press = { number, tab, shown: shown.action.total };
  presses.push(made); // first: what follows from it happens before pay() returns
  if (session.pay(made.shown)) return made;
  presses.pop();
  return null;
};

/** Closes the tab. The form is told while it still runs. */
export const closeTab = (tab: Tab): void => {
  tab.isOpen = false;
  tab.session.close();
  tab.life.end();
  tab.leave();
};
