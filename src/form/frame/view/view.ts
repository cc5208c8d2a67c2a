/**
 * Maps each state of the payment to the buyer's screen. A pure function, so it can be read and tested as a table.
 * Messages are keys here; the components translate them.
 */

import { totalOf } from '../../../api/money.ts';
import { FIELD_NAMES } from '../../channel/field-names.ts';
import type { FieldName } from '../../channel/fields.ts';
import { declineKey } from '../../i18n/decline.ts';
import {
  type Feedback,
  type Intent,
  type Notice,
  type PaymentState,
  seenBefore,
} from '../../payment/payment-state.ts';
import type { Charged } from '../../payment/told.ts';
import {
  busy,
  CONFIRMING_NOTICE,
  FIRST_VIEW,
  form,
  type NoticeView,
  OFFLINE,
  readingView,
  STILL_CONFIRMING_NOTICE,
  type View,
} from './form-view.ts';
import type { Message } from './words.ts';

const outcome = (
  tone: 'good' | 'busy' | 'neutral' | 'bad',
  title: Message,
  details: readonly (Message | null)[] = [],
  action: 'check_status' | null = null,
): Extract<View, { screen: 'outcome' }> => ({
  screen: 'outcome',
  tone,
  title,
  details: details.filter((one) => one !== null),
  action,
});

const NOT_CHARGED: Message = { key: 'end.not_charged' };

/**
 * The view of a state. `online` comes from the browser and only changes the wording (outcomes 2.7). `charged`: whether
 * money moved, as far as this page can know.
 */
export const view = (state: PaymentState, online: boolean, charged: Charged = 'unknown'): View => {
  switch (state.status) {
    case 'loading': {
      const over = seenBefore(state);
      return over ? readingView(over.intent) : FIRST_VIEW;
    }
    case 'booting':
    case 'destroyed':
      return FIRST_VIEW;
    case 'load_failed':
      return form({
        intent: state.intent,
        action: { kind: 'retry', message: { key: 'action.try_again' } },
        notices: [
          {
            tone: 'bad',
            message: waitFor(state.secondsLeft) ?? {
              key: online ? 'notice.load_failed' : 'notice.offline',
            },
          },
        ],
      });
    case 'ready':
      return form({
        intent: state.intent,
        previousTotal: state.feedback.previousTotal,
        action: { kind: 'pay', total: totalOf(state.intent) },
        notices: online
          ? [...unavailable(state.intent), ...noticesOf(state.feedback, state.intent)]
          : [OFFLINE],
        noticesFirst: hasMissingDetails(state.intent) || fieldToFix(state.feedback.notice) !== null,
        fieldToFix: fieldToFix(state.feedback.notice),
      });
    case 'reloading':
      return state.usedUpAt === null ? readingView(state.intent) : usedUp(state);
    case 'asking_page':
      return busy(state.intent, { key: 'notice.asking_store' });
    case 'confirming':
      return busy(state.intent, state.slow ? STILL_CONFIRMING_NOTICE : CONFIRMING_NOTICE);
    case 'waiting_for_tab':
      return busy(state.intent, { key: 'notice.yielding' });
    case 'releasing':
      return busy(state.intent, CONFIRMING_NOTICE);
    case 'resolving':
      return busy(state.intent, STILL_CONFIRMING_NOTICE);
    case 'processing':
      return outcome('busy', { key: 'notice.processing.title', values: { amount: totalOf(state.intent) } }, [
        { key: 'notice.processing' },
      ]);
    case 'throttled':
      return throttled(state);
    case 'succeeded':
      return {
        ...outcome('good', { key: 'notice.succeeded' }, [
          { key: 'success.detail', values: { amount: totalOf(state.intent) } },
        ]),
        receipt: state.intent,
      };
    case 'canceled':
      return outcome('neutral', { key: 'notice.canceled' }, [NOT_CHARGED]);
    case 'exhausted':
      return outcome('bad', { key: 'notice.exhausted' }, [
        state.declined ? { key: 'notice.declined' } : null,
        NOT_CHARGED,
      ]);
    case 'blocked':
      return outcome('bad', { key: 'notice.unavailable' }, [blockedCharge(state.intent, charged)]);
    case 'unknown':
      return outcome(
        'bad',
        { key: 'notice.unknown' },
        [waitFor(state.secondsLeft)],
        state.notBefore === null ? null : 'check_status',
      );
    default:
      return state satisfies never;
  }
};

