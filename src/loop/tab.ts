/** One open form: real client, real machine and real view, on a page that can sleep and a network that can end. */
import { type Client, createClient } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import { exampleDetails } from '../api/confirm-details.fixture.ts';
import type { Money } from '../api/money.ts';
import { createCalls, intentIdOf } from '../frame/session/calls.ts';
import { createSecrets } from '../frame/session/client-secret.ts';
import { createTabs } from '../frame/session/tabs.ts';
import { keepTurn } from '../frame/session/turn.ts';
import { type View, view } from '../frame/view/view.ts';
import { type Calls, createPayment, type Payment } from '../payment/payment.ts';
import type { PaymentState, UnpaidEnd } from '../payment/payment-state.ts';
import type { transition } from '../payment/transition.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createLife, type Life } from './life.ts';
import type { Neighbours } from './neighbours.ts';

/** A wrong form, to show that the loop would notice it. */
export type Mutation = {
  decide?: typeof transition;
  calls?: (calls: Calls) => Calls;
  fetch?: (answer: Response) => Response;
};

/** A press of Pay that the form believed. Its number is the buyer's name, so that the service can tell it. */
export type Press = { number: number; tab: Tab; shown: Money };

export type Tab = {
  payment: Payment;
  life: Life;
  card: string;
  isOpen: boolean;
  /** Presses of this tab, in order. */
  presses: Press[];
  /** Confirms it sent, and how many of them are open. */
  confirms: number;
  openConfirms: number;
  /** Ends what the browser gave to this page. */
  leave(): void;
};

/** What is watched of a tab. */
export type Watcher = {
  confirming(tab: Tab, shown: Money): void;
  asking(tab: Tab, url: string): void;
  /** `null` where no answer came. */
  heard(tab: Tab, url: string, answer: Response | null): void;
  state(tab: Tab, state: PaymentState): void;
  /** The page was asked for a secret; `ended`: for that of another intent, in place of this one. */
  renewing(ended: UnpaidEnd | null): void;
  defect(defect: unknown): void;
};

export type Setting = {
  sandbox: Sandbox;
  clock: Clock;
  random: () => number;
  watcher: Watcher;
  neighbours: Neighbours;
  mutation: Mutation;
};

/** How the page comes by the secret: one that it has, or one that its server is asked for, by the intent's id. */
export type Source = string | ((over: string | null) => Promise<string | null>);

/** Opens a form. */
export const openTab = (
  { sandbox, clock, random, watcher, neighbours, mutation }: Setting,
  { source, card }: { source: Source; card: string },
): Tab => {
  const life = createLife(clock, (gap) => tab.payment.send({ type: 'woke', gap }));
  const { leave, ...between } = neighbours.join();
  const intentId = () => intentIdOf(tab.payment);
  const secrets = createSecrets({
    first: typeof source === 'string' ? { kind: 'given', value: source } : { kind: 'ask' },
    async ask() {
      const state = tab.payment.state.peek();
      const ended = state.status === 'loading' ? state.replaces : null;
      watcher.renewing(ended);
      const given = typeof source === 'string' ? null : await source(ended?.intent.id ?? null);
      await life.running();
      secrets.give(given);
    },
    clock: life.clock,
  });
  const tabs = createTabs({
    ...between,
    clock: life.clock,
    onEnd(id) {
      if (id === intentId()) tab.payment.send({ type: 'refresh_requested' });
    },
  });
  const client = createClient({
    baseUrl: 'http://pay.example',
    publishableKey: sandbox.keys.publishable,
    clientSecret: secrets.current,
    clock: life.clock,
    async fetch(input, init) {
      const url = String(input);
      init?.signal?.throwIfAborted(); // nothing is sent
      watcher.asking(tab, url);
      if (!life.isOnline()) throw new TypeError('offline');
      const answer = await sandbox.fetch(new Request(url, init)).catch((reason) => {
        if (!init?.signal?.aborted) watcher.heard(tab, url, null);
        throw reason;
      });
      await life.running();
      if (!life.isOnline()) throw new TypeError('offline');
      init?.signal?.throwIfAborted(); // nobody hears it
      watcher.heard(tab, url, answer);
      return mutation.fetch ? mutation.fetch(answer) : answer;
    },
  });
  const confirm: Client['confirm'] = async (details, shown, signal) => {
    tab.confirms += 1;
    tab.openConfirms += 1;
    watcher.confirming(tab, shown);
    const result = await client.confirm(details, shown, signal);
    tab.openConfirms -= 1;
    return result;
  };
  const calls = createCalls({
    client: { ...client, confirm },
    secrets,
    tabs,
    intentId,
    details: () => exampleDetails(`${tab.presses.at(-1)?.number}`, tab.card),
  });
  const tab: Tab = {
    life,
    card,
    isOpen: true,
    presses: [],
    confirms: 0,
    openConfirms: 0,
    leave() {
      tabs.close();
      leave();
    },
    payment: createPayment({
      calls: mutation.calls ? mutation.calls(calls) : calls,
      clock: life.clock,
      random,
      isAwake: life.isAwake,
      canReplace: typeof source !== 'string',
      onDefect: watcher.defect,
      ...(mutation.decide ? { decide: mutation.decide } : {}),
    }),
  };
  tab.payment.state.subscribe((state) => watcher.state(tab, state));
  keepTurn(tab.payment, tabs);
  tab.payment.send({ type: 'opened' });
  return tab;
};

/** What stands on the screen of a tab. */
export const screenOf = ({ payment, life }: Tab): View => view(payment.state.peek(), life.isOnline());

/** Presses the button if it says Pay; the press, or null where the form did not believe it. */
export const press = (tab: Tab, number: number): Press | null => {
  const screen = screenOf(tab);
  if (screen.screen !== 'form' || screen.action.kind !== 'pay') return null;
  const made: Press = { number, tab, shown: screen.action.total };
  const before = tab.payment.state.peek();
  tab.presses.push(made); // first: what follows from it follows at once
  tab.payment.send({ type: 'submitted', shown: made.shown });
  if (tab.payment.state.peek() !== before) return made;
  tab.presses.pop();
  return null;
};

/** The tab is gone, as its form is told while it still can hear. */
export const closeTab = (tab: Tab): void => {
  tab.isOpen = false;
  tab.payment.send({ type: 'closed' });
  tab.life.end();
  tab.leave();
};
