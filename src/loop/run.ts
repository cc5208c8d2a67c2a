/**
 * The whole loop in one process: real client, real machine, real view, real sandbox, a network that fails as a
 * plan says and a clock that is moved. Watches every promise of the form while it runs, and again when the
 * network has healed and everything has come to rest.
 */

import { createClient, type ShownTotal } from '../api/client.ts';
import { createManualClock } from '../api/manual-clock.ts';
import { SERVER_ROUTES } from '../api/routes.ts';
import { view } from '../frame/view.ts';
import { createPayment, type Payment } from '../payment/payment.ts';
import type { PaymentState } from '../payment/state.ts';
import { TIMING } from '../payment/timing.ts';
import { transition } from '../payment/transition.ts';
import { settingsOf } from '../sandbox/options.ts';
import { sandboxOver } from '../sandbox/sandbox.ts';
import { createService } from '../sandbox/service.ts';
import type { Action, Plan } from './plan.ts';

/** What a run was like, for the table that is printed. */
export type Report = {
  /** Promises that were broken; empty is what everybody wants. */
  violations: readonly string[];
  charges: number;
  presses: number;
  deliveries: number;
  outcome: string;
};

/** A wrong form, to show that the run would notice it. */
export type Mutation = { decide?: typeof transition; fetch?: (answer: Response) => Response };

type Tab = {
  payment: Payment;
  card: string;
  awake: boolean;
  open: boolean;
  /** What was asked of the service, by route: moments in ms. */
  asked: Map<string, number[]>;
  closedUntil: Map<string, number>;
};

/** A request to the sandbox in this process is read and answered within as many turns of the event loop. */
const TURNS = 3;
const MINUTE = 60_000;
/** No state that waits may last longer once the network is well (the plan of a watch is ten minutes). */
const PATIENCE = 25 * MINUTE;

