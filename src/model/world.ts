/**
 * One order in the model: tabs with real sessions (by `tab-table.ts`), the service, the requests between them, and what
 * buyers, the merchant and the network may do next. Time moves from one moment to the next at which something can change.
 */
import type { CardFormError, FrameMessage } from '../channel/messages.ts';
import { TIMING } from '../payment/timing.ts';
import type { Bounds } from './bounds.ts';
import type { PageWord, TabInput, TabOutput } from './live-tab.ts';
import {
  beginAttempt,
  cancel,
  endAttempt,
  idOf,
  type ModelIntent,
  newIntent,
  type Reply,
  type Route,
  read,
  refusalOf,
  release,
  secretOf,
} from './service.ts';
import type { TabTable } from './tab-table.ts';

export type Tab = {
  /** Its number in the table. */
  state: number;
  /** Which intent its secret is of. */
  intent: number;
  /** Whether the service has told it that an attempt runs, and not yet that it is over. */
  isToldRunning: boolean;
  /** Declines that this page was told. */
  declines: number;
};

/** A request between a tab and the service. */
export type Flight = {
  /** Who waits for the answer; null if nobody does any more, though the request may still arrive. */
  tab: number | null;
  route: Route;
  intent: number;
  /** Index of the press that a confirm is for. */
  press: number;
  /** On its way; its attempt runs; or the answer is on its way. */
  phase: 'sent' | 'running' | 'answered';
  reply: Reply | null;
  /** Time may pass while it is on its way. */
  isSlow: boolean;
  /** In ms, for a confirm; no more than matters. */
  age: number;
};

export type Press = {
  /** Null once the page is gone. */
  tab: number | null;
  /** What the button showed, in minor units. */
  amount: number;
  /** Not sent yet; sent; or over without having been sent. */
  stage: 'waiting' | 'sent' | 'over';
  /** The number of the page's `beforePay` question about it, until that is answered. */
  question: number | null;
  /** What the page said about it. */
  word: PageWord | null;
  fate: 'open' | 'running' | 'charged' | 'failed';
  /** Its page was told that nothing was charged. */
  wasDenied: boolean;
  /** How the service has answered its confirm: whether the answer says what became of this delivery. */
  answered: 'not' | 'open' | 'conclusive';
  /** It was tried later than the form waits for it (`latestOf`): not judged by what the page was told. */
  isLate: boolean;
};

export type World = {
  tabs: readonly Tab[];
  flights: readonly Flight[];
  intents: readonly ModelIntent[];
  presses: readonly Press[];
  charges: number;
  left: Readonly<Record<'presses' | 'faults' | 'disturbances' | 'sleeps', number>>;
};

/** What came of a move. */
export type Moved = {
  world: World;
  /** Invariants that it broke. */
  broken: readonly string[];
  /** What the tabs did, for people. */
  log: readonly string[];
  /** What tabs were given, and what they did: to give the same to real sessions. */
  given: readonly {
    tab: number;
    input: TabInput | { do: 'open'; intent: number };
    outputs: readonly TabOutput[];
  }[];
};

export type Move = { label: string; make(): Promise<Moved> };

type Draft = {
  tabs: Tab[];
  flights: Flight[];
  intents: ModelIntent[];
  presses: Press[];
  charges: number;
  left: Record<'presses' | 'faults' | 'disturbances' | 'sleeps', number>;
  broken: Set<string>;
  log: string[];
  given: Moved['given'][number][];
  queue: { tab: number; input: TabInput }[];
};

export const AMOUNT = 5000;
const OTHER_AMOUNT = 6000;
/** A confirm that arrives later is not waited for (outcomes 2.4). */
const ARRIVES_WITHIN = TIMING.settleUnanswered;
/**
 * The age, in ms, from which on a delivery of a confirm is too late for the form to wait for it. Once the service has
 * told what became of the press, no older delivery is taken to be under way: a browser sends a request again only after
 * the connection of the first has died.
 */
const latestOf = { not: ARRIVES_WITHIN, open: TIMING.settleAnswered, conclusive: 0 } as const;
/** Refusals that leave open what another delivery of the same confirm has done. */
const INCONCLUSIVE: ReadonlySet<string> = new Set([
  'provider_error',
  'internal_error',
  'payment_intent_not_pending',
  'rate_limited',
  'api_key_revoked',
]);
const SLEEPS = [6000, 21_000] as const;
const NAMES = ['A', 'B'] as const;
const nameOf = (tab: number | null) => (tab === null ? 'nobody' : `tab ${NAMES[tab] ?? tab}`);

