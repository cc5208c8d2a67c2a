/** A sandbox of the test's own, and what a merchant's server and the sandbox's control routes can do with it. */
import { fileURLToPath } from 'node:url';
import { createSandbox, listen, type SandboxOptions } from './built-modules.mjs';

export type { SandboxOptions } from './built-modules.mjs';

/** One delivery of a request as the sandbox noted it. */
export type Entry = {
  at: number;
  method: string;
  route: string;
  /** 1, and more for one that a fault delivered again. */
  delivery: number;
  status: number | 'cut' | 'refused' | null;
  code: string | null;
  attempt: number | null;
};

/** All that the sandbox knows of a payment. */
export type PaymentRecord = {
  payment_intent: { id: string; status: string; amount_total: number; confirmation_attempts: number };
  client_secret: string;
  charges: number;
  confirms: number;
  /** How often a confirm was delivered, whoever repeated it. */
  deliveries: number;
  releases: number;
  retrieves: number;
  requests: readonly Entry[];
};

type FaultyRoute = 'client.retrieve' | 'client.confirm' | 'client.release';

/** What is to befall the next requests of a route; see the sandbox's control routes. */
export type Fault = {
  route: FaultyRoute;
  times?: number;
  refuse?: boolean;
  arrives_after?: number;
  deliveries?: 2 | 3;
  again_after?: number;
  act?: boolean;
  status?: number;
  code?: string;
  retry_after?: number | string | null;
  delay_seconds?: number;
  never?: boolean;
  cut?: 'before' | 'after';
  html?: boolean;
  truncate_at?: number;
};

/** Faults that a seed decides, request by request. */
export type RandomFaults = {
  seed: number;
  rate: number;
  routes?: readonly FaultyRoute[];
  kinds?: readonly string[];
  longest_seconds?: number;
};

/** What the merchant's server got for a new payment. */
export type Intent = { id: string; client_secret: string; amount_total: number };

/** Three articles, shipped and taxed: 58.04 in all. */
const ORDER = {
  amount: 5804,
  currency: 'usd',
  items: [
    { name: 'Kenya Nyeri AA, 250 g', quantity: 2, unit_amount: 1450 },
    { name: 'Ethiopia Guji, 250 g', quantity: 1, unit_amount: 1600 },
    { name: 'Paper filters, 100', quantity: 1, unit_amount: 420 },
  ],
  shipping_amount: 490,
  tax_amount: 394,
  order_reference: 'MC-1843',
  buyer: { name: 'Ada Lovelace' },
  shipping_details: {
    name: 'Ada Lovelace',
    address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205', country: 'US' },
  },
};

const root = fileURLToPath(new URL('../../dist', import.meta.url));

/** Starts a service on a port of its own. */
export const startService = async (options: SandboxOptions) => {
  const sandbox = createSandbox(options);
  const running = await listen(sandbox, { port: 0, root });
  const { url } = running;

  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const asMerchant = { Authorization: `Bearer ${sandbox.keys.secret}` };

  return {
    url,
    keys: sandbox.keys,
    /** What the loader's tag names to hold it to the sandbox's signature. */
    integrity: running.integrity,

    /** As the merchant's server does, with the secret key. */
    createIntent: (changes: Record<string, unknown> = {}): Promise<Intent> =>
      ask('/partner/v1/payment_intents', { ...ORDER, ...changes }, asMerchant),
    /** As the merchant's server does. */
    changeAmount: (id: string, amount: number): Promise<unknown> =>
      ask(`/partner/v1/payment_intents/${id}`, { amount }, asMerchant),

    /** As the merchant's server does. */
    update: (id: string, changes: Record<string, unknown>): Promise<unknown> =>
      ask(`/partner/v1/payment_intents/${id}`, changes, asMerchant),

    /** The ids of all payments, newest first. */
    intents: async (): Promise<readonly string[]> => (await ask('/_sandbox/payment_intents')).data,
    record: (id: string): Promise<PaymentRecord> => ask(`/_sandbox/payment_intents/${id}`),
    cancel: (id: string): Promise<unknown> => ask(`/_sandbox/payment_intents/${id}/cancel`, {}),
    /** Lets the service's own time pass. */
    pass: (seconds: number): Promise<unknown> => ask('/_sandbox/clock', { advance_seconds: seconds }),
    nextAnswer: (fault: Fault): Promise<unknown> => ask('/_sandbox/faults', fault),
    /** Resets the next connections as they are made. */
    refuseConnections: (times: number): Promise<unknown> => ask('/_sandbox/faults', { refuse: true, times }),
    randomFaults: (random: RandomFaults): Promise<unknown> => ask('/_sandbox/faults', { random }),
    /** Nothing befalls anybody any more. */
    clearFaults: async (): Promise<void> => {
      const { ok, status } = await fetch(`${url}/_sandbox/faults`, { method: 'DELETE' });
      if (!ok) throw new Error(`Clearing the faults answered ${status}.`);
    },
    /** The next webhook leaves so many seconds after its event. */
    delayWebhook: (seconds: number): Promise<unknown> =>
      ask('/_sandbox/webhook_plan', { delay: { seconds } }),
    revoke: (key: string): Promise<unknown> => ask('/_sandbox/keys/revoke', { key }),

    async stop() {
      sandbox.close();
      await running.close();
    },
  };
};

export type Service = Awaited<ReturnType<typeof startService>>;
