import * as z from 'zod/mini';
import { type ErrorCode, errorType, HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import { json } from '../core/answer.ts';
import { bodiless, type ResponseFault } from './response-fault.ts';

/** The routes whose requests something can befall: those of the browser. */
export const FAULTY_ROUTES = ['client.retrieve', 'client.confirm', 'client.release'] as const;
export type FaultyRoute = (typeof FAULTY_ROUTES)[number];

const seconds = z.number().check(z.minimum(0), z.maximum(86_400));

/**
 * What befalls one request: how it arrives, whether the service acts on it, what is answered, how that arrives.
 * One shape for the control routes, for the random schedule and for callers in the same process; `{}` is nothing.
 */
export const FAULT_FIELDS = {
  /** The connection is reset as soon as the request's head is there. Not a byte of it is acted on. */
  refuse: z.optional(z.boolean()),
  /** Seconds the request is under way before the service sees it. The sender may have given up by then. */
  arrives_after: z.optional(seconds),
  /** How often the same request is delivered, one after the other; the last answer is heard (research 0.1). */
  deliveries: z.optional(z.int().check(z.minimum(2), z.maximum(3))),
  /** Seconds after which it is delivered once more, and nobody hears the answer. */
  again_after: z.optional(seconds),
  /** Whether the service does what it was asked before the rest happens. Where it is left out, see `acts`. */
  act: z.optional(z.boolean()),
  /** These three make an answer in place of the service's own. A code alone brings its status. */
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  code: z.optional(z.string().check(z.regex(/^[a-z0-9_]{1,100}$/))),
  /** Any text of the header; null is a 429 without it. */
  retry_after: z.optional(z.nullable(z.union([z.int(), z.string().check(z.regex(/^[\x20-\x7e]{0,200}$/))]))),
  delay_seconds: z.optional(seconds),
  never: z.optional(z.boolean()),
  cut: z.optional(z.enum(['before', 'after'])),
  html: z.optional(z.boolean()),
  truncate_at: z.optional(z.int().check(z.minimum(0))),
};
const Fault = z.strictObject(FAULT_FIELDS);
export type Fault = z.infer<typeof Fault>;

/** A fault in words, those it was asked for in: `cut: after, html`; `null` for none. */
export const faultText = (fault: Fault): string | null => {
  const words = Object.entries(fault).map(([field, value]) =>
    value === true ? field : `${field}: ${value}`,
  );
  return words.join(', ') || null;
};

/** Whether an answer stands in place of the service's own. */
export const answersInstead = ({ status, code, retry_after }: Fault): boolean =>
  status !== undefined || code !== undefined || retry_after !== undefined;

/** Whether the service acts on the request. An answer of somebody else, or a cut before, mean that it does not. */
export const acts = (fault: Fault): boolean =>
  fault.act ?? (!answersInstead(fault) && fault.cut !== 'before');

/** The answer a fault puts in place of the service's own, which is used where it puts none. */
export const faultyAnswer = (fault: Fault, own: Response): Response => {
  if (!answersInstead(fault)) return own;
  const { code, retry_after } = fault;
  const status = fault.status ?? (code === undefined ? 429 : statusOfCode(code));
  const headers: Record<string, string> =
    retry_after === undefined || retry_after === null ? {} : { 'retry-after': String(retry_after) };
  if (bodiless(status)) return new Response(null, { status, headers });
  if (status < 300) return json({}, status, headers);
  const shown = code ?? codeOfStatus(status);
  const type = isErrorCode(shown) ? errorType(shown) : status < 500 ? 'invalid_request_error' : 'api_error';
  return json({ error: { type, code: shown, message: 'A fault that was asked for.' } }, status, headers);
};

/** What befalls the answer on its way. */
export const responseFaultOf = ({ delay_seconds, never, cut, html, truncate_at }: Fault): ResponseFault => ({
  delaySeconds: delay_seconds ?? 0,
  never: never ?? false,
  cut: cut !== undefined,
  html: html ?? false,
  ...(truncate_at === undefined ? {} : { truncateAt: truncate_at }),
});

/** The status that belongs to a code. */
const statusOfCode = (code: string): number => (isErrorCode(code) ? HTTP_STATUS[code] : 400);

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
