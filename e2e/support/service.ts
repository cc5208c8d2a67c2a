/** A payment service for a test, with the abilities of a merchant's server and the control routes. */
import { fileURLToPath } from 'node:url';
import { createSandbox, listen, type Sandbox, type SandboxOptions } from './built-modules.mjs';

export type { SandboxOptions } from './built-modules.mjs';

/** One request in the sandbox's request log. */
export type Entry = {
  at: number;
  method: string;
  route: string;
  /** 1, or more if a fault delivered the request again. */
  delivery: number;
  status: number | 'cut' | 'refused' | null;
  code: string | null;
  attempt: number | null;
};

/** The sandbox's record of a payment. */
export type PaymentRecord = {
  payment_intent: { id: string; status: string; amount_total: number; confirmation_attempts: number };
  client_secret: string;
  charges: number;
  confirms: number;
  /** Number of confirms that arrived, including those repeated by the browser or a fault. */
  deliveries: number;
  releases: number;
  retrieves: number;
  requests: readonly Entry[];
};

type FaultyRoute = 'client.retrieve' | 'client.confirm' | 'client.release';

/** A fault for the next requests of a route; see the control routes in docs/sandbox.md. */
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

/** Random faults, drawn from a seed for each request. */
export type RandomFaults = {
  seed: number;
  rate: number;
  routes?: readonly FaultyRoute[];
  kinds?: readonly string[];
  longest_seconds?: number;
};

/** The intent as the merchant's server receives it. */
export type Intent = { id: string; client_secret: string; amount_total: number };

/** Three items with shipping and tax: 58.04 in total. */
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

/** Starts a service on its own port. */
export const startService = async (options: SandboxOptions) => {
  const sandbox = createSandbox(options);
  const { url, integrity, close } = await listen(sandbox, { port: 0, root });
  return serviceAt(url, integrity, sandbox, close);
};

/**
 * Starts a server whose sandbox can be replaced. Tests share the server, because reading the built files takes fifty
 * times as long as making a sandbox, and each sandbox has its own payments, clock, faults and limits.
 */
export const startServer = async () => {
  let current = createSandbox();
  const { url, integrity, close } = await listen(
    {
      ...current,
      fetch: (request, peer) => current.fetch(request, peer),
      refusesConnection: () => current.refusesConnection(),
    },
    { port: 0, root },
  );
  return {
    /** Replaces the sandbox with a new one. Stopping it leaves the server running. */
    newService(): Service {
      current = createSandbox();
      return serviceAt(url, integrity, current, async () => {});
    },
    close,
  };
};

/** The service of a sandbox that is served at `url`. */
const serviceAt = (url: string, integrity: string, sandbox: Sandbox, close: () => Promise<void>) => {
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
    /** The `integrity` of a script tag that requires the sandbox's signature. */
    integrity,

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
    /** Moves the service's clock ahead. */
    pass: (seconds: number): Promise<unknown> => ask('/_sandbox/clock', { advance_seconds: seconds }),
    nextAnswer: (fault: Fault): Promise<unknown> => ask('/_sandbox/faults', fault),
    /** Resets the next connections when they are opened. */
    refuseConnections: (times: number): Promise<unknown> => ask('/_sandbox/faults', { refuse: true, times }),
    randomFaults: (random: RandomFaults): Promise<unknown> => ask('/_sandbox/faults', { random }),
    /** Removes all faults. */
    clearFaults: async (): Promise<void> => {
      const { ok, status } = await fetch(`${url}/_sandbox/faults`, { method: 'DELETE' });
      if (!ok) throw new Error(`Clearing the faults answered ${status}.`);
    },
    /** Delays the next webhook by this many seconds. */
    delayWebhook: (seconds: number): Promise<unknown> =>
      ask('/_sandbox/webhook_plan', { delay: { seconds } }),
    revoke: (key: string): Promise<unknown> => ask('/_sandbox/keys/revoke', { key }),

    async stop() {
      sandbox.close();
      await close();
    },
  };
};

export type Service = ReturnType<typeof serviceAt>;
