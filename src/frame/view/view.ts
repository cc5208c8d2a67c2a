/**
 * What the screen shows in each state of the payment. A pure function, so that it can be read and tested as a table.
 * Messages are keys here; the components translate them.
 */

import { type Money, totalOf } from '../../api/money.ts';
import type { FieldName } from '../../channel/field-names.ts';
import { declineKey } from '../../i18n/decline.ts';
import {
  type Feedback,
  type Intent,
  type Notice,
  type PaymentState,
  seenBefore,
} from '../../payment/payment-state.ts';
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
      detail: Message | null;
      action: 'check_status' | null;
    };

type FormView = Extract<View, { screen: 'form' }>;

const form = (view: Pick<FormView, 'intent' | 'action'> & Partial<FormView>): View => ({
  screen: 'form',
  locked: false,
  notices: [],
  noticesFirst: false,
  fieldToFix: null,
  ...view,
});

const outcome = (
  tone: 'good' | 'busy' | 'neutral' | 'bad',
  title: Message,
  detail: Message | null = null,
  action: 'check_status' | null = null,
): View => ({ screen: 'outcome', tone, title, detail, action });

const CONFIRMING: Message = { key: 'notice.confirming' };
const STILL_CONFIRMING: Message = { key: 'notice.still_confirming' };

const busy = (intent: Intent, message: Message): View =>
  form({
    intent,
    locked: true,
    action: { kind: 'busy', message: { key: 'pay.busy' } },
    notices: [{ tone: 'info', message }],
  });

const EMPTY: View = form({ intent: null, action: { kind: 'idle', total: null } });

/** A known total is being read again; the buyer can go on typing. */
const reloading = (intent: Intent): View =>
  form({ intent, action: { kind: 'busy', message: { key: 'notice.loading' } } });

/** The view of a state. `online` comes from the browser and is reliable only if false. */
export const view = (state: PaymentState, online: boolean): View => {
  switch (state.status) {
    case 'loading': {
      const over = seenBefore(state);
      return over ? reloading(over.intent) : EMPTY;
    }
    case 'booting':
    case 'destroyed':
      return EMPTY;
    case 'load_failed':
      return form({
        intent: state.intent,
        action: { kind: 'retry', message: { key: 'action.try_again' } },
        notices: [{ tone: 'bad', message: { key: online ? 'notice.load_failed' : 'notice.offline' } }],
      });
    case 'ready':
      return form({
        intent: state.intent,
        action: { kind: online ? 'pay' : 'idle', total: totalOf(state.intent) },
        notices: online
          ? [...unavailable(state.intent), ...noticesOf(state.feedback, state.intent)]
          : [{ tone: 'bad', message: { key: 'notice.offline' } }],
        noticesFirst: hasMissingDetails(state.intent) || fieldToFix(state.feedback.notice) !== null,
        fieldToFix: fieldToFix(state.feedback.notice),
      });
    case 'reloading':
      return state.usedUpAt === null ? reloading(state.intent) : usedUp(state);
    case 'asking_page':
      return busy(state.intent, { key: 'notice.asking_store' });
    case 'confirming':
      return busy(state.intent, state.slow ? STILL_CONFIRMING : CONFIRMING);
    case 'waiting_for_tab':
      return busy(state.intent, { key: 'notice.yielding' });
    case 'releasing':
      return busy(state.intent, CONFIRMING);
    case 'resolving':
      return busy(state.intent, STILL_CONFIRMING);
    case 'processing':
      return outcome('busy', { key: 'notice.processing' });
    case 'throttled':
      return throttled(state);
    case 'succeeded':
      return outcome(
        'good',
        { key: 'notice.succeeded' },
        { key: 'success.detail', values: { amount: totalOf(state.intent) } },
      );
    case 'canceled':
      return outcome('neutral', { key: 'notice.canceled' });
    case 'exhausted':
      return outcome('bad', { key: 'notice.exhausted' });
    case 'blocked':
      return outcome('bad', { key: 'notice.unavailable' });
    case 'unknown':
      return outcome(
        'bad',
        { key: 'notice.unknown' },
        null,
        state.notBefore === null ? null : 'check_status',
      );
    default:
      return state satisfies never;
  }
};

/** No attempt is left, and a second read is to confirm it: nothing need be typed any more. */
const usedUp = ({ intent, feedback }: Extract<PaymentState, { status: 'reloading' }>): View =>
  form({
    intent,
    locked: true,
    action: { kind: 'busy', message: { key: 'notice.loading' } },
    notices: noticesOf(feedback, intent),
  });

