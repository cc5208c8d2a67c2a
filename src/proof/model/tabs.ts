/** Feeds inputs to the model's tabs and applies their outputs. */

import { idOf, newIntent, secretOf } from './service.ts';
import type { TabInput, TabOutput } from './tab-exchange.ts';
import { hear } from './told.ts';
import {
  abandon,
  at,
  type Draft,
  flightsOf,
  isOver,
  latestOf,
  type Model,
  type Moved,
  nameOf,
  pruned,
} from './world.ts';

/** The result of a move, once the tabs have received all pending inputs. */
export const settled = async (model: Model, draft: Draft): Promise<Moved> => {
  for (let next = draft.queue.shift(); next; next = draft.queue.shift()) {
    await give(model, draft, next.tab, next.input);
  }
  for (const [index, { state, isToldRunning, isUnread }] of draft.tabs.entries()) {
    const { status, asked, pays, broken } = model.table.facts(state);
    if (isUnread && pays) draft.broken.add('promises 1.15: back from parking, Pay is offered without a read');
    const isSending = status === 'confirming' || status === 'asking_page';
    for (const press of draft.presses) {
      if (press.tab === index && press.stage === 'waiting' && !isSending) press.stage = 'over';
      const isTried = press.fate === 'running' || press.fate === 'charged';
      if (asked === 'pending' && press.tab === index && isTried && !press.isLate)
        draft.broken.add(`outcomes 2.6: would say pending of a press that is ${press.fate}`);
    }
    for (const problem of broken) draft.broken.add(problem);
    if (status === 'ready' && isToldRunning) {
      draft.broken.add(`${nameOf(index)} offers Pay although the service reported a running attempt`);
    }
  }
  const { tabs, charges, left, broken, log, given } = draft;
  return { world: { tabs, charges, left, ...pruned(draft) }, broken: [...broken], log, given };
};

export const give = async (model: Model, draft: Draft, index: number, input: TabInput): Promise<void> => {
  const tab = at(draft.tabs, index);
  if (input.do === 'secret' && input.intent !== null) {
    tab.intent = input.intent;
    tab.deniedAt = null; // of the intent before
  }
  const key = JSON.stringify(input);
  const step = model.table.known(tab.state, key) ?? (await model.table.step(tab.state, key, input));
  tab.state = step.to;
  draft.given.push({ tab: index, input, outputs: step.outputs });
  for (const output of step.outputs) react(model, draft, index, output);
  for (let next = draft.queue.shift(); next; next = draft.queue.shift())
    await give(model, draft, next.tab, next.input);
};

export const openTabOn = async (model: Model, draft: Draft, index: number, intent: number): Promise<void> => {
  const { to, outputs } = await model.table.open(intent);
  draft.tabs[index] = {
    state: to,
    intent,
    isToldRunning: false,
    declines: 0,
    isUnread: false,
    deniedAt: null,
  };
  draft.given.push({ tab: index, input: { do: 'open', intent }, outputs });
  for (const output of outputs) react(model, draft, index, output);
};

const react = (model: Model, draft: Draft, index: number, output: TabOutput): void => {
  const tab = at(draft.tabs, index);
  if (model.table.facts(tab.state).isParked)
    draft.broken.add(`threat-model C85: parked, and it does: ${output.did}`);
  switch (output.did) {
    case 'send': {
      const intent = draft.intents.findIndex((_, one) => secretOf(one) === output.intent);
      const press = output.route === 'confirm' ? sendPress(model, draft, index, intent, output.amount) : -1;
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
        (other, one) =>
          one === index || other.intent !== tab.intent || !model.table.facts(other.state).holdsLock,
      );
      const press = draft.presses.findLast((one) => one.tab === index && one.stage === 'waiting');
      if (press && !isFree) press.stage = 'over';
      draft.log.push(`${nameOf(index)} ${isFree ? 'gets the lock' : 'finds the lock taken'}`);
      draft.queue.push({ tab: index, input: { do: 'lock', isFree } });
      return;
    }
    case 'free_lock':
      for (const [one, other] of draft.tabs.entries()) {
        if (one !== index && model.table.facts(other.state).isWaitingForLock) {
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
      if (!isOver(model, over))
        draft.broken.add('outcomes G4: requested another intent although this one may be paid');
      if (tab.intent === draft.intents.length - 1 && draft.intents.length < model.bounds.intents) {
        draft.intents.push(newIntent(over.amount));
      }
      const latest = draft.intents.length - 1;
      const intent = latest === tab.intent ? null : latest;
      draft.log.push(`${nameOf(index)} requests another intent`);
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
    case 'swap':
      draft.log.push(`${nameOf(index)} ${output.isDone ? 'has another intent' : 'keeps its intent'}`);
      if (output.isDone) takeOther(draft, index, output.intent);
      return;
    case 'say':
      hear(model, draft, index, output.message);
      return;
    default:
      output satisfies never;
  }
};

/** The form now has another intent: no press on the previous one may be charged any more. */
const takeOther = (draft: Draft, index: number, intent: number): void => {
  const tab = at(draft.tabs, index);
  if (tab.intent !== intent) tab.deniedAt = null;
  tab.intent = intent;
  for (const [number, press] of draft.presses.entries()) {
    if (press.tab !== index || press.intent === intent || press.isLate) continue;
    const mayArrive = draft.flights.some(
      ({ press: one, phase, age }) => one === number && phase === 'sent' && age < latestOf[press.answered],
    );
    if (mayArrive || press.fate === 'running' || press.fate === 'charged')
      draft.broken.add(`promises 1.6: another intent in the form, though a press may charge: ${press.fate}`);
  }
};

const sendPress = (
  model: Model,
  draft: Draft,
  index: number,
  intent: number,
  amount: number | null,
): number => {
  const number = draft.presses.findLastIndex(({ tab, stage }) => tab === index && stage === 'waiting');
  const press = draft.presses[number];
  if (!press) {
    draft.broken.add('outcomes I2: a confirm without a press');
    return -1;
  }
  press.stage = 'sent';
  if (model.bounds.beforePay && press.word !== 'yes') {
    draft.broken.add('promises 1.10: a confirm that the page did not allow');
  }
  if (press.amount !== amount) {
    draft.broken.add('outcomes I5: a confirm with another amount than the button showed');
  }
  if (press.intent !== intent) {
    draft.broken.add('promises 1.6: a press made for one intent pays another');
  }
  const isTurnTaken = draft.tabs.some(
    (other, one) => one !== index && other.intent === intent && model.table.facts(other.state).isPaying,
  );
  if (model.bounds.locks && isTurnTaken) {
    draft.broken.add('outcomes 2.7: a confirm while a press of another tab is under way');
  }
  return number;
};
