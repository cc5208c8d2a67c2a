/**
 * One tab with the session that buyers use (`createSession`, with its client, tab lock and merchant events), isolated
 * in a world that moves only on request: it gets one input at a time and returns the tab's outputs.
 */
import { signal } from '@preact/signals';
import { exampleDetails } from '../../api/confirm-details.fixture.ts';
import type { Money } from '../../api/money.ts';
import { createBeforePay } from '../../form/frame/merchant/before-pay.ts';
import type { TabSharing } from '../../form/frame/session/tab-lock.ts';
import { type PaymentEvent, PHASE } from '../../form/payment/payment-state.ts';
import { type FormParts, openFormSession } from '../tab/form-session.ts';
import { idOf, intentOf, secretOf } from './service.ts';
import { createTabBrowser } from './tab-browser.ts';
import type { TabFacts, TabInput, TabOutput } from './tab-exchange.ts';
import { factsOf, fingerprintOf, type TabMemory } from './tab-facts.ts';
import { createTabNetwork } from './tab-network.ts';
import { createTabPage } from './tab-page.ts';
import { createTabTimers } from './tab-timers.ts';

export type LiveTab = {
  /** Outputs while it was being opened. */
  first: readonly TabOutput[];
  give(input: TabInput): Promise<readonly TabOutput[]>;
  facts(): TabFacts;
  /** Equal for tabs that will behave the same from now on, as far as anyone can see. */
  fingerprint(): string;
};

export type TabSetting = {
  canReplace: boolean;
  hasLocks: boolean;
  beforePay: boolean;
  /** Parts of a form with a mistake, to show that the explorer finds it. */
  wrong: FormParts;
};

// Read on load, because tests may replace the global timers.
const immediate = setImmediate;
/** Resolves when everything that needs no time has happened. */
const settled = () => new Promise<void>((resolve) => immediate(resolve));

/** Opens a form for an intent. */
export const openLiveTab = async (intent: number, setting: TabSetting): Promise<LiveTab> => {
  let outputs: TabOutput[] = [];
  const tab = openSession(intent, setting, (output) => outputs.push(output));
  await settled();
  return {
    first: outputs,
    async give(input) {
      outputs = [];
      await act(tab, input);
      await settled();
      return outputs;
    },
    facts: () => factsOf(tab),
    fingerprint: () => fingerprintOf(tab),
  };
};

/** A session and everything around it. `did` is called with every output of the tab. */
const openSession = (
  intent: number,
  { canReplace, hasLocks, beforePay, wrong }: TabSetting,
  did: (output: TabOutput) => void,
) => {
  const memory: TabMemory = {
    secret: intent,
    swaps: 0,
    presses: 0,
    hasSent: false,
    asleepSince: null,
    isParked: false,
  };
  const online = signal(true);
  let send = (_: PaymentEvent) => {};
  const timers = createTabTimers();
  const network = createTabNetwork(timers.clock.now, did, (route) => {
    if (route === 'confirm') memory.hasSent = true;
  });
  const browser = createTabBrowser(did);
  const page = createTabPage();
  const asking = createBeforePay(
    (message) => {
      if (message.type === 'beforepay') did({ did: 'ask_page', question: message.press });
    },
    () => undefined,
  );

  const session = openFormSession({
    port: { baseUrl: '', publishableKey: 'pk', fetch: network.fetch },
    clientSecret: { kind: 'given', value: secretOf(intent) },
    canReplace,
    askPage: beforePay ? asking.ask : undefined,
    typed: { details: () => DETAILS },
    lifecycle: {
      online,
      isAwake: () => memory.asleepSince === null || !online.peek(),
      listen(listener, ending) {
        send = listener;
        ending.addEventListener('abort', () => {
          send = () => {};
        });
      },
    },
    tabs: hasLocks ? browser.sharing : NO_SHARING,
    clock: timers.clock,
    random: () => 0.5,
    askSecret: (anew) => did({ did: 'ask_secret', anew }),
    say(message) {
      page.hear(message);
      did({ did: 'say', message });
    },
    onDefect: (defect) => page.fail(`a defect: ${String(defect)}`),
    wrong,
  });

  session.state.subscribe((state) => {
    if (AT_REST.has(PHASE[state.status])) memory.hasSent = false;
  });
  return {
    memory,
    online,
    timers,
    network,
    browser,
    page,
    asking,
    session,
    did,
    send: (event: PaymentEvent) => send(event),
  };
};

/** Gives the tab one input. */
const act = async (tab: ReturnType<typeof openSession>, input: TabInput): Promise<void> => {
  const { memory, online, timers, network, browser, asking, session } = tab;
  const now = timers.clock.now();
  switch (input.do) {
    case 'pass':
      timers.move(input.ms);
      return timers.run(settled);
    case 'sleep':
      return timers.move(input.ms);
    case 'answer':
      return network.answer(input.request, input.reply);
    case 'fail':
      return network.fail(input.request);
    case 'lock':
      return browser.answerLock(input.isFree);
    case 'lock_freed':
      return browser.freeLock();
    case 'other_tab_ended':
      return browser.hearEnd(idOf(input.intent));
    case 'secret':
      memory.secret = input.intent ?? memory.secret;
      return session.receiveSecret(input.intent === null ? null : secretOf(input.intent));
    case 'swap':
      memory.swaps += 1;
      return session.swaps.ask(secretOf(input.intent), (message) => {
        if (!('updated' in message)) return;
        memory.swaps -= 1;
        if (message.clientSecret) memory.secret = intentOf(message.clientSecret);
        tab.did({ did: 'swap', intent: input.intent, isDone: message.updated === null });
      });
    case 'press': {
      const seen = session.view.peek();
      const total =
        seen.screen === 'form' && (seen.action.kind === 'pay' || seen.action.kind === 'idle')
          ? seen.action.total
          : null;
      if (session.pay(total ?? ANY_TOTAL)) memory.presses += 1;
      return;
    }
    case 'retry':
      return session.retry();
    case 'refresh':
      return session.refresh();
    case 'restore':
      return tab.send({ type: 'restored' });
    case 'page_says':
      return asking.answer(
        input.word === 'failed'
          ? { type: 'beforepay', press: input.question, mistake: 'It threw.' }
          : { type: 'beforepay', press: input.question, allowed: input.word === 'yes' },
      );
    case 'go_offline':
      online.value = false;
      memory.asleepSince = now;
      return;
    case 'hide':
      memory.asleepSince = now;
      return;
    case 'go_online':
    case 'show': {
      online.value = true;
      const gap = now - (memory.asleepSince ?? now);
      memory.asleepSince = null;
      return tab.send({ type: 'woke', gap });
    }
    case 'close':
      return session.close();
    case 'park':
    case 'come_back':
      memory.isParked = input.do === 'park';
      return session.park(memory.isParked);
    default:
      input satisfies never;
  }
};

const DETAILS = exampleDetails();
const ANY_TOTAL: Money = { amount: 1, currency: 'usd' };
const AT_REST: ReadonlySet<string> = new Set(['opening', 'idle', 'ended', 'destroyed']);
const NO_SHARING: TabSharing = { locks: undefined, openChannel: () => null };
