/** Messages that a page of the model gets, and those it must never get (outcomes I3 to I5, G4). */
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { CardFormError } from '../../form/channel/result.ts';
import { idOf } from './service.ts';
import { at, type Draft, isOver, type Model, nameOf } from './world.ts';

export const hear = (model: Model, draft: Draft, index: number, message: FrameMessage): void => {
  const tab = at(draft.tabs, index);
  // The page hears the result of a swap before `update()` is answered.
  const named =
    message.type === 'result' && 'paymentIntent' in message.result ? message.result.paymentIntent?.id : null;
  const other = draft.intents.findIndex((_, one) => idOf(one) === named);
  if (other >= 0) tab.intent = other;
  const truth = at(draft.intents, tab.intent);
  switch (message.type) {
    case 'decline': {
      draft.log.push(`${nameOf(index)} reports to its page: decline, charged ${message.error.charged}`);
      tab.declines += 1;
      const failed = draft.intents.reduce(
        (sum, { attempts, running, status }) =>
          sum + attempts - (running !== null || status === 'succeeded' ? 1 : 0),
        0,
      );
      if (tab.declines > failed) draft.broken.add('reported more declines than failed attempts');
      hearCharged(draft, index, message.error);
      return;
    }
    case 'error': {
      const { code, charged } = message.error;
      draft.log.push(`${nameOf(index)} reports to its page: error ${code}, charged ${charged}`);
      if (message.error.recovery === 'new_payment' && !isOver(model, truth)) {
        draft.broken.add('outcomes G4: called an intent over that may be paid or is');
      }
      hearCharged(draft, index, message.error);
      return;
    }
    case 'result': {
      const { result } = message;
      draft.log.push(`${nameOf(index)} reports to its page: ${result.outcome}`);
      if (result.outcome === 'succeeded') {
        if (truth.status !== 'succeeded') draft.broken.add('outcomes I3: said succeeded, and it is not');
        if (result.paymentIntent.amount_total !== truth.amount) {
          draft.broken.add('outcomes I5: said another amount than was charged');
        }
      }
      if (result.outcome === 'canceled' && truth.status !== 'canceled') {
        draft.broken.add('said canceled, and it is not');
      }
      if (result.outcome === 'unknown' && tab.deniedAt === truth.attempts) {
        draft.broken.add('outcomes 2.4: said unknown after charged: no, and nothing was tried in between');
      }
      if (result.outcome !== 'failed') return;
      if (result.error.recovery === 'new_payment' && !isOver(model, truth)) {
        draft.broken.add('outcomes G4: called an intent over that may be paid or is');
      }
      hearCharged(draft, index, result.error);
      return;
    }
    case 'processing':
      draft.log.push(`${nameOf(index)} reports to its page: processing`);
  }
};

const hearCharged = (draft: Draft, index: number, { charged, code }: CardFormError): void => {
  const tab = at(draft.tabs, index);
  const { intent, isToldRunning } = tab;
  if (charged === 'yes' && at(draft.intents, intent).status !== 'succeeded') {
    draft.broken.add('outcomes I3: said charged: yes, and it is not');
  }
  tab.deniedAt = charged === 'no' ? at(draft.intents, intent).attempts : null;
  if (charged !== 'no') return;
  if (isToldRunning)
    draft.broken.add(`said charged: no (${code}), although the service reported a running attempt`);
  for (const press of draft.presses) {
    if (press.tab !== index || press.isLate) continue;
    if (press.fate === 'running' || press.fate === 'charged') {
      draft.broken.add(`outcomes I4: said charged: no (${code}) about a press that is ${press.fate}`);
    }
    press.wasDenied = true;
  }
};
