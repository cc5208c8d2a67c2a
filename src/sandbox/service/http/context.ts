import type { Context } from 'hono';
import { CONTROL } from '../../../api/routes.ts';
import { ConnectionCut, RefusedRequest } from '../core/errors.ts';
import type { ControlGuard } from '../core/loopback.ts';
import { type RequestLogEntry, recordError } from '../core/request-log.ts';
import { errorResponse } from '../core/response.ts';
import type { Service } from './service.ts';

/** The variables of Hono's context. */
export type SandboxEnv = {
  Bindings: { address: string; guard: ControlGuard; repeatedHeaders: readonly string[] };
  /** The entry in the request log; requests to control routes have none. */
  Variables: { entry: RequestLogEntry | undefined };
};
export type SandboxContext = Context<SandboxEnv>;

/** Returns the response to an error that a handler threw. A cut connection has no response, so it is rethrown. */
export const responseToError = (error: Error, entry: RequestLogEntry | undefined): Response => {
  if (error instanceof ConnectionCut) throw error;
  if (entry !== undefined) recordError(entry, error);
  return errorResponse(
    error instanceof RefusedRequest
      ? error
      : new RefusedRequest(
          'internal_error',
          `The sandbox failed. GET ${CONTROL}/requests shows where; please report it. Nothing is wrong with the request.`,
        ),
  );
};

/** Returns a signal that aborts when the caller disconnects or the sandbox closes. */
export const abandoned = (service: Service, request: Request): AbortSignal =>
  AbortSignal.any([request.signal, service.closing.signal]);
