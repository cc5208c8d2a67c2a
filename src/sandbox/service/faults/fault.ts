import * as z from 'zod/mini';
import { type ErrorCode, errorType, HTTP_STATUS, isErrorCode } from '../../../api/errors.ts';
import { BROWSER_ROUTES, MERCHANT_ROUTES } from '../core/api-routes.ts';
import { json } from '../core/response.ts';
import { bodiless, type ResponseFault } from './response-fault.ts';

/** The routes that can have faults: the browser's, then the merchant server's. */
export const FAULTY_ROUTES = [...BROWSER_ROUTES, ...MERCHANT_ROUTES] as const;
export type FaultyRoute = (typeof FAULTY_ROUTES)[number];

const seconds = z.number().check(z.minimum(0), z.maximum(86_400));

/**
 * The fault of one request: how the request arrives, whether the service acts on it, what it answers, and how the
 * response arrives. Control routes, random faults and plans in code use the same fields; `{}` is no fault.
 */
export const FAULT_FIELDS = {
  /** Resets the connection when the request's head has arrived, before the service acts. */
  refuse: z.optional(z.boolean()),
  /** Seconds before the request reaches the service. The sender may have given up by then. */
  arrives_after: z.optional(seconds),
  /**
   * The number of times the same request is delivered, one after the other. The sender gets the last response
   * (outcomes 1.1).
   */
  deliveries: z.optional(z.int().check(z.minimum(2), z.maximum(3))),
  /** Seconds after which the request is delivered once more. The sender does not get that response. */
  again_after: z.optional(seconds),
  /** Sets whether the service acts on the request. `acts` has the default. */
  act: z.optional(z.boolean()),
  /** These three replace the service's response. A code without a status implies the status. */
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  code: z.optional(z.string().check(z.regex(/^[a-z0-9_]{1,100}$/))),
  /** The value of the header; `null` means a 429 without it. */
  retry_after: z.optional(z.nullable(z.union([z.int(), z.string().check(z.regex(/^[\x20-\x7e]{0,200}$/))]))),
  delay_seconds: z.optional(seconds),
  never: z.optional(z.boolean()),
  cut: z.optional(z.enum(['before', 'after'])),
  html: z.optional(z.boolean()),
  truncate_at: z.optional(z.int().check(z.minimum(0))),
};
const Fault = z.strictObject(FAULT_FIELDS);
export type Fault = z.infer<typeof Fault>;

/** Formats a fault's fields as text: `cut: after, html`; `null` for none. */
export const describeFault = (fault: Fault): string | null => {
  const fields = Object.entries(fault).map(([field, value]) =>
    value === true ? field : `${field}: ${value}`,
  );
  return fields.join(', ') || null;
};

/** Returns true if the fault replaces the service's response. */
export const replacesResponse = ({ status, code, retry_after }: Fault): boolean =>
  status !== undefined || code !== undefined || retry_after !== undefined;

/**
 * Returns true if the service acts on the request. By default it doesn't if the response is replaced or the connection
 * cut before.
 */
export const acts = (fault: Fault): boolean =>
  fault.act ?? (!replacesResponse(fault) && fault.cut !== 'before');

/** Returns the fault's response, or the service's own if the fault does not replace it. */
export const replaceResponse = (fault: Fault, own: Response): Response => {
  if (!replacesResponse(fault)) return own;
  const { code, retry_after } = fault;
  const status = fault.status ?? (code === undefined ? 429 : statusOfCode(code));
  // A service always says how long to wait (contract S17.4). Only `null` omits the header from a 429.
  const wait = retry_after === undefined && status === 429 ? 1 : (retry_after ?? null);
  const headers: Record<string, string> = wait === null ? {} : { 'retry-after': String(wait) };
  if (bodiless(status)) return new Response(null, { status, headers });
  if (status < 300) return json({}, status, headers);
  const errorCode = code ?? codeOfStatus(status);
  // The status determines the type of an unknown code (contract S16.2).
  const type = errorType(isErrorCode(errorCode) ? errorCode : codeOfStatus(status));
  return json(
    { error: { type, code: errorCode, message: 'A fault set through the control routes.' } },
    status,
    headers,
  );
};

/** Returns the part of a fault that changes how the response arrives. */
export const responseFaultOf = ({ delay_seconds, never, cut, html, truncate_at }: Fault): ResponseFault => ({
  delaySeconds: delay_seconds ?? 0,
  never: never ?? false,
  cut: cut !== undefined,
  html: html ?? false,
  ...(truncate_at === undefined ? {} : { truncateAt: truncate_at }),
});

/** Returns the status of a code; 400 for an unknown code. */
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