const at = <Value>(list: readonly Value[], index: number): Value => {
  const value = list[index];
  if (value === undefined) throw new Error(`There is no ${index} in a list of ${list.length}.`);
  return value;
};

export type Rules = {
  initial(): Promise<Moved>;
  moves(world: World): Promise<Move[]>;
  /** The next move if nothing goes wrong any more; null if nothing is left to happen. */
  calmMove(world: World): Move | null;
  /** Whether no read can tell how an attempt ended, so that the form cannot but offer "Check status" (contract 4.6). */
  isUntold(world: World): boolean;
};

export const createRules = (bounds: Bounds, table: TabTable): Rules => {
  const draftOf = (world: World): Draft => ({
    tabs: world.tabs.map((tab) => ({ ...tab })),
    flights: world.flights.map((flight) => ({ ...flight })),
    intents: [...world.intents],
    presses: world.presses.map((press) => ({ ...press })),
    charges: world.charges,
    left: { ...world.left },
    broken: new Set(),
    log: [],
    given: [],
    queue: [],
  });

  const done = async (draft: Draft): Promise<Moved> => {
    for (let next = draft.queue.shift(); next; next = draft.queue.shift()) {
      await give(draft, next.tab, next.input);
    }
    for (const [index, { state, isToldRunning }] of draft.tabs.entries()) {
      const { status, broken } = table.facts(state);
      const isSending = status === 'confirming' || status === 'asking_page';
      for (const press of draft.presses) {
        if (press.tab === index && press.stage === 'waiting' && !isSending) press.stage = 'over';
      }
      for (const problem of broken) draft.broken.add(problem);
      if (status === 'ready' && isToldRunning) {
        draft.broken.add(`${nameOf(index)} offers Pay, though the service has told that an attempt runs`);
      }
    }
    const { tabs, charges, left, broken, log, given } = draft;
    return { world: { tabs, charges, left, ...pruned(draft) }, broken: [...broken], log, given };
  };

  // ————— what a tab does —————

  const give = async (draft: Draft, index: number, input: TabInput): Promise<void> => {
    const tab = at(draft.tabs, index);
    if (input.do === 'secret' && input.intent !== null) tab.intent = input.intent;
    const key = JSON.stringify(input);
    const step = table.known(tab.state, key) ?? (await table.step(tab.state, key, input));
    tab.state = step.to;
    draft.given.push({ tab: index, input, outputs: step.outputs });
    for (const output of step.outputs) react(draft, index, output);
    for (let next = draft.queue.shift(); next; next = draft.queue.shift())
      await give(draft, next.tab, next.input);
  };

  const open = async (draft: Draft, index: number, intent: number): Promise<void> => {
    const { to, outputs } = await table.open(intent);
    draft.tabs[index] = { state: to, intent, isToldRunning: false, declines: 0 };
    draft.given.push({ tab: index, input: { do: 'open', intent }, outputs });
    for (const output of outputs) react(draft, index, output);
  };

  const react = (draft: Draft, index: number, output: TabOutput): void => {
    const tab = at(draft.tabs, index);
    switch (output.did) {
      case 'send': {
        const intent = draft.intents.findIndex((_, one) => secretOf(one) === output.intent);
        const press = output.route === 'confirm' ? sendPress(draft, index, output.amount) : -1;
        draft.log.push(`${nameOf(index)} sends ${output.route}`);
        draft.flights.push({
          tab: index,
          route: output.route,
          intent,
          press,
          phase: 'sent',
          reply: null,
          isSlow: false,
          age: 0,
        });
        return;
      }
      case 'abort': {
        const flight = at(flightsOf(draft, index), output.request);
        draft.log.push(`${nameOf(index)} gives up its ${flight.route}`);
        abandon(draft, flight);
        return;
      }
      case 'ask_lock': {
        const isFree = draft.tabs.every(
          (other, one) => one === index || other.intent !== tab.intent || !table.facts(other.state).holdsLock,
        );
        const press = draft.presses.findLast((one) => one.tab === index && one.stage === 'waiting');
        if (press && !isFree) press.stage = 'over';
        draft.log.push(`${nameOf(index)} ${isFree ? 'gets the lock' : 'finds the lock taken'}`);
        draft.queue.push({ tab: index, input: { do: 'lock', isFree } });
        return;
      }
      case 'free_lock':
        for (const [one, other] of draft.tabs.entries()) {
          if (one !== index && table.facts(other.state).isWaitingForLock) {
            draft.queue.push({ tab: one, input: { do: 'lock_freed' } });
          }
        }
        return;
      case 'tell_end':
        for (const one of draft.tabs.keys()) {
          const intent = draft.intents.findIndex((_, number) => idOf(number) === output.id);
          if (one !== index) draft.queue.push({ tab: one, input: { do: 'other_tab_ended', intent } });
        }
        return;
      case 'ask_secret': {
        const over = at(draft.intents, tab.intent);
        if (!isOver(over))
          draft.broken.add('outcomes G4: asked for another intent, though this one may be paid');
        if (tab.intent === draft.intents.length - 1 && draft.intents.length < bounds.intents) {
          draft.intents.push(newIntent(over.amount));
        }
        const latest = draft.intents.length - 1;
        const intent = latest === tab.intent ? null : latest;
        draft.log.push(`${nameOf(index)} asks for another intent`);
        draft.queue.push({ tab: index, input: { do: 'secret', intent } });
        return;
      }
      case 'ask_page': {
        const press = draft.presses.findLast((one) => one.tab === index && one.stage === 'waiting');
        if (press) press.question = output.question;
        else draft.broken.add('promises 1.10: the page is asked without a press');
        draft.log.push(`${nameOf(index)} asks its page`);
        return;
      }
      case 'say':
        hear(draft, index, output.message);
        return;
      default:
        output satisfies never;
    }
  };

  const isOver = ({ status, attempts, running }: ModelIntent) =>
    status === 'canceled' || (status !== 'succeeded' && running === null && attempts >= bounds.attempts);

  const sendPress = (draft: Draft, index: number, amount: number | null): number => {
    const number = draft.presses.findLastIndex(({ tab, stage }) => tab === index && stage === 'waiting');
    const press = draft.presses[number];
    if (!press) {
      draft.broken.add('outcomes I2: a confirm without a press');
      return -1;
    }
    press.stage = 'sent';
    if (bounds.beforePay && press.word !== 'yes') {
      draft.broken.add('promises 1.10: a confirm that the page did not allow');
    }
    if (press.amount !== amount) {
      draft.broken.add('outcomes I5: a confirm with another amount than the button showed');
    }
    const { intent } = at(draft.tabs, index);
    const isTurnTaken = draft.tabs.some(
      (other, one) => one !== index && other.intent === intent && table.facts(other.state).isPaying,
    );
    if (bounds.locks && isTurnTaken) {
      draft.broken.add('outcomes 2.7: a confirm while a press of another tab is under way');
    }
    return number;
  };

  const flightsOf = (draft: Draft, index: number) => draft.flights.filter(({ tab }) => tab === index);

  /** Nobody waits for the answer any more. A confirm or release that is still on its way can make a difference. */
  const abandon = (draft: Draft, flight: Flight): void => {
    flight.tab = null;
    if (flight.route === 'retrieve' || flight.phase !== 'sent') remove(draft, flight);
  };
  const remove = (draft: Draft, flight: Flight): void => {
    draft.flights = draft.flights.filter((one) => one !== flight);
  };

  // ————— what a page hears —————

  const hear = (draft: Draft, index: number, message: FrameMessage): void => {
    const tab = at(draft.tabs, index);
    const truth = at(draft.intents, tab.intent);
    switch (message.type) {
      case 'decline': {
        draft.log.push(`${nameOf(index)} tells its page: decline, charged ${message.error.charged}`);
        tab.declines += 1;
        const failed = draft.intents.reduce(
          (sum, { attempts, running, status }) =>
            sum + attempts - (running !== null || status === 'succeeded' ? 1 : 0),
          0,
        );
        if (tab.declines > failed) draft.broken.add('told more declines than attempts failed');
        hearCharged(draft, index, message.error);
        return;
      }
      case 'error': {
        const { code, charged } = message.error;
        draft.log.push(`${nameOf(index)} tells its page: error ${code}, charged ${charged}`);
        if (message.error.recovery === 'new_payment' && !isOver(truth)) {
          draft.broken.add('outcomes G4: called an intent over that may be paid or is');
        }
        hearCharged(draft, index, message.error);
        return;
      }
      case 'result': {
        const { result } = message;
        draft.log.push(`${nameOf(index)} tells its page: ${result.outcome}`);
        if (result.outcome === 'succeeded') {
          if (truth.status !== 'succeeded') draft.broken.add('outcomes I3: said succeeded, and it is not');
          if (result.paymentIntent.amount_total !== truth.amount) {
            draft.broken.add('outcomes I5: said another amount than was charged');
          }
        }
        if (result.outcome === 'canceled' && truth.status !== 'canceled') {
          draft.broken.add('said canceled, and it is not');
        }
        if (result.outcome !== 'failed') return;
        if (result.error.recovery === 'new_payment' && !isOver(truth)) {
          draft.broken.add('outcomes G4: called an intent over that may be paid or is');
        }
        hearCharged(draft, index, result.error);
        return;
      }
      case 'processing':
        draft.log.push(`${nameOf(index)} tells its page: processing`);
    }
  };

  const hearCharged = (draft: Draft, index: number, { charged, code }: CardFormError): void => {
    const { intent, isToldRunning } = at(draft.tabs, index);
    if (charged === 'yes' && at(draft.intents, intent).status !== 'succeeded') {
      draft.broken.add('outcomes I3: said charged: yes, and it is not');
    }
    if (charged !== 'no') return;
    if (isToldRunning)
      draft.broken.add(`said charged: no (${code}), though the service told of a running attempt`);
    for (const press of draft.presses) {
      if (press.tab !== index || press.isLate) continue;
      if (press.fate === 'running' || press.fate === 'charged') {
        draft.broken.add(`outcomes I4: said charged: no (${code}) about a press that is ${press.fate}`);
      }
      press.wasDenied = true;
    }
  };

  // ————— what the service does —————

  const setIntent = (draft: Draft, index: number, intent: ModelIntent) => {
    draft.intents[index] = intent;
  };

  const begin = (draft: Draft, flight: Flight): void => {
    setIntent(draft, flight.intent, beginAttempt(at(draft.intents, flight.intent), flight.press));
    const press = at(draft.presses, flight.press);
    press.fate = 'running';
    if (flight.age >= latestOf[press.answered]) press.isLate = true;
  };

  const end = (draft: Draft, index: number, isCharged: boolean): void => {
    const intent = at(draft.intents, index);
    if (intent.running === null) throw new Error('No attempt runs.');
    const press = at(draft.presses, intent.running);
    press.fate = isCharged ? 'charged' : 'failed';
    setIntent(draft, index, endAttempt(intent, isCharged, bounds.holds));
    if (!isCharged) return;
    draft.charges += 1;
    if (draft.charges > 1) draft.broken.add('charged twice');
    if (press.amount !== intent.amount)
      draft.broken.add('outcomes I5: charged another amount than the button showed');
    if (press.wasDenied && !press.isLate) {
      draft.broken.add('outcomes I4: charged a press after its page was told that nothing was charged');
    }
  };

  const reading = (draft: Draft, index: number): Reply => ({
    kind: 'intent',
    reading: read(at(draft.intents, index), index, bounds.attempts, bounds.told),
  });

  type Arrival = { word: string; act(draft: Draft, flight: Flight): Reply | null };

  /** What may come of a request that reaches the service. */
  const arrivalsOf = (world: World, flight: Flight): Arrival[] => {
    if (flight.route === 'retrieve') {
      return [{ word: 'is answered', act: (draft, { intent }) => reading(draft, intent) }];
    }
    if (flight.route === 'release') {
      return [
        {
          word: 'is answered',
          act(draft, { intent: index }) {
            const intent = at(draft.intents, index);
            if (intent.status === 'succeeded' || intent.status === 'canceled') {
              return { kind: 'refused', code: 'payment_intent_not_pending' };
            }
            setIntent(draft, index, release(intent));
            return reading(draft, index);
          },
        },
      ];
    }
    const intent = at(world.intents, flight.intent);
    const code = refusalOf(intent, at(world.presses, flight.press).amount, bounds.attempts);
    if (code) return [{ word: `gets ${code}`, act: () => ({ kind: 'refused', code }) }];
    const decided = (isCharged: boolean): Arrival => ({
      word: isCharged ? 'is charged' : 'is declined',
      act(draft, one) {
        begin(draft, one);
        end(draft, one.intent, isCharged);
        return isCharged ? reading(draft, one.intent) : { kind: 'refused', code: 'payment_method_declined' };
      },
    });
    const running: readonly Arrival[] = [
      {
        word: 'begins an attempt',
        act(draft, one) {
          begin(draft, one);
          return null;
        },
      },
      {
        word: 'begins an attempt, and is answered at once',
        act(draft, one) {
          begin(draft, one);
          return reading(draft, one.intent);
        },
      },
    ];
    return [
      ...(bounds.confirms === 'running' ? [] : [decided(true), decided(false)]),
      ...(bounds.confirms === 'atomic' ? [] : running),
    ];
  };

  const answer = async (draft: Draft, flight: Flight, reply: Reply | 'lost'): Promise<void> => {
    const { tab } = flight;
    if (tab === null) return remove(draft, flight);
    const request = flightsOf(draft, tab).indexOf(flight);
    remove(draft, flight);
    if (reply === 'lost') return give(draft, tab, { do: 'fail', request });
    noteAnswer(draft, at(draft.tabs, tab), flight, reply);
    return give(draft, tab, { do: 'answer', request, reply });
  };

  const noteAnswer = (draft: Draft, tab: Tab, { route, press }: Flight, reply: Reply): void => {
    if (reply.kind === 'intent') {
      const { status, isRunning, hasFailed } = reply.reading;
      tab.isToldRunning = isRunning === true || (status === 'processing' && !hasFailed);
    }
    if (route !== 'confirm' || (reply.kind !== 'intent' && reply.kind !== 'refused')) return;
    const pressed = at(draft.presses, press);
    const isOpen = reply.kind === 'intent' || INCONCLUSIVE.has(reply.code);
    if (pressed.answered !== 'conclusive') pressed.answered = isOpen ? 'open' : 'conclusive';
    if (reply.kind === 'refused' && reply.code === 'payment_method_declined') tab.isToldRunning = false;
  };

  // ————— moves —————

  const moveOf = (world: World, label: string, change: (draft: Draft) => Promise<void> | void): Move => ({
    label,
    async make() {
      const draft = draftOf(world);
      await change(draft);
      return done(draft);
    },
  });

  const flightMoves = (world: World, index: number): Move[] => {
    const flight = at(world.flights, index);
    const who = `${nameOf(flight.tab)}: ${flight.route}${flight.press < 0 ? '' : ` of press ${flight.press + 1}`}`;
    const move = (
      word: string,
      cost: number,
      change: (draft: Draft, flight: Flight) => Promise<void> | void,
    ): Move =>
      moveOf(world, `${who} ${word}`, (draft) => {
        draft.left.faults -= cost;
        return change(draft, at(draft.flights, index));
      });
    const mayFail = world.left.faults > 0;
    const { tab } = flight;
    if (flight.phase === 'running') return []; // until the attempt ends
    if (tab !== null && table.facts(at(world.tabs, tab).state).isOffline) {
      return [move('fails, since the page is offline', 0, (draft, one) => answer(draft, one, 'lost'))];
    }
    if (flight.phase === 'answered') {
      const { reply } = flight;
      if (!reply) throw new Error('An answer without a reply.');
      const moves = [move('has its answer heard', 0, (draft, one) => answer(draft, one, reply))];
      if (mayFail) moves.push(move('loses its answer', 1, (draft, one) => answer(draft, one, 'lost')));
      return moves;
    }
    const moves: Move[] = [];
    for (const { word, act } of arrivalsOf(world, flight)) {
      moves.push(
        move(word, 0, (draft, one) => {
          const reply = act(draft, one);
          if (reply) return answer(draft, one, reply);
          if (one.tab === null) return remove(draft, one);
          one.phase = 'running';
        }),
      );
      if (tab === null || !mayFail) continue;
      const instead = (how: string, reply: Reply | 'lost') =>
        moves.push(
          move(`${word}, ${how}`, 1, (draft, one) => {
            act(draft, one);
            return answer(draft, one, reply);
          }),
        );
      instead('and the answer is lost', 'lost');
      if (flight.route !== 'confirm') continue;
      instead('and a 502 comes back', { kind: 'refused', code: 'provider_error' });
      instead('and half an answer comes back', { kind: 'garbled' });
    }
    if (tab === null || !mayFail) return moves;
    moves.push(
      ...arrivalsOf(world, flight).flatMap(({ word, act }) =>
        word === 'begins an attempt'
          ? []
          : [
              move(`${word}, and the answer takes long`, 1, (draft, one) => {
                one.reply = act(draft, one);
                one.phase = 'answered';
                one.isSlow = true;
              }),
            ],
      ),
      move('never arrives', 1, (draft, one) => answer(draft, one, 'lost')),
      move('gets a 503 of a proxy', 1, (draft, one) => answer(draft, one, { kind: 'page', status: 503 })),
      move('gets a 429', 1, (draft, one) => answer(draft, one, { kind: 'refused', code: 'rate_limited' })),
    );
    if (flight.route === 'retrieve') {
      moves.push(
        move('gets a 404', 1, (draft, one) =>
          answer(draft, one, { kind: 'refused', code: 'payment_intent_not_found' }),
        ),
      );
    }
    const still = (draft: Draft, one: Flight) => {
      draft.flights.push({ ...one, tab: null });
    };
    if (flight.route !== 'retrieve') {
      moves.push(
        move('loses its connection, and may still arrive', 1, (draft, one) => {
          still(draft, one);
          return answer(draft, one, 'lost');
        }),
      );
    }
    if (flight.route === 'confirm') {
      moves.push(
        move('is delivered once more', 1, still),
        move('gets a 401', 1, (draft, one) =>
          answer(draft, one, { kind: 'refused', code: 'api_key_revoked' }),
        ),
        move('gets a 500', 1, (draft, one) =>
          answer(draft, one, { kind: 'refused', code: 'internal_error' }),
        ),
      );
    }
    return moves;
  };

  const attemptMoves = (world: World): Move[] =>
    world.intents.flatMap(({ running }, index) =>
      running === null
        ? []
        : [true, false].map((isCharged) =>
            moveOf(world, `the bank ${isCharged ? 'charges' : 'declines'} press ${running + 1}`, (draft) => {
              end(draft, index, isCharged);
              for (const flight of draft.flights) {
                if (flight.phase !== 'running' || flight.press !== running) continue;
                flight.phase = 'answered';
                flight.reply = isCharged
                  ? reading(draft, index)
                  : { kind: 'refused', code: 'payment_method_declined' };
              }
            }),
          ),
    );

  const age = (draft: Draft, ms: number): void => {
    for (const flight of draft.flights) {
      if (flight.route !== 'retrieve') flight.age = Math.min(flight.age + ms, ARRIVES_WITHIN);
    }
    draft.flights = draft.flights.filter(({ tab, age: old }) => tab !== null || old < ARRIVES_WITHIN);
  };

  const timeMoves = (world: World, mostPolls = bounds.polls): Move[] => {
    const moves: Move[] = [];
    const waits = world.tabs.map(({ state }) => table.facts(state).nextIn);
    const expiries = world.flights.map(({ tab, age: old }) => (tab === null ? ARRIVES_WITHIN - old : null));
    const next = [...waits, ...expiries].filter((ms) => ms !== null);
    const slowed = world.flights.filter(
      ({ tab, phase, isSlow }) => tab !== null && phase !== 'running' && !isSlow,
    );
    const isPatient = world.tabs.every(({ state }) => table.facts(state).polls < mostPolls);
    if (isPatient && next.length > 0 && slowed.length <= world.left.faults) {
      const ms = Math.min(...next);
      moves.push(
        moveOf(
          world,
          `${ms / 1000} s pass${slowed.length > 0 ? ' while requests are on their way' : ''}`,
          async (draft) => {
            draft.left.faults -= slowed.length;
            for (const flight of draft.flights)
              flight.isSlow ||= flight.tab !== null && flight.phase !== 'running';
            age(draft, ms);
            for (const index of draft.tabs.keys()) await give(draft, index, { do: 'pass', ms });
          },
        ),
      );
    }
    if (world.left.sleeps > 0) {
      for (const ms of SLEEPS) {
        moves.push(
          moveOf(world, `the computer sleeps for ${ms / 1000} s`, async (draft) => {
            draft.left.sleeps -= 1;
            for (const flight of draft.flights) flight.isSlow = true;
            age(draft, ms);
            for (const index of draft.tabs.keys()) await give(draft, index, { do: 'sleep', ms });
          }),
        );
      }
    }
    return moves;
  };

  const press = (world: World, index: number, amount: number): Move =>
    moveOf(world, `${nameOf(index)}: Pay is pressed`, (draft) => {
      draft.left.presses -= 1;
      draft.presses.push({
        tab: index,
        amount,
        stage: 'waiting',
        question: null,
        word: null,
        fate: 'open',
        wasDenied: false,
        answered: 'not',
        isLate: false,
      });
      return give(draft, index, { do: 'press' });
    });

  const simple = (
    world: World,
    index: number,
    what: 'retry' | 'refresh' | 'restore' | 'hide' | 'show' | 'go_offline' | 'go_online',
    label: string,
    cost: number,
  ): Move =>
    moveOf(world, `${nameOf(index)}: ${label}`, (draft) => {
      draft.left.disturbances -= cost;
      return give(draft, index, { do: what });
    });

  const buyerMoves = (world: World, index: number): Move[] => {
    const { pays, payableIn, offersRetry, isHidden, isOffline, status } = table.facts(
      at(world.tabs, index).state,
    );
    const moves: Move[] = [];
    if (isHidden) return [simple(world, index, 'show', 'the page is shown again', 0)];
    if (isOffline) return [simple(world, index, 'go_online', 'the page is online again', 0)];
    if (pays && payableIn === 0 && world.left.presses > 0) moves.push(press(world, index, pays.amount));
    if (offersRetry) moves.push(simple(world, index, 'retry', 'the buyer asks to try again', 0));
    if (world.left.disturbances === 0 || status === 'destroyed') return moves;
    moves.push(
      simple(world, index, 'refresh', 'the page calls refresh()', 1),
      simple(world, index, 'restore', 'the page comes back from the back/forward cache', 1),
      simple(world, index, 'hide', 'the page is hidden', 1),
      simple(world, index, 'go_offline', 'the page goes offline', 1),
      moveOf(world, `${nameOf(index)}: the page is reloaded`, async (draft) => {
        draft.left.disturbances -= 1;
        await give(draft, index, { do: 'close' });
        for (const problem of table.facts(at(draft.tabs, index).state).broken) draft.broken.add(problem);
        for (const flight of flightsOf(draft, index)) abandon(draft, flight);
        for (const one of draft.presses) if (one.tab === index) one.tab = null;
        await open(draft, index, draft.intents.length - 1);
      }),
    );
    return moves;
  };

  /** Answers of pages to questions about presses, also to some that the form has given up. */
  const pageMoves = (world: World): Move[] =>
    world.presses.flatMap(({ tab, question }, index) =>
      tab === null || question === null
        ? []
        : (['yes', 'no', 'failed'] as const).map((word) =>
            moveOf(world, `${nameOf(tab)}: beforePay of press ${index + 1}: ${word}`, (draft) => {
              const pressed = at(draft.presses, index);
              pressed.question = null;
              pressed.word = word;
              return give(draft, tab, { do: 'page_says', question, word });
            }),
          ),
    );

  const merchantMoves = (world: World): Move[] => {
    if (world.left.disturbances === 0) return [];
    const index = world.intents.length - 1;
    const intent = at(world.intents, index);
    const moves: Move[] = [];
    if (intent.status !== 'succeeded' && intent.status !== 'canceled') {
      moves.push(
        moveOf(world, 'the merchant cancels', (draft) => {
          draft.left.disturbances -= 1;
          if (intent.running !== null) at(draft.presses, intent.running).fate = 'failed';
          setIntent(draft, index, cancel(intent));
          for (const flight of draft.flights) {
            if (flight.phase !== 'running' || flight.intent !== index) continue;
            flight.phase = 'answered';
            flight.reply = reading(draft, index);
          }
        }),
      );
    }
    if (intent.status === 'pending' && intent.amount === AMOUNT) {
      moves.push(
        moveOf(world, 'the merchant raises the amount', (draft) => {
          draft.left.disturbances -= 1;
          setIntent(draft, index, { ...intent, amount: OTHER_AMOUNT });
        }),
      );
    }
    return moves;
  };

  return {
    async initial() {
      const draft: Draft = {
        tabs: [],
        flights: [],
        intents: [newIntent(AMOUNT)],
        presses: [],
        charges: 0,
        left: {
          presses: bounds.presses,
          faults: bounds.faults,
          disturbances: bounds.disturbances,
          sleeps: bounds.sleeps,
        },
        broken: new Set(),
        log: [],
        given: [],
        queue: [],
      };
      for (let index = 0; index < bounds.tabs; index += 1) await open(draft, index, 0);
      return done(draft);
    },
    moves: async (world) => [
      ...world.flights.flatMap((_, index) => flightMoves(world, index)),
      ...attemptMoves(world),
      ...world.tabs.flatMap((_, index) => buyerMoves(world, index)),
      ...pageMoves(world),
      ...merchantMoves(world),
      ...timeMoves(world),
    ],
    calmMove(world) {
      const hidden = world.tabs.findIndex(({ state }) => table.facts(state).isHidden);
      if (hidden >= 0) return simple(world, hidden, 'show', 'the page is shown again', 0);
      const offline = world.tabs.findIndex(({ state }) => table.facts(state).isOffline);
      if (offline >= 0) return simple(world, offline, 'go_online', 'the page is online again', 0);
      const [word] = pageMoves(world);
      if (word) return word;
      const [bank] = attemptMoves(world);
      if (bank) return bank;
      const flight = world.flights.findIndex(({ phase }) => phase !== 'running');
      const [prompt] = flight < 0 ? [] : flightMoves(world, flight);
      if (prompt) return prompt;
      const [pass] = timeMoves({ ...world, left: { ...world.left, sleeps: 0 } }, Number.POSITIVE_INFINITY);
      if (pass) return pass;
      const again = world.tabs.findIndex(({ state }) => table.facts(state).offersRetry);
      return again < 0 ? null : simple(world, again, 'retry', 'the buyer asks to try again', 0);
    },
    isUntold: ({ intents }) =>
      bounds.told === 'nothing' &&
      intents.some(
        ({ status, attempts, running, hasFailed }) =>
          status === 'pending' && attempts > 0 && running === null && !hasFailed,
      ),
  };
};

