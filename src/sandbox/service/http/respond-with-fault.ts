/**
 * Handles one request with its fault, which decides whether, when and how often the request and its response arrive.
 */
import { ConnectionCut } from '../core/errors.ts';
import type { RequestLogEntry } from '../core/request-log.ts';
import { json } from '../core/response.ts';
import {
  acts,
  describeFault,
  type Fault,
  type FaultyRoute,
  replaceResponse,
  replacesResponse,
  responseFaultOf,
} from '../faults/fault.ts';
import { applyResponseFault, type ResponseFault } from '../faults/response-fault.ts';
import { abandoned, responseToError, type SandboxContext } from './context.ts';
import type { Service } from './service.ts';

/** The service's own response to one delivery of a request, and the fault of that response. */
export type Handled = {
  response: Response;
  responseFault: ResponseFault;
  /** The response to send instead, if the attempt that the request started ends only at `at` (milliseconds). */
  later?: { at: number; respond: () => Response } | null;
};

/** Takes the fault of a request that has just arrived; `{}` for none. Throws if the connection must be reset. */
export const takeFault = (service: Service, route: FaultyRoute, entry: RequestLogEntry): Fault => {
  const fault = service.faults.take(route) ?? {};
  entry.fault = describeFault(fault);
  if (fault.refuse) throw new ConnectionCut('the connection was refused', { refused: true });
  return fault;
};

/**
 * Delivers the request as often as the fault says, and resolves with the response that the sender gets. Rejects with
 * `ConnectionCut` if the sender gets none. `handle` gets the log entry of each delivery; errors that it throws become
 * error responses. It may be called again after the sender has gone, so it must have read the request's body before.
 */
export const respondWithFault = async (
  service: Service,
  c: SandboxContext,
  { entry, fault }: { entry: RequestLogEntry; fault: Fault },
  handle: (delivery: RequestLogEntry) => Handled | Promise<Handled>,
): Promise<Response> => {
  const signal = () => abandoned(service, c.req.raw);
  const deliver = async (delivery: RequestLogEntry): Promise<Handled> => {
    try {
      return await handle(delivery);
    } catch (error) {
      if (error instanceof Error) return { response: responseToError(error, delivery), responseFault: {} };
      throw error;
    }
  };

  let latest = entry;
  const deliverAgain = () => {
    latest = service.requestLog.openAgain(latest, service.clock.now());
    return latest;
  };
  /** Handles a delivery whose response is discarded. */
  const deliverAndDiscard = async (delivery: RequestLogEntry) => {
    delivery.status = (await deliver(delivery)).response.status;
  };
  const waitUnlessClosed = async (seconds: number) => {
    await service.clock.wait(seconds * 1000, service.closing.signal);
    if (service.closing.signal.aborted) throw new ConnectionCut('the sandbox closed');
  };

  // The request still arrives even if its sender has given up in the meantime.
  if (fault.arrives_after) await waitUnlessClosed(fault.arrives_after);
  if (fault.again_after !== undefined) {
    void waitUnlessClosed(fault.again_after)
      .then(async () => {
        // The original request may have ended, so save this delivery's changes separately.
        await service.runAndSave(() => deliverAndDiscard(deliverAgain()));
        service.changeFeed.notify();
      })
      // The sandbox closed, or the write failed, in which case the next request reports it.
      .catch(() => undefined);
  }
  if (!acts(fault)) {
    const response = replaceResponse(fault, json({}));
    entry.code = fault.code ?? null;
    return applyResponseFault(response, responseFaultOf(fault), service.clock, signal);
  }
  let last = entry;
  for (let delivery = 1; delivery < (fault.deliveries ?? 1); delivery += 1) {
    await deliverAndDiscard(last);
    last = deliverAgain();
    c.set('entry', last);
  }
  const { response: first, responseFault, later } = await deliver(last);
  // Save before the attempt and the response's fault, either of which may take long.
  await service.saved();
  const response = later ? await responseAfter(service, later, signal()) : first;
  if (replacesResponse(fault)) Object.assign(last, { code: fault.code ?? null, param: null, message: null });
  const own = await applyResponseFault(response, responseFault, service.clock, signal);
  return applyResponseFault(replaceResponse(fault, own), responseFaultOf(fault), service.clock, signal);
};

/**
 * Resolves with the response when the attempt is over. Rejects if the sender has gone by then; the attempt continues.
 */
const responseAfter = async (
  { clock }: Service,
  { at, respond }: NonNullable<Handled['later']>,
  gone: AbortSignal,
): Promise<Response> => {
  await clock.wait(at - clock.now(), gone);
  if (gone.aborted) throw new ConnectionCut('the sender is gone');
  return respond();
};
