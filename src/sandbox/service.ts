import type { FeeBearer } from './accounts/fees.ts';
import { createPulse, type Pulse } from './core/change-feed.ts';
import { type Clock, createShiftableClock, type ShiftableClock, systemClock } from './core/clock.ts';
import { createDeeds, type Deeds } from './core/control-log.ts';
import { createIds, type IdPrefix, type KeyPrefix } from './core/ids.ts';
import { createJournal, type Journal } from './core/request-log.ts';
import { type Alarms, createAlarms } from './core/scheduler.ts';
import type { Faults } from './faults/fault-queue.ts';
import { createLimiter, type Limiter } from './http/limits.ts';
import { endOfRefund, settleRefunds } from './payments/refund-transitions.ts';
import { settle } from './payments/transitions.ts';
import { type Aside, forgetful, openState } from './store/persistence.ts';
import { addAccount, createStore, type IntentRecord, type RefundRecord, type Store } from './store/store.ts';
import { createDeliveries, type Deliveries } from './webhooks/delivery.ts';
import { type Outgoing, postOverHttp } from './webhooks/outgoing.ts';
import { rotateSigningKey } from './webhooks/signature.ts';

/** The keys every sandbox starts with (contract 6.1). */
export const SANDBOX_KEYS = {
  publishable: `pk_live_sandbox${'0'.repeat(24)}1`,
  secret: `sk_live_sandbox${'0'.repeat(24)}1`,
} as const;

/** What a service can be asked to be. Checked where it comes in (`options.ts`). */
export type ServiceSettings = {
  /** Of the first account. Where it is left out: `merchant`, or what a loaded state says. */
  feeBearer: FeeBearer | undefined;
  /** Payment attempts an intent allows. */
  attempts: number;
  /** Whether a failed attempt holds its intent until it is released (contract 4.4). */
  holdFailedAttempts: boolean;
  clientRateLimit: number;
  serverRateLimit: number;
  seed: number | undefined;
  /** The file that keeps the store. */
  state: string | undefined;
  clock: Clock;
  faults: Faults;
  /** How webhooks leave (contract 6.4). */
  outgoing: Outgoing;
  /** Whether an endpoint may also be on this machine, by any port and without TLS. */
  allowLocalWebhooks: boolean;
};

/** What a service is unless asked to be something else. */
export const DEFAULT_SETTINGS: Omit<ServiceSettings, 'faults'> = {
  feeBearer: undefined,
  attempts: 5,
  holdFailedAttempts: false,
  clientRateLimit: 60,
  serverRateLimit: 1200,
  seed: undefined,
  state: undefined,
  clock: systemClock,
  outgoing: postOverHttp,
  allowLocalWebhooks: true,
};

/** Failed authentications a minute and address (service-api.md, "Limits"). */
const FAILED_AUTHENTICATIONS = 300;

/** Everything a handler needs: what is remembered, what time it is, and what may happen. */
export type Service = {
  store: Store;
  clock: ShiftableClock;
  newId: (prefix: IdPrefix | KeyPrefix, length?: number) => string;
  seed: number | undefined;
  isSeeded: boolean;
  journal: Journal;
  deeds: Deeds;
  /** Beats when there may be something new to see, for whoever watches. */
  pulse: Pulse;
  faults: Faults;
  alarms: Alarms;
  deliveries: Deliveries;
  allowLocalWebhooks: boolean;
  limits: { client: Limiter; server: Limiter; failedAuthentication: Limiter };
  attempts: number;
  holdFailedAttempts: boolean;
  /** Resolves when what happened up to now is kept; nothing that tells of it may leave before (`state.ts`). */
  saved(): Promise<void>;
  /** Does a piece of work that may change rows of the store, and resolves with what it came to when that is kept. */
  working<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Aborted when the sandbox closes. */
  closing: AbortController;
  /** Aborts `closing`; resolves when everything is kept. */
  close(): Promise<void>;
};

