import { addAccount } from './accounts/accounts.ts';
import { createChangeFeed } from './core/change-feed.ts';
import { createShiftableClock } from './core/clock.ts';
import { createControlLog } from './core/control-log.ts';
import { createIds } from './core/ids.ts';
import { createReportLog } from './core/report-log.ts';
import { createRequestLog } from './core/request-log.ts';
import { createScheduler, type Scheduler } from './core/scheduler.ts';
import { createLimiter } from './http/limits.ts';
import type { Service } from './http/service.ts';
import type { ServiceSettings } from './options.ts';
import { scheduleRefundOutcome, scheduleSettlement } from './payments/current.ts';
import { createLedger } from './payments/ledger.ts';
import { type Extras, noPersistence, openPersistence } from './store/persistence.ts';
import { createStore } from './store/store.ts';
import { createDeliveries } from './webhooks/delivery.ts';
import { rotateSigningKey } from './webhooks/signature.ts';

/** Returns the first keys of a sandbox with this number (contract 6.1). */
export const keysWith = (number: number) => {
  const digits = `${number}`.padStart(25, '0');
  return { publishable: `pk_live_sandbox${digits}`, secret: `sk_live_sandbox${digits}` };
};

/** The keys of every sandbox with number 1. */
export const SANDBOX_KEYS = keysWith(1);

/** Failed authentications per minute and address (contract S17.2). */
const FAILED_AUTHENTICATIONS = 300;

/** Creates a service from a loaded store, or from a new one with the first account. */
export const createService = (settings: ServiceSettings): Service => {
  const store = createStore();
  const persistence = settings.state === undefined ? noPersistence() : openPersistence(settings.state, store);
  const clock = createShiftableClock(settings.clock, persistence.extras.clockOffset);
  if (!persistence.loaded) {
    addAccount(store, { id: 'sandbox', ...keysWith(settings.keyNumber), feeBearer: 'merchant' });
    rotateSigningKey(store, settings.seed);
  }
  const [first] = store.accounts.values();
  if (first !== undefined && settings.feeBearer !== undefined)
    store.accounts.change(first.id, { feeBearer: settings.feeBearer });

  const nextId = createIds(settings.seed);
  let { chanceUsed } = persistence.extras;
  // A seeded sequence continues where it stopped. From the start it would repeat the ids of saved payments.
  if (settings.seed !== undefined) nextId('lg_pi_', chanceUsed);
  const newId: Service['newId'] = (prefix, length) => {
    const id = nextId(prefix, length);
    chanceUsed += id.length - prefix.length;
    return id;
  };
  const extras = (): Extras => ({ clockOffset: clock.offset(), chanceUsed });
  const saved = () => persistence.save(extras);
  const closing = new AbortController();
  const changeFeed = createChangeFeed(settings.clock.now() % 1_000_000_000);
  const { at, ...rest } = createScheduler(clock, closing.signal);
  const scheduler: Scheduler = {
    ...rest,
    at: (time, run) =>
      at(time, async () => {
        try {
          await run();
        } finally {
          // No caller waits for this write. If it fails, the next request writes again and reports the failure.
          await saved().catch(() => {});
          changeFeed.notify();
        }
      }),
  };

  const service: Service = {
    store,
    ledger: createLedger(store),
    clock,
    newId,
    seed: settings.seed,
    isSeeded: settings.seed !== undefined,
    requestLog: createRequestLog(clock.now()),
    controlLog: createControlLog(),
    reportLog: settings.reports ? createReportLog() : null,
    appSchemes: settings.appSchemes,
    changeFeed,
    faults: settings.faults,
    scheduler,
    deliveries: createDeliveries({
      store,
      clock,
      signedAt: settings.clock.now,
      scheduler,
      outgoing: async (request, signal) => {
        await saved();
        return settings.outgoing(request, signal);
      },
      closing: closing.signal,
    }),
    allowLocalWebhooks: settings.allowLocalWebhooks,
    webhookHosts: settings.webhookHosts,
    limits: {
      client: createLimiter(settings.clientRateLimit, clock.now),
      server: createLimiter(settings.serverRateLimit, clock.now),
      failedAuthentication: createLimiter(FAILED_AUTHENTICATIONS, clock.now),
    },
    attempts: settings.attempts,
    holdFailedAttempts: settings.holdFailedAttempts,
    attemptSeconds: settings.attemptSeconds,
    runningAttempts: settings.runningAttempts,
    saved,
    runAndSave: async (work) => {
      try {
        return await work();
      } finally {
        await saved();
      }
    },
    closing,
    close: () => {
      closing.abort();
      return persistence.close(extras);
    },
  };
  if (persistence.loaded) resume(service);
  return service;
};

/** Schedules the pending work of a loaded store: outcomes of payments and refunds, and webhooks. */
export const resume = (service: Service): void => {
  for (const intent of service.ledger.intents()) scheduleSettlement(service, intent);
  for (const id of service.store.refundsInFlight.keys()) {
    const refund = service.store.refunds.get(id);
    if (refund !== undefined) scheduleRefundOutcome(service, refund);
  }
  service.deliveries.resume();
};