/**
 * The order lacks something that only the merchant's server can add. Pay stays, because the server may have added it
 * since, and the service decides (contract S7.2).
 */
const unavailable = (intent: Intent): readonly NoticeView[] =>
  hasMissingDetails(intent) ? [{ tone: 'bad', message: { key: 'notice.unavailable' } }] : [];

const hasMissingDetails = ({ missing_details }: Intent): boolean => (missing_details ?? []).length > 0;

/** At most two notices: the outcome of the last attempt, and that the total has changed. */
const noticesOf = ({ notice, previousTotal }: Feedback, intent: Intent): readonly NoticeView[] => {
  const notices: NoticeView[] = [];
  const attemptNotice = notice && noticeOf(notice);
  if (attemptNotice) notices.push(attemptNotice);
  if (previousTotal) {
    const values = { previous: previousTotal, current: totalOf(intent) };
    notices.push({ tone: 'info', message: { key: 'notice.total_changed', values } });
  }
  return notices;
};

const noticeOf = (notice: Notice): NoticeView | null => {
  switch (notice.kind) {
    case 'declined':
      return {
        tone: 'bad',
        message: { key: declineKey(notice.error?.code ?? '', notice.error?.declineCode ?? null) },
      };
    case 'check_again':
      return { tone: 'info', message: { key: 'notice.check_again' } };
    case 'details_refused': // shown at the field itself if there is one
      return fieldOfParam(notice.error.param)
        ? null
        : { tone: 'bad', message: { key: 'notice.details_refused' } };
    case 'not_charged':
      return { tone: 'info', message: { key: 'notice.not_charged' } };
    case 'not_sent':
      return { tone: 'info', message: { key: 'notice.not_sent' } };
    case 'page_refused':
      return { tone: 'bad', message: { key: 'notice.order_refused' }, text: notice.message ?? undefined };
    case 'page_failed':
      return { tone: 'bad', message: { key: 'notice.store_silent' } };
    case 'throttle_over':
      return null;
    case 'started_over':
      return notice.untried ? null : { tone: 'info', message: { key: 'notice.started_over' } };
    default:
      return notice satisfies never;
  }
};

const throttled = (state: Extract<PaymentState, { status: 'throttled' }>): View => {
  const message = (seconds: number): Message => ({
    key: 'notice.throttled',
    values: { time: minutes(seconds) },
  });
  const isOver = state.secondsLeft === 0 && state.error.retryAfter > 0;
  return form({
    intent: state.intent,
    locked: false,
    action: isOver
      ? { kind: 'retry', message: { key: 'action.try_again' } }
      : { kind: 'idle', total: totalOf(state.intent) },
    notices: [
      { tone: 'bad', message: message(state.secondsLeft), announcement: message(state.error.retryAfter) },
    ],
  });
};

/** "0:42", "75:00". */
const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Fields of the service's `param`, by the last part of its path (contract S3.6). */
const FIELD_OF_PARAM: Readonly<Record<string, FieldName>> = {
  email: 'email',
  name: 'name',
  line1: 'line1',
  line2: 'line2',
  city: 'city',
  state: 'state',
  postal_code: 'postal_code',
  country: 'country',
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvc: 'cvc',
};

/** The field that a refused `param` belongs to, or null for an unknown one. */
export const fieldOfParam = (param: string | null): FieldName | null => {
  const last = param?.split('.').at(-1) ?? '';
  return Object.hasOwn(FIELD_OF_PARAM, last) ? (FIELD_OF_PARAM[last] ?? null) : null;
};

const fieldToFix = (notice: Notice | null): FieldName | null => {
  if (notice?.kind === 'details_refused') return fieldOfParam(notice.error.param);
  if (notice?.kind !== 'declined') return null;
  const named = fieldOfParam(notice.error?.param ?? null);
  if (named) return named;
  switch (declineKey(notice.error?.code ?? '', notice.error?.declineCode ?? null)) {
    case 'decline.incorrect_cvc':
      return 'cvc';
    case 'decline.expired_card':
    case 'decline.incorrect_expiry':
      return 'expiry';
    default:
      return 'number';
  }
};

/** The view while the page has set `readOnly`: nothing can be typed or paid. To try a read again changes nothing. */
export const readOnlyView = (shown: View): View => {
  if (shown.screen !== 'form') return shown;
  const action = shown.action.kind === 'pay' ? ({ ...shown.action, kind: 'idle' } as const) : shown.action;
  return { ...shown, locked: true, action };
};