/** Without an intent nobody could press; it isn't known whether an earlier page charged. */
const blockedCharge = (intent: Intent | null, charged: Charged): Message => {
  if (charged === 'no') return NOT_CHARGED;
  return { key: intent ? 'end.maybe_charged' : 'end.not_sent' };
};

/** No attempt is left, and a second read has yet to confirm it: the fields are locked. */
const usedUp = ({ intent, feedback }: Extract<PaymentState, { status: 'reloading' }>): View =>
  form({
    intent,
    locked: true,
    action: { kind: 'busy', message: { key: 'notice.loading' } },
    notices: feedback.notice?.kind === 'declined' ? LAST_DECLINE : noticesOf(feedback, intent),
  });

/** Asks for no other card, because none can be entered any more. */
const LAST_DECLINE: readonly NoticeView[] = [{ tone: 'bad', message: { key: 'notice.declined' } }];

/**
 * The order lacks details that only the merchant's server can add. Pay stays enabled, because the server may have added
 * them since, and the service decides (contract S7.2).
 */
const unavailable = (intent: Intent): readonly NoticeView[] =>
  hasMissingDetails(intent) ? [{ tone: 'bad', message: { key: 'notice.unavailable' } }] : [];

const hasMissingDetails = ({ missing_details }: Intent): boolean => (missing_details ?? []).length > 0;

/** At most two notices: the outcome of the last attempt, and a changed total. */
const noticesOf = ({ notice, previousTotal }: Feedback, intent: Intent): readonly NoticeView[] => {
  const notices: NoticeView[] = [];
  // A changed total says more than a request to check again or the end of a wait.
  const saysLess = notice?.kind === 'check_again' || notice?.kind === 'throttle_over';
  const attemptNotice = notice && !(saysLess && previousTotal) && noticeOf(notice);
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
    case 'details_refused': // shown at the field, if there is one
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
      return WAIT_OVER;
    case 'started_over':
      return notice.untried ? null : { tone: 'info', message: { key: 'notice.started_over' } };
    default:
      return notice satisfies never;
  }
};

/** Also announced: a screen reader user who waits does not see the button come back. */
const WAIT_OVER: NoticeView = { tone: 'info', message: { key: 'notice.throttle_over' } };

/** The wait the service asks for after a request that came more than an hour too early. */
const waitFor = (seconds: number | undefined): Message | null =>
  seconds === undefined ? null : inTime(seconds);

const inTime = (seconds: number): Message => ({
  key: 'notice.throttled',
  values: { time: { seconds } },
});

const throttled = (state: Extract<PaymentState, { status: 'throttled' }>): View => {
  const isOver = state.secondsLeft === 0 && state.error.retryAfter > 0;
  return form({
    intent: state.intent,
    locked: false,
    action: isOver
      ? { kind: 'retry', message: { key: 'action.try_again' } }
      : { kind: 'idle', total: totalOf(state.intent) },
    notices: isOver
      ? [WAIT_OVER]
      : [{ tone: 'info', message: inTime(state.secondsLeft), announcement: inTime(state.error.retryAfter) }],
  });
};

/** The field that a refused `param` refers to, by the last part of its path (contract S3.6); null if unknown. */
export const fieldOfParam = (param: string | null): FieldName | null => {
  const last = param?.split('.').at(-1);
  if (last === 'exp_month' || last === 'exp_year') return 'expiry';
  return FIELD_NAMES.find((name) => name === last) ?? null;
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