/** Without the presses that nothing can come of any more, so that states that differ in them are one. */
const pruned = ({ presses, flights, intents }: Draft): Pick<World, 'presses' | 'flights' | 'intents'> => {
  const used = new Set([
    ...flights.map(({ press }) => press),
    ...intents.map(({ running }) => running ?? -1),
    ...presses.flatMap(({ tab, fate, stage, question }, index) =>
      tab !== null && (fate === 'charged' || stage === 'waiting' || question !== null) ? [index] : [],
    ),
  ]);
  const kept = [...presses.keys()].filter((index) => used.has(index));
  if (kept.length === presses.length) return { presses, flights, intents };
  const renamed = new Map(kept.map((old, index) => [old, index]));
  const rename = (press: number) => renamed.get(press) ?? -1;
  return {
    presses: kept.map((index) => at(presses, index)),
    flights: flights.map((flight) => ({ ...flight, press: rename(flight.press) })),
    intents: intents.map((intent) => ({
      ...intent,
      running: intent.running === null ? null : rename(intent.running),
    })),
  };
};

/** The same for worlds that differ only in which tab is the first. */
export const keyOf = (world: World, withBudget = true): string => {
  const one = encoded(world, [0, 1], withBudget);
  if (world.tabs.length < 2) return one;
  const other = encoded(world, [1, 0], withBudget);
  return one < other ? one : other;
};

