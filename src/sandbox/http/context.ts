import type { Context } from 'hono';
import { errorAnswer } from '../core/answer.ts';
import { ConnectionCut, ServiceError } from '../core/errors.ts';
import { type RequestLogEntry, recordError } from '../core/request-log.ts';
import type { Service } from './service.ts';

/** What a request carries through the routes. */
export type SandboxEnv = {
  Bindings: { address: string };
  /** Only requests of the service itself are in the request log. */
  Variables: { entry: RequestLogEntry | undefined };
};
export type SandboxContext = Context<SandboxEnv>;

/** The answer to what a handler threw. A cut connection has none and stays an exception. */
export const answerToError = (error: Error, entry: RequestLogEntry | undefined): Response => {
  if (error instanceof ConnectionCut) throw error;
  if (entry !== undefined) recordError(entry, error);
  return errorAnswer(
    error instanceof ServiceError
      ? error
      : new ServiceError(
          'internal_error',
          'The sandbox failed. GET /_sandbox/requests shows where; please report it. Nothing is wrong with the request.',
        ),
  );
};

/** Aborts when the caller goes away or the sandbox closes. */
export const endOfInterest = (service: Service, request: Request): AbortSignal =>
  AbortSignal.any([request.signal, service.closing.signal]);
