import { type ErrorCode, errorType, HTTP_STATUS, isErrorCode } from '../api/errors.ts';
import { json } from './answer.ts';
import type { Distortion } from './distortion.ts';
import type { RouteName } from './journal.ts';

/** The routes whose next answers can be spoilt. */
export const FAULTY_ROUTES = ['client.retrieve', 'client.confirm', 'client.release'] as const;
export type FaultyRoute = (typeof FAULTY_ROUTES)[number];

/** What is to happen to a request: how it arrives, whether the service acts on it, what it says, how that arrives. */
export type Fault = {
  /** Seconds the request is under way before the service sees it. The sender may have given up by then. */
  arrivesAfter?: number;
  /** How often the same request is delivered, one after the other; the last answer is heard (research 0.1). */
  deliveries?: number;
  /** Seconds after which it is delivered once more, and nobody hears the answer. */
  againAfter?: number;
  /** Whether the service does what it was asked before the rest happens. */
  acts: boolean;
  /** An answer instead of the service's own. */
  instead: { status: number; code: string | null; retryAfter: string | null } | null;
  distortion: Distortion;
};

/** Faults that wait for requests, first asked first served. */
export type Faults = {
  add(route: FaultyRoute, fault: Fault, times: number): void;
  /** The fault for the request that has just arrived, used up by it. */
  take(route: RouteName): Fault | undefined;
};

/** No faults yet. */
export const createFaults = (): Faults => {
  const waiting: { route: RouteName; fault: Fault; left: number }[] = [];
  return {
    add: (route, fault, times) => {
      waiting.push({ route, fault, left: times });
    },
    take: (route) => {
      const index = waiting.findIndex((one) => one.route === route);
      const found = waiting[index];
      if (found === undefined) return undefined;
      found.left -= 1;
      if (found.left === 0) waiting.splice(index, 1);
      return found.fault;
    },
  };
};

/** The answer a fault puts in place of the service's own. */
export const faultyAnswer = ({ status, code, retryAfter }: NonNullable<Fault['instead']>): Response => {
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter };
  if (status === 204) return new Response(null, { status, headers });
  if (status < 300) return json({}, status, headers);
  const shown = code ?? codeOfStatus(status);
  const type = isErrorCode(shown) ? errorType(shown) : status < 500 ? 'invalid_request_error' : 'api_error';
  return json({ error: { type, code: shown, message: 'A fault that was asked for.' } }, status, headers);
};

/** The status that belongs to a code. */
export const statusOfCode = (code: string): number => (isErrorCode(code) ? HTTP_STATUS[code] : 400);

const LIKELY_CODE: Partial<Record<number, ErrorCode>> = {
  401: 'invalid_api_key',
  402: 'payment_method_declined',
  404: 'not_found',
  409: 'payment_intent_updated',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'provider_error',
};

const codeOfStatus = (status: number): ErrorCode =>
  LIKELY_CODE[status] ?? (status < 500 ? 'validation_error' : 'internal_error');
