/**
 * Possible next moves of the network, the bank and time. Time moves to the next moment at which something can change.
 */
import { moveOf } from './move.ts';
import { answer, arrivalsOf, end, reading } from './requests.ts';
import type { Reply } from './service.ts';
import { give } from './tabs.ts';
import {
  ARRIVES_WITHIN,
  at,
  type Draft,
  type Flight,
  type Model,
  type ModelWorld,
  type Move,
  nameOf,
  removeFlight,
} from './world.ts';

const SLEEPS = [6000, 21_000] as const;

export const flightMoves = (model: Model, world: ModelWorld, index: number): Move[] => {
  const flight = at(world.flights, index);
  const who = `${nameOf(flight.tab)}: ${flight.route}${flight.press < 0 ? '' : ` of press ${flight.press + 1}`}`;
  const move = (
    word: string,
    cost: number,
    change: (draft: Draft, flight: Flight) => Promise<void> | void,
  ): Move =>
    moveOf(model, world, `${who} ${word}`, (draft) => {
      draft.left.faults -= cost;
      return change(draft, at(draft.flights, index));
    });
  const mayFail = world.left.faults > 0;
  const { tab } = flight;
  if (flight.phase === 'running') return []; // until the attempt ends
  if (tab !== null && model.table.facts(at(world.tabs, tab).state).isOffline) {
    return [move('fails, since the page is offline', 0, (draft, one) => answer(model, draft, one, 'lost'))];
  }
  if (flight.phase === 'answered') {
    const { reply } = flight;
    if (!reply) throw new Error('An answer without a reply.');
    const moves = [move('gets its answer', 0, (draft, one) => answer(model, draft, one, reply))];
    if (mayFail) moves.push(move('loses its answer', 1, (draft, one) => answer(model, draft, one, 'lost')));
    return moves;
  }
  const moves: Move[] = [];
  for (const { word, act } of arrivalsOf(model, world, flight)) {
    moves.push(
      move(word, 0, (draft, one) => {
        const reply = act(draft, one);
        if (reply) return answer(model, draft, one, reply);
        if (one.tab === null) return removeFlight(draft, one);
        one.phase = 'running';
      }),
    );
    if (tab === null || !mayFail) continue;
    const instead = (how: string, reply: Reply | 'lost') =>
      moves.push(
        move(`${word}, ${how}`, 1, (draft, one) => {
          act(draft, one);
          return answer(model, draft, one, reply);
        }),
      );
    instead('and the answer is lost', 'lost');
    if (flight.route !== 'confirm') continue;
    instead('and a 502 comes back', { kind: 'refused', code: 'provider_error' });
    instead('and half an answer comes back', { kind: 'garbled' });
  }
  if (tab === null || !mayFail) return moves;
  moves.push(
    ...arrivalsOf(model, world, flight).flatMap(({ word, act }) =>
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
    move('never arrives', 1, (draft, one) => answer(model, draft, one, 'lost')),
    move('gets a 503 of a proxy', 1, (draft, one) =>
      answer(model, draft, one, { kind: 'page', status: 503 }),
    ),
    move('gets a 429', 1, (draft, one) =>
      answer(model, draft, one, { kind: 'refused', code: 'rate_limited' }),
    ),
  );
  if (flight.route === 'retrieve') {
    moves.push(
      move('gets a 404', 1, (draft, one) =>
        answer(model, draft, one, { kind: 'refused', code: 'payment_intent_not_found' }),
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
        return answer(model, draft, one, 'lost');
      }),
    );
  }
  if (flight.route === 'confirm') {
    moves.push(
      move('is delivered once more', 1, still),
      move('gets a 401', 1, (draft, one) =>
        answer(model, draft, one, { kind: 'refused', code: 'api_key_revoked' }),
      ),
      move('gets a 500', 1, (draft, one) =>
        answer(model, draft, one, { kind: 'refused', code: 'internal_error' }),
      ),
    );
  }
  return moves;
};

