/** Compares all answers of a run with one another. */
import type { HttpResponse } from '../../api/command/http.ts';
import { errorType, HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import { checksOf } from './check.ts';
import { expectSame, Mismatch, type OrderedExchange, parseError, parseObject } from './context.ts';

type Seen = { index: number; payment: Readonly<Record<string, unknown>> };

/** The payments in an answer: the object itself, or those of a list. */
const paymentsIn = (response: HttpResponse): Readonly<Record<string, unknown>>[] => {
  if (response.status !== 200) return [];
  const answer = parseObject(response);
  const objects: readonly unknown[] = Array.isArray(answer.data) ? answer.data : [answer];
  return objects
    .map((one) => (typeof one === 'object' && one !== null ? { ...one } : {}))
    .filter((one: Readonly<Record<string, unknown>>) => one.object === 'payment_intent');
};

/**
 * Throws if a payment went back: from a final status to another, or to fewer attempts. Concurrent requests may be
 * answered in any order, so only requests sent later are compared.
 */
const expectNoneWentBack = (exchanges: readonly OrderedExchange[]): void => {
  const seen: Seen[] = [];
  for (const [index, { response, after }] of exchanges.entries()) {
    for (const payment of paymentsIn(response)) {
      for (const { index: at, payment: earlier } of seen) {
        if (at < after && earlier.id === payment.id) expectLater(earlier, payment);
      }
      seen.push({ index, payment });
    }
  }
};

const expectLater = (
  earlier: Readonly<Record<string, unknown>>,
  later: Readonly<Record<string, unknown>>,
): void => {
  const { status, succeeded_at, confirmation_attempts } = earlier;
  const isFinal = status === 'succeeded' || status === 'canceled';
  if (isFinal && later.status !== status)
    throw new Mismatch(`${status}, as it was before`, JSON.stringify(later.status));
  if (isFinal && later.succeeded_at !== succeeded_at)
    throw new Mismatch(`succeeded_at ${succeeded_at}, as it was before`, `${later.succeeded_at}`);
  if (Number(later.confirmation_attempts) < Number(confirmation_attempts))
    throw new Mismatch(
      `confirmation_attempts ${confirmation_attempts} or more, as it was before`,
      `${later.confirmation_attempts}`,
    );
};

/** Throws if the client views contradict each other about attempts (contract 3.5 and 4.6). */
export const expectAttemptsAgree = (exchanges: readonly OrderedExchange[]): void => {
  let limit: number | null = null;
  for (const { response } of exchanges) {
    for (const view of paymentsIn(response)) {
      const { status, last_payment_error, confirmation_attempts, attempts_left, attempt_in_progress } = view;
      const attempts = Number(confirmation_attempts) + Number(attempts_left);
      limit ??= attempts;
      if (attempts !== limit)
        throw new Mismatch(
          `confirmation_attempts and attempts_left to be ${limit} together, as they were before`,
          `${confirmation_attempts} and ${attempts_left}`,
        );
      const hasFailed = (last_payment_error ?? null) !== null;
      const isOver = hasFailed || status === 'succeeded' || status === 'canceled';
      if (isOver && attempt_in_progress !== false)
        throw new Mismatch(
          `attempt_in_progress: false of a payment that is ${status}${hasFailed ? ' after a failed attempt' : ''}`,
          `${attempt_in_progress}`,
        );
      if (!isOver && status === 'processing' && attempt_in_progress !== true)
        throw new Mismatch(
          'attempt_in_progress: true of a payment that is processing',
          `${attempt_in_progress}`,
        );
    }
  }
};

/** Throws if an answer with a body is not JSON. */
const expectJson = (exchanges: readonly OrderedExchange[]): void => {
  for (const { request, response } of exchanges) {
    // A proxy may answer these two instead of the service.
    if (request.method === 'OPTIONS' || response.status === 405 || response.text === '') continue;
    const type = response.headers['content-type'] ?? 'no Content-Type';
    if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json')
      throw new Mismatch('application/json', `${type} (${request.method} ${request.path.split('?')[0]})`);
  }
};

/** Thirteen to nineteen digits like a card's, with spaces or hyphens between them, and not part of an id. */
const CARD_LIKE = /(?<![\p{L}\p{N}_-])[2-6](?:[ -]?\d){12,18}(?![\p{L}\p{N}_-])/gu;

/** Throws if an answer, or another text of the service, contains a card number. */
export const expectNoCardNumber = (texts: readonly string[]): void => {
  for (const text of texts) {
    const [found] = (text.match(CARD_LIKE) ?? []).filter(hasCheckDigit);
    if (found !== undefined) throw new Mismatch('no card number', `one that ends in ${found.slice(-4)}`);
  }
};

const hasCheckDigit = (text: string): boolean => {
  const digits = text.replace(/\D/g, '').split('').map(Number).toReversed();
  const sum = digits.reduce((total, digit, place) => {
    const doubled = place % 2 === 0 ? digit : digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
};

/** The errors of a run. A proxy may answer a wrong method instead of the service. */
const errorsIn = (exchanges: readonly OrderedExchange[]) =>
  exchanges.flatMap(({ response }) =>
    response.status < 400 || response.status === 405
      ? []
      : [{ status: response.status, error: parseError(response) }],
  );

const expectErrorForm = (exchanges: readonly OrderedExchange[]): void => {
  for (const { error } of errorsIn(exchanges)) {
    for (const name of ['type', 'code', 'message'])
      if (typeof error[name] !== 'string' || error[name] === '')
        throw new Mismatch(`"${name}" in every error`, JSON.stringify(error).slice(0, 200));
    for (const name of ['param', 'decline_code'])
      if (!['string', 'undefined'].includes(typeof (error[name] ?? undefined)))
        throw new Mismatch(`"${name}" to be a string or null`, JSON.stringify(error[name]));
  }
};

const expectErrorTypes = (exchanges: readonly OrderedExchange[]): void => {
  for (const { status, error } of errorsIn(exchanges)) {
    const { type, code } = error;
    if (typeof code !== 'string' || !isErrorCode(code))
      throw new Mismatch('a documented error code', JSON.stringify(code));
    expectSame(`${code}:`, [status, type], [HTTP_STATUS[code], errorType(code)]);
  }
};

/** Rules for all answers of a run, for both kinds of routes; checked at the end. */
export const FINAL_CHECKS = checksOf(
  {
    'history: 4.1: a status is final, and attempts never become fewer': expectNoneWentBack,
    'all-json: S1.1: every answer is application/json': expectJson,
    'error-form: S16.1: every error is {"error": {type, code, message, param, decline_code}}':
      expectErrorForm,
    'error-type: S16: each code has its own type and HTTP status': expectErrorTypes,
  },
  async (expect, { exchanges }: { exchanges: readonly OrderedExchange[] }) => expect(exchanges),
);