/** Runs a plan. */
export const run = async (
  plan: Plan,
  { decide = transition, fetch: mutateAnswer }: Mutation = {},
): Promise<Report> => {
  const violations: string[] = [];
  const broken = (promise: string) => {
    if (!violations.includes(promise)) violations.push(promise);
  };
  const clock = createManualClock(TURNS);
  const left = [...plan.faults];
  const service = createService(
    settingsOf({
      clock: { now: () => Date.UTC(2026, 0, 1) + clock.now(), wait: clock.wait },
      seed: 1,
      attempts: plan.attempts,
      holdFailedAttempts: plan.holdFailedAttempts,
      clientRateLimit: 1_000_000, // the form's own frugality is what is watched here
      faults: () => left.shift(),
    }),
  );
  const sandbox = sandboxOver(service);
  const { id, client_secret } = await createIntent(sandbox);
  const record = () => {
    const intent = service.store.intents.get(id);
    if (!intent) throw new Error('The intent is gone.');
    return intent;
  };
  const charges = () => service.store.charges.length;

  const tabs: Tab[] = [];
  const pressed: ShownTotal[] = [];
  let presses = 0;
  let confirms = 0;
  let random = 0.5;

  const open = (card: string): Tab => {
    const tab: Tab = {
      card,
      awake: true,
      open: true,
      asked: new Map(),
      closedUntil: new Map(),
      payment: createPayment({
        calls: {
          retrieve: (signal) => client.retrieve(signal),
          release: (signal) => client.release(signal),
          queue: async () => undefined,
          async confirm(shown, signal) {
            confirms += 1;
            if (confirms > presses) broken('I2: a confirm without a press');
            const button = pressed.at(-1);
            if (button?.amountTotal !== shown.amountTotal || button.currency !== shown.currency) {
              broken('I5: a confirm with another total than the pressed button showed');
            }
            underWay += 1;
            if (underWay > 1) broken('I1: two confirms are open at once in one form');
            const result = await client.confirm(detailsOf(tab.card), shown, signal);
            underWay -= 1;
            return result;
          },
        },
        clock,
        random: () => {
          random = (random * 7.13 + 0.37) % 1;
          return random;
        },
        isAwake: () => tab.awake,
        decide,
        onDefect: (defect) => broken(`a defect: ${String(defect)}`),
      }),
    };
    let underWay = 0;
    const client = createClient({
      baseUrl: 'http://pay.example',
      publishableKey: sandbox.keys.publishable,
      clientSecret: () => client_secret,
      clock,
      fetch: async (input, init) => {
        const url = String(input);
        watchRequest(tab, url);
        const answer = await sandbox.fetch(new Request(url, init));
        const heard = mutateAnswer ? mutateAnswer(answer) : answer;
        noteLimit(tab, url, answer);
        return heard;
      },
    });
    tab.payment.state.subscribe((state) => watchState(state));
    tabs.push(tab);
    tab.payment.send({ type: 'opened' });
    return tab;
  };

  const watchRequest = (tab: Tab, url: string) => {
    const state = tab.payment.state.peek();
    if (state.status === 'waiting' && clock.now() < state.until) broken('I6: a request while waiting');
    if (FINAL.has(state.status)) broken('I8: a request after the end');
    if ((tab.closedUntil.get(url) ?? 0) > clock.now()) broken('I6: a request before Retry-After was over');
    const recent = (tab.asked.get(url) ?? []).filter((at) => at > clock.now() - MINUTE);
    recent.push(clock.now());
    tab.asked.set(url, recent);
    if (recent.length > 20) broken('I7: more than 20 requests a minute on one route');
  };

  const noteLimit = (tab: Tab, url: string, answer: Response) => {
    if (answer.status !== 429) return;
    const stated = answer.headers.get('Retry-After') ?? '';
    const wait = /^\d+$/.test(stated) ? Number(stated) : 60;
    tab.closedUntil.set(url, clock.now() + wait * 1000);
  };

  const watchState = (state: PaymentState) => {
    if (state.status === 'succeeded' && record().status !== 'succeeded')
      broken('I3: said succeeded, and it is not');
    if (state.status === 'canceled' && record().status !== 'canceled') broken('said canceled, and it is not');
    if (charges() > 1) broken('charged twice');
  };

  const press = (tab: Tab) => {
    const shown = view(tab.payment.state.peek(), tab.awake);
    if (shown.screen !== 'form' || shown.action.kind !== 'pay') return;
    const { value, currency } = shown.action.total;
    const before = tab.payment.state.peek();
    presses += 1;
    pressed.push({ amountTotal: value, currency });
    tab.payment.send({ type: 'submitted', shown: { amountTotal: value, currency } });
    if (tab.payment.state.peek() !== before) return;
    presses -= 1; // not believed: too soon
    pressed.pop();
  };

  const act = async (action: Action) => {
    if (action.do === 'wait') return clock.advance(action.ms);
    if (action.do === 'open') return void (tabs.length < 3 && open(plan.card));
    if (action.do === 'change_amount') return changeAmount(sandbox, id, action.by, record().amount);
    if (action.do === 'cancel') return cancelIntent(sandbox, id);
    const tab = tabs[action.tab % tabs.length];
    if (!tab?.open) return;
    const { payment } = tab;
    switch (action.do) {
      case 'press':
        if (action.calm) await clock.advance(TIMING.guard + 100);
        for (let time = 0; time < action.times; time += 1) press(tab);
        return;
      case 'retry':
        payment.send({ type: 'retry_requested' });
        return;
      case 'type_card':
        tab.card = action.number;
        return;
      case 'sleep':
        tab.awake = false;
        await clock.advance(action.ms);
        tab.awake = true;
        payment.send({ type: 'woke', gap: action.ms });
        return;
      case 'restore':
        payment.send({ type: 'restored' });
        return;
      case 'refresh':
        payment.send({ type: 'refresh_requested' });
        return;
      case 'reload':
      case 'close':
        payment.send({ type: 'closed' });
        tab.open = false;
        if (action.do === 'reload') open(tab.card);
        return;
      default:
        action satisfies never;
    }
  };

  open(plan.card);
  await clock.advance(0);
  for (const action of plan.actions) {
    await act(action);
    await clock.advance(0);
  }

  // The network heals, everybody wakes up, and everything comes to rest.
  left.length = 0;
  const live = () => tabs.filter(({ open: isOpen }) => isOpen);
  if (live().length === 0) open(plan.card);
  await clock.advance(PATIENCE);
  for (const { payment } of live()) {
    const { status } = payment.state.peek();
    if (UNRESTING.has(status)) broken(`a hang in ${status}`);
    payment.send({ type: 'retry_requested' });
    payment.send({ type: 'restored' });
  }
  await clock.advance(PATIENCE);

  const final = record();
  for (const { payment } of live()) {
    const state = payment.state.peek();
    if (UNRESTING.has(state.status)) broken(`a hang in ${state.status}`);
    const isPaid = final.status === 'succeeded';
    // Where another tab or an earlier page pressed, too, "nothing charged" was true when it was said.
    if (isPaid && state.status === 'blocked' && state.intent && tabs.length === 1) {
      broken('I4: said that nothing was charged, and something was');
    }
    if (isPaid && saysFailed(state)) broken(`I4: said ${state.status} about a payment that went through`);
    if (isPaid && state.status === 'ready') broken('offers to pay what is paid, after reading');
    if (state.status === 'ready' && state.intent.amount_total !== final.amount_total) {
      broken('shows another total than the service has, after reading');
    }
  }
  if (final.status === 'succeeded' && charges() === 1) {
    const asShown = pressed.some(
      ({ amountTotal, currency }) => amountTotal === final.amount_total && currency === final.currency,
    );
    if (!asShown) broken('I5: charged an amount that no pressed button showed');
  }
  if (charges() > 1) broken('charged twice');

  const outcome = live().map(({ payment }) => payment.state.peek().status)[0] ?? 'closed';
  for (const { payment } of tabs) payment.send({ type: 'closed' });
  sandbox.close();
  await clock.advance(0);
  if (clock.waiting() > 0) broken('I9: a timer after the end');
  return {
    violations,
    charges: charges(),
    presses,
    deliveries: service.journal.of(id).filter(({ route }) => route === 'client.confirm').length,
    outcome: `${final.status}, form ${outcome}`,
  };
};

