/** The fate of the model's requests: at the service, and on the way back. */
import { beginAttempt, endAttempt, type Reply, readingOf, refusalOf, releaseAttempt } from './service.ts';
import { give } from './tabs.ts';
import {
  at,
  type Draft,
  type Flight,
  flightsOf,
  latestOf,
  type Model,
  type ModelTab,
  type ModelWorld,
  removeFlight,
  setIntent,
} from './world.ts';

/** Refusals that don't say what another delivery of the same confirm has done. */
const INCONCLUSIVE: ReadonlySet<string> = new Set([
  'provider_error',
  'internal_error',
  'payment_intent_not_pending',
  'rate_limited',
  'api_key_revoked',
]);

const begin = (draft: Draft, flight: Flight): void => {
  setIntent(draft, flight.intent, beginAttempt(at(draft.intents, flight.intent), flight.press));
  const press = at(draft.presses, flight.press);
  press.fate = 'running';
  if (flight.age >= latestOf[press.answered]) press.isLate = true;
};

export const end = (model: Model, draft: Draft, index: number, isCharged: boolean): void => {
  const intent = at(draft.intents, index);
  if (intent.running === null) throw new Error('No attempt runs.');
  const press = at(draft.presses, intent.running);
  press.fate = isCharged ? 'charged' : 'failed';
  setIntent(draft, index, endAttempt(intent, isCharged, model.bounds.holds));
  if (!isCharged) return;
  draft.charges += 1;
  if (draft.charges > 1) draft.broken.add('charged twice');
  if (press.amount !== intent.amount)
    draft.broken.add('outcomes I5: charged another amount than the button showed');
  if (press.wasDenied && !press.isLate) {
    draft.broken.add('outcomes I4: charged a press after its page received charged: no');
  }
};

export const reading = (model: Model, draft: Draft, index: number): Reply => ({
  kind: 'intent',
  reading: readingOf(at(draft.intents, index), index, model.bounds.attempts, model.bounds.told),
});

type Arrival = { word: string; act(draft: Draft, flight: Flight): Reply | null };

/** The possible results of a request that reaches the service. */
export const arrivalsOf = (model: Model, world: ModelWorld, flight: Flight): Arrival[] => {
  if (flight.route === 'retrieve') {
    return [{ word: 'is answered', act: (draft, { intent }) => reading(model, draft, intent) }];
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
          setIntent(draft, index, releaseAttempt(intent));
          return reading(model, draft, index);
        },
      },
    ];
  }
  const intent = at(world.intents, flight.intent);
  const code = refusalOf(intent, at(world.presses, flight.press).amount, model.bounds.attempts);
  if (code) return [{ word: `gets ${code}`, act: () => ({ kind: 'refused', code }) }];
  const decided = (isCharged: boolean): Arrival => ({
    word: isCharged ? 'is charged' : 'is declined',
    act(draft, one) {
      begin(draft, one);
      end(model, draft, one.intent, isCharged);
      return isCharged
        ? reading(model, draft, one.intent)
        : { kind: 'refused', code: 'payment_method_declined' };
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
        return reading(model, draft, one.intent);
      },
    },
  ];
  return [
    ...(model.bounds.confirms === 'running' ? [] : [decided(true), decided(false)]),
    ...(model.bounds.confirms === 'atomic' ? [] : running),
  ];
};

export const answer = async (
  model: Model,
  draft: Draft,
  flight: Flight,
  reply: Reply | 'lost',
): Promise<void> => {
  const { tab } = flight;
  if (tab === null) return removeFlight(draft, flight);
  const request = flightsOf(draft, tab).indexOf(flight);
  removeFlight(draft, flight);
  if (reply === 'lost') return give(model, draft, tab, { do: 'fail', request });
  noteAnswer(draft, at(draft.tabs, tab), flight, reply);
  return give(model, draft, tab, { do: 'answer', request, reply });
};

const noteAnswer = (draft: Draft, tab: ModelTab, { route, press }: Flight, reply: Reply): void => {
  if (route === 'retrieve') tab.isUnread = false;
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