/** A service with its first account. */
export const createService = (settings: ServiceSettings): Service => {
  const store = createStore();
  const state = settings.state === undefined ? forgetful() : openState(settings.state, store);
  const clock = createShiftableClock(settings.clock, state.aside.clockOffset);
  if (!state.loaded) {
    addAccount(store, { id: 'sandbox', ...SANDBOX_KEYS, feeBearer: 'merchant' });
    rotateSigningKey(store, settings.seed);
  }
  const [first] = store.accounts.values();
  if (first !== undefined) first.feeBearer = settings.feeBearer ?? first.feeBearer;

  const nextId = createIds(settings.seed);
  let { chanceUsed } = state.aside;
  // A seed goes on where it stopped, or it would name new payments after old ones.
  if (settings.seed !== undefined) nextId('lg_pi_', chanceUsed);
  const newId: Service['newId'] = (prefix, length) => {
    const id = nextId(prefix, length);
    chanceUsed += id.length - prefix.length;
    return id;
  };
  const aside = (): Aside => ({ clockOffset: clock.offset(), chanceUsed });
  const saved = () => state.save(aside);
  const closing = new AbortController();
  const pulse = createPulse(settings.clock.now() % 1_000_000_000);
  const { at, ...alarmClock } = createAlarms(clock, closing.signal);
  const alarms: Alarms = {
    ...alarmClock,
    at: (moment, act) =>
      at(moment, async () => {
        const end = state.begin();
        try {
          await act();
        } finally {
          // Nobody waits who could be told that the disk refused; the next request tries again, and is.
          await saved()
            .catch(() => {})
            .finally(end);
          pulse.beat();
        }
      }),
  };

  const service: Service = {
    store,
    clock,
    newId,
    seed: settings.seed,
    isSeeded: settings.seed !== undefined,
    journal: createJournal(clock.now()),
    deeds: createDeeds(),
    pulse,
    faults: settings.faults,
    alarms,
    deliveries: createDeliveries({
      store,
      clock,
      signedAt: settings.clock.now,
      alarms,
      outgoing: async (request, signal) => {
        await saved();
        return settings.outgoing(request, signal);
      },
      closing: closing.signal,
    }),
    allowLocalWebhooks: settings.allowLocalWebhooks,
    limits: {
      client: createLimiter(settings.clientRateLimit, clock.now),
      server: createLimiter(settings.serverRateLimit, clock.now),
      failedAuthentication: createLimiter(FAILED_AUTHENTICATIONS, clock.now),
    },
    attempts: settings.attempts,
    holdFailedAttempts: settings.holdFailedAttempts,
    saved,
    working: async (work) => {
      const end = state.begin();
      try {
        return await work();
      } finally {
        await saved().finally(end);
      }
    },
    closing,
    close: () => {
      closing.abort();
      return state.close(aside);
    },
  };
  if (state.loaded) resume(service);
  return service;
};

/** The sandbox's time in whole seconds, as the API writes it. */
export const unixNow = (service: Service): number => Math.floor(service.clock.now() / 1000);

/**
 * Brings every payment and refund up to now, so that what has happened meanwhile is announced and the account's
 * settings of then are applied to it. To be called before settings change.
 */
export const settleAll = (service: Service): void => {
  allIntents(service);
};

/** An intent as it stands now. All reading goes through here or through `allIntents`. */
export const currentIntent = (service: Service, id: string): IntentRecord | undefined => {
  const intent = service.store.intents.get(id);
  if (intent !== undefined) settle(service, intent, service.clock.now(), service.holdFailedAttempts);
  settleRefunds(service, service.clock.now());
  return intent;
};

/** Every intent as it stands now, newest first. */
export const allIntents = (service: Service): IntentRecord[] => {
  const intents = [...service.store.intents.values()].reverse();
  for (const intent of intents) settle(service, intent, service.clock.now(), service.holdFailedAttempts);
  settleRefunds(service, service.clock.now());
  return intents;
};

/** A refund as it stands now. All reading goes through here or through `allRefunds`. */
export const currentRefund = (service: Service, id: string): RefundRecord | undefined => {
  settleRefunds(service, service.clock.now());
  return service.store.refunds.get(id);
};

/** Every refund as it stands now, newest first. */
export const allRefunds = (service: Service): RefundRecord[] => {
  settleRefunds(service, service.clock.now());
  return [...service.store.refunds.values()].reverse();
};

/** Has an outcome that comes later come at its moment, though nobody looks: somebody may wait for the event. */
export const settleInTime = (service: Service, { id, settlement }: IntentRecord): void => {
  if (settlement !== null) service.alarms.at(settlement.at * 1000, () => void currentIntent(service, id));
};

/** The same for a refund. */
export const endInTime = (service: Service, refund: RefundRecord): void =>
  service.alarms.at(endOfRefund(refund), () => settleRefunds(service, service.clock.now()));

/** Goes on with what a loaded store has under way: payments and refunds that end later, webhooks still to be sent. */
export const resume = (service: Service): void => {
  for (const intent of service.store.intents.values()) settleInTime(service, intent);
  for (const id of service.store.refundsInFlight.keys()) {
    const refund = service.store.refunds.get(id);
    if (refund !== undefined) endInTime(service, refund);
  }
  service.deliveries.resume();
};
