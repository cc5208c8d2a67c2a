import type { AppScheme } from '../../../api/served/app-schemes.ts';
import type { ChangeFeed } from '../core/change-feed.ts';
import type { ShiftableClock } from '../core/clock.ts';
import type { ControlLog } from '../core/control-log.ts';
import type { IdPrefix, KeyPrefix } from '../core/ids.ts';
import type { ReportLog } from '../core/report-log.ts';
import type { RequestLog } from '../core/request-log.ts';
import type { FaultQueue } from '../faults/fault-queue.ts';
import type { PaymentService } from '../payments/payment-service.ts';
import type { Deliveries } from '../webhooks/delivery.ts';
import type { Limiter } from './limits.ts';

/** The dependencies of route handlers, built by `createService`. */
export type Service = Omit<PaymentService, 'newId'> & {
  clock: ShiftableClock;
  newId: (prefix: IdPrefix | KeyPrefix, length?: number) => string;
  seed: number | undefined;
  isSeeded: boolean;
  requestLog: RequestLog;
  controlLog: ControlLog;
  /** Browsers' violation reports; `null` if the sandbox collects none. */
  reportLog: ReportLog | null;
  /** The URL schemes of apps whose pages may embed the form. */
  appSchemes: readonly AppScheme[];
  /** Notified after every request and every scheduled task, either of which can change what the inspector shows. */
  changeFeed: ChangeFeed;
  faults: FaultQueue;
  deliveries: Deliveries;
  allowLocalWebhooks: boolean;
  /** Host names that webhook endpoints may have, whatever their addresses. */
  webhookHosts: readonly string[];
  limits: { client: Limiter; server: Limiter; failedAuthentication: Limiter };
  /**
   * Resolves when all changes so far are saved. Responses and webhooks that report them must wait for it
   * (`persistence.ts`).
   */
  saved(): Promise<void>;
  /** Runs work that may change rows of the store. Resolves with its result once the changes are saved. */
  runAndSave<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Aborted when the sandbox closes. */
  closing: AbortController;
  /** Aborts `closing`; resolves when everything is saved. */
  close(): Promise<void>;
};