const FINAL = new Set<PaymentState['status']>(['succeeded', 'canceled', 'exhausted', 'destroyed']);
const UNRESTING = new Set<PaymentState['status']>([
  'booting',
  'loading',
  'confirming',
  'resolving',
  'releasing',
  'reloading',
  'processing',
]);

const saysFailed = ({ status }: PaymentState): boolean => status === 'exhausted' || status === 'canceled';

const detailsOf = (number: string) => ({
  card: { number, exp_month: 12, exp_year: 2030, cvc: '123' },
  billing_details: {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    address: {
      line1: '12 Orchard Lane',
      line2: null,
      city: null,
      state: null,
      postal_code: '97201',
      country: 'US',
    },
  },
});

type Served = ReturnType<typeof sandboxOver>;

const asServer = (sandbox: Served, path: string, body: unknown) =>
  sandbox.fetch(
    new Request(`http://pay.example${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.keys.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

const createIntent = async (sandbox: Served): Promise<{ id: string; client_secret: string }> => {
  const answer = await asServer(sandbox, SERVER_ROUTES.paymentIntents, {
    amount: 5000,
    currency: 'usd',
    items: [{ name: 'Beans', quantity: 1, unit_amount: 5000 }],
    order_reference: 'order-1',
    buyer: { name: 'Ada Lovelace' },
    shipping_details: { name: 'Ada Lovelace', address: { line1: '12 Orchard Lane', country: 'US' } },
  });
  return answer.json();
};

const changeAmount = async (sandbox: Served, id: string, by: number, amount: number): Promise<void> => {
  await asServer(sandbox, SERVER_ROUTES.paymentIntent.replace(':id', id), { amount: amount + by });
};

const cancelIntent = async (sandbox: Served, id: string): Promise<void> => {
  await sandbox.fetch(
    new Request(`http://127.0.0.1/_sandbox/payment_intents/${id}/cancel`, {
      method: 'POST',
      headers: { Host: '127.0.0.1' },
    }),
  );
};