const encoded = (
  { tabs, flights, intents, presses, charges, left }: World,
  order: readonly number[],
  withBudget: boolean,
) => {
  const place = (tab: number | null) => (tab === null ? 9 : order.indexOf(tab));
  const sorted = [...presses.keys()].sort(
    (a, b) => place(presses[a]?.tab ?? null) - place(presses[b]?.tab ?? null) || a - b,
  );
  const numberOf = (press: number | null) => (press === null ? '' : sorted.indexOf(press));
  const requests = flights
    .map((flight, index) => ({ flight, rank: place(flight.tab) * 100 + (flight.tab === null ? 0 : index) }))
    .sort((a, b) => a.rank - b.rank || a.flight.age - b.flight.age || a.flight.press - b.flight.press);
  return [
    ...order
      .flatMap((index) => tabs[index] ?? [])
      .map(
        ({ state, intent, isToldRunning, declines }) =>
          `${state}.${intent}${isToldRunning ? 'r' : ''}${declines}`,
      ),
    '|',
    ...requests.map(
      ({ flight: { tab, route, intent, press, phase, reply, isSlow, age } }) =>
        `${place(tab)}${route[2]}${intent}${numberOf(press)}${phase[0]}${isSlow ? 's' : ''}${age}${reply ? JSON.stringify(reply) : ''}`,
    ),
    '|',
    ...intents.map(
      ({ status, amount, attempts, running, hasFailed }) =>
        `${status[0]}${status[1]}${amount}.${attempts}${numberOf(running)}${hasFailed ? 'f' : ''}`,
    ),
    '|',
    ...sorted.map((index) => {
      const { tab, amount, stage, question, word, fate, wasDenied, answered, isLate } = at(presses, index);
      return `${place(tab)}${fate[0]}${fate[1]}${amount}${stage[0]}${question ?? ''}${word?.[0] ?? ''}${wasDenied ? 'd' : ''}${answered[0]}${isLate ? 'l' : ''}`;
    }),
    charges,
    ...(withBudget ? [left.presses, left.faults, left.disturbances, left.sleeps] : []),
  ].join(' ');
};