export const attemptMoves = (model: Model, world: ModelWorld): Move[] =>
  world.intents.flatMap(({ running }, index) =>
    running === null
      ? []
      : [true, false].map((isCharged) =>
          moveOf(
            model,
            world,
            `the bank ${isCharged ? 'charges' : 'declines'} press ${running + 1}`,
            (draft) => {
              end(model, draft, index, isCharged);
              for (const flight of draft.flights) {
                if (flight.phase !== 'running' || flight.press !== running) continue;
                flight.phase = 'answered';
                flight.reply = isCharged
                  ? reading(model, draft, index)
                  : { kind: 'refused', code: 'payment_method_declined' };
              }
            },
          ),
        ),
  );

/** No request of a tab is answered until its form gives up. */
export const outageMoves = (model: Model, world: ModelWorld): Move[] =>
  world.left.outages === 0
    ? []
    : [...world.tabs.keys()]
        .filter((index) => world.flights.some(({ tab, route }) => tab === index && route === 'retrieve'))
        .map((index) =>
          moveOf(model, world, `${nameOf(index)}: nothing is answered until it gives up`, async (draft) => {
            draft.left.outages -= 1;
            for (;;) {
              const { pays, offersRetry, nextIn } = model.table.facts(at(draft.tabs, index).state);
              const flight = draft.flights.find(({ tab, phase }) => tab === index && phase !== 'running');
              if (flight) await answer(model, draft, flight, 'lost');
              else if (pays || offersRetry || nextIn === null) return;
              else await pass(model, draft, nextIn);
            }
          }),
        );

const pass = async (model: Model, draft: Draft, ms: number): Promise<void> => {
  age(draft, ms);
  for (const index of draft.tabs.keys()) await give(model, draft, index, { do: 'pass', ms });
};

const age = (draft: Draft, ms: number): void => {
  for (const flight of draft.flights) {
    if (flight.route !== 'retrieve') flight.age = Math.min(flight.age + ms, ARRIVES_WITHIN);
  }
  draft.flights = draft.flights.filter(({ tab, age: old }) => tab !== null || old < ARRIVES_WITHIN);
};

export const timeMoves = (model: Model, world: ModelWorld, mostPolls = model.bounds.polls): Move[] => {
  const moves: Move[] = [];
  const waits = world.tabs.map(({ state }) => model.table.facts(state).nextIn);
  const expiries = world.flights.map(({ tab, age: old }) => (tab === null ? ARRIVES_WITHIN - old : null));
  const next = [...waits, ...expiries].filter((ms) => ms !== null);
  const slowed = world.flights.filter(
    ({ tab, phase, isSlow }) => tab !== null && phase !== 'running' && !isSlow,
  );
  const isPatient = world.tabs.every(({ state }) => model.table.facts(state).polls < mostPolls);
  if (isPatient && next.length > 0 && slowed.length <= world.left.faults) {
    const ms = Math.min(...next);
    moves.push(
      moveOf(
        model,
        world,
        `${ms / 1000} s pass${slowed.length > 0 ? ' while requests are on their way' : ''}`,
        async (draft) => {
          draft.left.faults -= slowed.length;
          for (const flight of draft.flights)
            flight.isSlow ||= flight.tab !== null && flight.phase !== 'running';
          await pass(model, draft, ms);
        },
      ),
    );
  }
  if (world.left.sleeps > 0) {
    for (const ms of SLEEPS) {
      moves.push(
        moveOf(model, world, `the computer sleeps for ${ms / 1000} s`, async (draft) => {
          draft.left.sleeps -= 1;
          for (const flight of draft.flights) flight.isSlow = true;
          age(draft, ms);
          for (const index of draft.tabs.keys()) await give(model, draft, index, { do: 'sleep', ms });
        }),
      );
    }
  }
  return moves;
};
