/**
 * What a view is, and the views that more than `view.ts` needs, which has the
 * table of all states.
 */
import type { Money } from '../../../api/money.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { Intent } from '../../payment/payment-state.ts';
import type { Message } from './words.ts';

/** What the one button does. */
export type Action =
  /** Pays exactly this total. */
  | { kind: 'pay'; total: Money }
  /** Does nothing: there is no total yet, or nothing may be sent. */
  | { kind: 'idle'; total: Money | null }
  /** Does nothing: a request is under way. */
  | { kind: 'busy'; message: Message }
  /** Reads the intent again. */
  | { kind: 'retry'; message: Message };

export type NoticeView = {
  tone: 'info' | 'bad';
  message: Message;
  /** The page's own sentence, in place of the message. */
  text?: string | undefined;
  /** What screen readers announce instead, if the text on the screen changes every second. */
  announcement?: Message;
};

export type View =
  | {
      screen: 'form';
      /** Where the total and its breakdown come from; null until it has been read. */
      intent: Intent | null;
      /** The total before it changed, until the next press. */
      previousTotal: Money | null;
      /** True during an attempt: the fields are read-only. */
      locked: boolean;
      notices: readonly NoticeView[];
      action: Action;
      /** Whether the notices are about the fields or the whole form, and stand above it. */
      noticesFirst: boolean;
      /** The field to focus after a failed attempt. */
      fieldToFix: FieldName | null;
    }
  | {
      screen: 'outcome';
      /** `busy`: the outcome is still pending. */
      tone: 'good' | 'busy' | 'neutral' | 'bad';
      title: Message;
      /** What follows the title, such as whether money moved: every end says so. */
      details: readonly Message[];
      action: 'check_status' | null;
      /** The payment that the receipt is for. */
      receipt?: Intent;
    };

type FormView = Extract<View, { screen: 'form' }>;

/** A view of the form; what is not told is as at the start. */
export const form = (view: Pick<FormView, 'intent' | 'action'> & Partial<FormView>): View => ({
  screen: 'form',
  previousTotal: null,
  locked: false,
  notices: [],
  noticesFirst: false,
  fieldToFix: null,
  ...view,
});

export const FIRST_VIEW: View = form({ intent: null, action: { kind: 'idle', total: null } });

/** The view of a total that was put on the button before there was a form (`session/payment.ts`). */
export const offeredView = (total: Money): View => form({ intent: null, action: { kind: 'pay', total } });

export const OFFLINE: NoticeView = { tone: 'bad', message: { key: 'notice.offline' } };

export const CONFIRMING_NOTICE: Message = { key: 'notice.confirming' };
export const STILL_CONFIRMING_NOTICE: Message = { key: 'notice.still_confirming' };

/** A press that counted is under way. */
export const busy = (intent: Intent, message: Message): View =>
  form({
    intent,
    locked: true,
    action: { kind: 'busy', message: { key: 'pay.busy' } },
    notices: [{ tone: 'info', message }],
  });

/** A known total is being read again; the buyer can go on typing. */
export const readingView = (intent: Intent): View =>
  form({ intent, action: { kind: 'busy', message: { key: 'notice.loading' } } });

/** The view while the page has set `readOnly`: nothing can be typed or paid. To try a read again changes nothing. */
export const readOnlyView = (shown: View): View => {
  if (shown.screen !== 'form') return shown;
  const action = shown.action.kind === 'pay' ? ({ ...shown.action, kind: 'idle' } as const) : shown.action;
  return { ...shown, locked: true, action };
};
