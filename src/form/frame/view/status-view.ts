import type { View } from './form-view.ts';
import type { Message } from './words.ts';

const LOADING: Message = { key: 'notice.loading' };

/** Every answer says whether money moved. */
const NOT_CHARGED: Message = { key: 'end.not_charged' };

/** The view of a payment of which only the status is shown: what would be a form says how far the payment is. */
export const statusView = (shown: View): Extract<View, { screen: 'outcome' }> => {
  if (shown.screen === 'outcome') return shown;
  const { action, intent, notices } = shown;
  const [notice] = notices;
  const isBusy = notice !== undefined || intent === null; // while it is read again, what was read last stays
  return {
    screen: 'outcome',
    tone: notice?.tone === 'bad' ? 'bad' : isBusy ? 'busy' : 'neutral',
    title: notice?.message ?? (isBusy ? LOADING : NOT_CHARGED),
    details: [],
    action: action.kind === 'retry' ? 'check_status' : null,
  };
};
