/** Possible next moves of buyers, their pages and the merchant. */
import { moveOf } from './move.ts';
import { reading } from './requests.ts';
import { cancelIntent, newIntent } from './service.ts';
import type { PlainInput } from './tab-exchange.ts';
import { give, openTabOn } from './tabs.ts';
import {
  abandon,
  at,
  type Draft,
  flightsOf,
  type Model,
  type ModelWorld,
  type Move,
  nameOf,
  setIntent,
} from './world.ts';

/** The price of an order, in minor units, and the price the merchant may raise it to. */
export const AMOUNT = 5000;
const OTHER_AMOUNT = 6000;

const pressMove = (model: Model, world: ModelWorld, index: number, amount: number): Move =>
  moveOf(model, world, `${nameOf(index)}: Pay is pressed`, (draft) => {
    draft.left.presses -= 1;
    draft.presses.push({
      tab: index,
      intent: at(draft.tabs, index).intent,
      amount,
      stage: 'waiting',
      question: null,
      word: null,
      fate: 'open',
      wasDenied: false,
      answered: 'not',
      isLate: false,
    });
    return give(model, draft, index, { do: 'press' });
  });

export const simpleMove = (
  model: Model,
  world: ModelWorld,
  index: number,
  what: PlainInput,
  label: string,
  cost: number,
): Move =>
  moveOf(model, world, `${nameOf(index)}: ${label}`, (draft) => {
    draft.left.disturbances -= cost;
    return give(model, draft, index, { do: what });
  });

export const buyerMoves = (model: Model, world: ModelWorld, index: number): Move[] => {
  const { pays, payableIn, offersRetry, isHidden, isOffline, isParked, canPark, status } = model.table.facts(
    at(world.tabs, index).state,
  );
  const moves: Move[] = [];
  if (isHidden) return [simpleMove(model, world, index, 'show', 'the page is shown again', 0)];
  if (isOffline) moves.push(simpleMove(model, world, index, 'go_online', 'the page is online again', 0));
  if (isParked) moves.push(comeBack(model, world, index));
  if (pays && payableIn === 0 && world.left.presses > 0)
    moves.push(pressMove(model, world, index, pays.amount));
  if (offersRetry) moves.push(simpleMove(model, world, index, 'retry', 'the buyer asks to try again', 0));
  if (isOffline || world.left.disturbances === 0 || status === 'destroyed') return moves;
  moves.push(
    simpleMove(model, world, index, 'refresh', 'the page calls refresh()', 1),
    simpleMove(model, world, index, 'restore', 'the page comes back from the back/forward cache', 1),
    simpleMove(model, world, index, 'hide', 'the page is hidden', 1),
    simpleMove(model, world, index, 'go_offline', 'the page goes offline', 1),
    moveOf(model, world, `${nameOf(index)}: the page is reloaded`, async (draft) => {
      draft.left.disturbances -= 1;
      await give(model, draft, index, { do: 'close' });
      for (const problem of model.table.facts(at(draft.tabs, index).state).broken) draft.broken.add(problem);
      for (const flight of flightsOf(draft, index)) abandon(draft, flight);
      for (const one of draft.presses) if (one.tab === index) one.tab = null;
      await openTabOn(model, draft, index, draft.intents.length - 1);
    }),
  );
  if (model.bounds.parks && canPark && !isParked)
    moves.push(simpleMove(model, world, index, 'park', 'the page parks the form', 1));
  if (model.bounds.swaps !== 'none') moves.push(...swapMoves(model, world, index));
  return moves;
};

/** A parked form is mounted again. */
export const comeBack = (model: Model, world: ModelWorld, index: number): Move =>
  moveOf(model, world, `${nameOf(index)}: the page mounts the parked form again`, (draft) => {
    at(draft.tabs, index).isUnread = true;
    return give(model, draft, index, { do: 'come_back' });
  });

/** The merchant's server creates another intent for the order, and the page gives it to the existing form. */
const swapMoves = (model: Model, world: ModelWorld, index: number): Move[] => {
  const { intent: known } = at(world.tabs, index);
  const isLatest = known === world.intents.length - 1;
  const isPaid = at(world.intents, known).status === 'succeeded';
  if (isLatest && world.intents.length >= model.bounds.intents) return [];
  if (isPaid && model.bounds.swaps === 'after cancel') return [];
  return [
    moveOf(model, world, `${nameOf(index)}: the page gives another intent`, (draft) => {
      draft.left.disturbances -= 1;
      if (model.bounds.swaps === 'after cancel') cancel(model, draft, known);
      if (isLatest) draft.intents.push(newIntent(AMOUNT));
      return give(model, draft, index, { do: 'swap', intent: draft.intents.length - 1 });
    }),
  ];
};

const cancel = (model: Model, draft: Draft, index: number): void => {
  const intent = at(draft.intents, index);
  if (intent.running !== null) at(draft.presses, intent.running).fate = 'failed';
  setIntent(draft, index, cancelIntent(intent));
  for (const flight of draft.flights) {
    if (flight.phase !== 'running' || flight.intent !== index) continue;
    flight.phase = 'answered';
    flight.reply = reading(model, draft, index);
  }
};

/** Pages answer questions about presses, including questions the form has given up on. */
export const pageMoves = (model: Model, world: ModelWorld): Move[] =>
  world.presses.flatMap(({ tab, question }, index) =>
    tab === null || question === null
      ? []
      : (['yes', 'no', 'failed'] as const).map((word) =>
          moveOf(model, world, `${nameOf(tab)}: beforePay of press ${index + 1}: ${word}`, (draft) => {
            const pressed = at(draft.presses, index);
            pressed.question = null;
            pressed.word = word;
            return give(model, draft, tab, { do: 'page_says', question, word });
          }),
        ),
  );

export const merchantMoves = (model: Model, world: ModelWorld): Move[] => {
  if (world.left.disturbances === 0) return [];
  const index = world.intents.length - 1;
  const intent = at(world.intents, index);
  const moves: Move[] = [];
  if (intent.status !== 'succeeded' && intent.status !== 'canceled') {
    moves.push(
      moveOf(model, world, 'the merchant cancels', (draft) => {
        draft.left.disturbances -= 1;
        cancel(model, draft, index);
      }),
    );
  }
  if (intent.status === 'pending' && intent.amount === AMOUNT) {
    moves.push(
      moveOf(model, world, 'the merchant raises the amount', (draft) => {
        draft.left.disturbances -= 1;
        setIntent(draft, index, { ...intent, amount: OTHER_AMOUNT });
      }),
    );
  }
  return moves;
};
