import type { View } from './form-view.ts';
import type { Message } from './words.ts';

const LOADING: Message = { key: 'notice.loading' };

/** Every result says whether money moved. */
const NOT_CHARGED: Message = { key: 'end.not_charged' };

/** The view if only the payment's status is shown: replaces the form with the payment's progress. */
export const statusView = (shown: View): Extract<View, { screen: 'outcome' }> => {
  if (shown.screen === 'outcome') return shown;
  const { action, intent, notices } = shown;
  const [notice] = notices;
  const isBusy = notice !== undefined || intent === null; // rereading keeps the last intent
  return {
    screen: 'outcome',
    tone: notice?.tone === 'bad' ? 'bad' : isBusy ? 'busy' : 'neutral',
    title: notice?.message ?? (isBusy ? LOADING : NOT_CHARGED),
    details: [],
    action: action.kind === 'retry' ? 'check_status' : null,
  };
};
