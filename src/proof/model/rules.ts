/** The moves possible in a world of the model, and its course if nothing more goes wrong. */
import type { ModelBounds } from './bounds.ts';
import { attemptMoves, flightMoves, outageMoves, timeMoves } from './network-moves.ts';
import { AMOUNT, buyerMoves, comeBack, merchantMoves, pageMoves, simpleMove } from './people-moves.ts';
import { newIntent } from './service.ts';
import type { TabTable } from './tab-table.ts';
import { openTabOn, settled } from './tabs.ts';
import type { Draft, Model, ModelWorld, Move, Moved } from './world.ts';

export type Rules = {
  initial(): Promise<Moved>;
  moves(world: ModelWorld): Promise<Move[]>;
  /** The next move if nothing more goes wrong; null if nothing is left to happen. */
  calmMove(world: ModelWorld): Move | null;
  /** True if no read can tell how an attempt ended, so the form can only offer "Check status" (contract 4.6). */
  isUntold(world: ModelWorld): boolean;
};

export const createRules = (bounds: ModelBounds, table: TabTable): Rules => {
  const model: Model = { bounds, table };
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
          outages: bounds.outages,
        },
        broken: new Set(),
        log: [],
        given: [],
        queue: [],
      };
      for (let index = 0; index < bounds.tabs; index += 1) await openTabOn(model, draft, index, 0);
      return settled(model, draft);
    },
    moves: async (world) => [
      ...world.flights.flatMap((_, index) => flightMoves(model, world, index)),
      ...attemptMoves(model, world),
      ...world.tabs.flatMap((_, index) => buyerMoves(model, world, index)),
      ...pageMoves(model, world),
      ...merchantMoves(model, world),
      ...timeMoves(model, world),
      ...outageMoves(model, world),
    ],
    calmMove(world) {
      const hidden = world.tabs.findIndex(({ state }) => table.facts(state).isHidden);
      if (hidden >= 0) return simpleMove(model, world, hidden, 'show', 'the page is shown again', 0);
      const offline = world.tabs.findIndex(({ state }) => table.facts(state).isOffline);
      if (offline >= 0) return simpleMove(model, world, offline, 'go_online', 'the page is online again', 0);
      const parked = world.tabs.findIndex(({ state }) => table.facts(state).isParked);
      if (parked >= 0) return comeBack(model, world, parked);
      const [word] = pageMoves(model, world);
      if (word) return word;
      const [bank] = attemptMoves(model, world);
      if (bank) return bank;
      const flight = world.flights.findIndex(({ phase }) => phase !== 'running');
      const [prompt] = flight < 0 ? [] : flightMoves(model, world, flight);
      if (prompt) return prompt;
      const [pass] = timeMoves(
        model,
        { ...world, left: { ...world.left, sleeps: 0 } },
        Number.POSITIVE_INFINITY,
      );
      if (pass) return pass;
      const again = world.tabs.findIndex(({ state }) => table.facts(state).offersRetry);
      return again < 0 ? null : simpleMove(model, world, again, 'retry', 'the buyer asks to try again', 0);
    },
    isUntold: ({ intents }) =>
      bounds.told === 'nothing' &&
      intents.some(
        ({ status, attempts, running, hasFailed }) =>
          status === 'pending' && attempts > 0 && running === null && !hasFailed,
      ),
  };
};
