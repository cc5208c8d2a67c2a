/** The type of a view, and the views used by more than `view.ts`, which has the table of all states. */
import type { Money } from '../../../api/money.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { Intent } from '../../payment/payment-state.ts';
import type { Message } from './words.ts';

/** The button's action. */
export type Action =
  /** Pays exactly this total. */
  | { kind: 'pay'; total: Money }
  /** Does nothing: there is no total yet, or nothing may be sent. */
  | { kind: 'idle'; total: Money | null }
  /** Does nothing: a request is in progress. */
  | { kind: 'busy'; message: Message }
  /** Reads the intent again. */
  | { kind: 'retry'; message: Message };

export type NoticeView = {
  tone: 'info' | 'bad';
  message: Message;
  /** The page's own sentence, shown instead of the message. */
  text?: string | undefined;
  /** Announced to screen readers instead, if the visible text changes every second. */
  announcement?: Message;
};

export type View =
  | {
      screen: 'form';
      /** Source of the total and its breakdown; null until it has been read. */
      intent: Intent | null;
      /** The total before it changed, kept until the next press. */
      previousTotal: Money | null;
      /** True during an attempt: the fields are read-only. */
      locked: boolean;
      notices: readonly NoticeView[];
      action: Action;
      /** True if the notices concern the fields or the whole form, and are shown above it. */
      noticesFirst: boolean;
      /** The field to focus after a failed attempt. */
      fieldToFix: FieldName | null;
    }
  | {
      screen: 'outcome';
      /** `busy`: the outcome is still pending. */
      tone: 'good' | 'busy' | 'neutral' | 'bad';
      title: Message;
      /** Text below the title, such as whether money moved, which every final screen says. */
      details: readonly Message[];
      action: 'check_status' | null;
      /** The payment on the receipt. */
      receipt?: Intent;
    };

type FormView = Extract<View, { screen: 'form' }>;

/** A view of the form; omitted properties have their initial values. */
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

/** The view with a total that was put on the button before hydration (`session/payment.ts`). */
export const offeredView = (total: Money): View => form({ intent: null, action: { kind: 'pay', total } });

export const OFFLINE: NoticeView = { tone: 'bad', message: { key: 'notice.offline' } };

export const CONFIRMING_NOTICE: Message = { key: 'notice.confirming' };
export const STILL_CONFIRMING_NOTICE: Message = { key: 'notice.still_confirming' };

/** The view while a press that counted is in progress. */
export const busy = (intent: Intent, message: Message): View =>
  form({
    intent,
    locked: true,
    action: { kind: 'busy', message: { key: 'pay.busy' } },
    notices: [{ tone: 'info', message }],
  });

/** The view while a known total is being read again; the buyer can keep typing. */
export const readingView = (intent: Intent): View =>
  form({ intent, action: { kind: 'busy', message: { key: 'notice.loading' } } });

/** The view while the page has set `readOnly`: nothing can be typed or paid, but a failed read can be retried. */
export const readOnlyView = (shown: View): View => {
  if (shown.screen !== 'form') return shown;
  const action = shown.action.kind === 'pay' ? ({ ...shown.action, kind: 'idle' } as const) : shown.action;
  return { ...shown, locked: true, action };
};
