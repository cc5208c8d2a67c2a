/** Handles one request under its fault: whether, when and how often it arrives, and how its response does. */
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

/** The service's own response to one delivery of a request, and what happens to it on its way. */
export type Handled = {
  response: Response;
  responseFault: ResponseFault;
  /** The response to send instead, if what the request began is over only then (milliseconds). */
  later?: { at: number; respond: () => Response } | null;
};

/** Takes the fault of a request that has just arrived, `{}` for none. Throws if the connection is to be reset. */
export const takeFault = (service: Service, route: FaultyRoute, entry: RequestLogEntry): Fault => {
  const fault = service.faults.take(route) ?? {};
  entry.fault = describeFault(fault);
  if (fault.refuse) throw new ConnectionCut('the connection was refused', { refused: true });
  return fault;
};

/**
 * Delivers the request as often as the fault says, and resolves with the response that the sender gets. Rejects with
 * `ConnectionCut` if the sender gets none. `handle` gets the log entry of each delivery; what it throws becomes an error
 * response. It is called again after the sender may have gone, so it must have read the request's body before.
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

  // The request still arrives if its sender has given up meanwhile.
  if (fault.arrives_after) await waitUnlessClosed(fault.arrives_after);
  if (fault.again_after !== undefined) {
    void waitUnlessClosed(fault.again_after)
      .then(async () => {
        // No request is under way any more that would save what this delivery changes.
        await service.runAndSave(() => deliverAndDiscard(deliverAgain()));
        service.changeFeed.notify();
      })
      // The sandbox closed, or the write failed, which the next request reports.
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
  // Saved before the attempt and the response's fault, which may take long.
  await service.saved();
  const response = later ? await responseAfter(service, later, signal()) : first;
  if (replacesResponse(fault)) Object.assign(last, { code: fault.code ?? null, param: null, message: null });
  const own = await applyResponseFault(response, responseFault, service.clock, signal);
  return applyResponseFault(replaceResponse(fault, own), responseFaultOf(fault), service.clock, signal);
};

/** The response once the attempt is over. Rejects if the sender is gone by then; the attempt goes on. */
const responseAfter = async (
  { clock }: Service,
  { at, respond }: NonNullable<Handled['later']>,
  gone: AbortSignal,
): Promise<Response> => {
  await clock.wait(at - clock.now(), gone);
  if (gone.aborted) throw new ConnectionCut('the sender is gone');
  return respond();
};
