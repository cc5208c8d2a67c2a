/**
 * How the shop hears of payments: the service posts a signed event, the shop checks the signature, asks the API, and
 * fulfils the order once. Everything a merchant needs to copy is here, and it is plain Node.
 */
import { createPublicKey, verify } from 'node:crypto';

/** What the shop reads of an event. */
export type PaymentEvent = { id: string; type: string; data: { object: { id: string } } };

/** Why a webhook is refused: answer 400 and do nothing. The words are for the log. */
export type Refused = { refused: string };

/** Seconds. An older webhook is somebody's copy; the service signs each of its repeats anew. */
const TOLERANCE = 300;

/** The shop's side of webhooks, for a service under `service` whose routes are under `api`. */
export const createWebhooks = ({
  service,
  api,
  secretKey,
  endpointId,
}: {
  service: string;
  api: string;
  secretKey: string;
  /** The id (`we_…`) of the endpoint that was made on the dashboard. Of the sandbox the shop makes one itself. */
  endpointId?: string | undefined;
}) => {
  let endpoint = endpointId;
  let registering: Promise<void> | undefined;
  let keys: readonly { kid: string; public_key_pem: string }[] = [];

  const ask = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(20_000) });
    if (!response.ok)
      throw new Error(`the service answered ${response.status} to ${new URL(address).pathname}`);
    return response.json();
  };

  const keyNamed = async (kid: string) => {
    const known = keys.find((key) => key.kid === kid);
    if (known) return known;
    // An unknown key: the service may have a new one. The list is loaded once, not until it fits.
    const list = await ask(`${api}/webhook_signing_keys`, {
      headers: { Authorization: `Bearer ${secretKey}` },
    });
    keys = list.data;
    return keys.find((key) => key.kid === kid);
  };

  const register = async (url: string): Promise<void> => {
    // This stands for a visit to the dashboard. The live service has no such route.
    const dashboard = `${service}/_sandbox/webhook_endpoints`;
    const { data }: { data: { id: string; url: string; enabled: boolean }[] } = await ask(dashboard);
    const made = data.find((one) => one.url === url && one.enabled);
    const body = JSON.stringify({ url, event_types: ['payment_intent.succeeded'] });
    const headers = { 'Content-Type': 'application/json' };
    endpoint = (made ?? (await ask(dashboard, { method: 'POST', headers, body }))).id;
  };

  return {
    /** Has the events of payments sent to `url`. Does nothing where that is so already; rejects where it fails. */
    register: async (url: string): Promise<void> => {
      if (endpoint !== undefined) return;
      registering ??= register(url).finally(() => {
        registering = undefined;
      });
      await registering;
    },

    /**
     * The event in a webhook, if the service signed it for this endpoint, and a moment ago. `body` is the raw body:
     * a JSON parser before this would change the bytes that were signed.
     */
    read: async (
      body: Buffer,
      signature: string,
      now = Date.now() / 1000,
    ): Promise<PaymentEvent | Refused> => {
      const [, t, kid, v1] =
        /^t=(\d{1,12}),kid=([^,\s]{1,100}),v1=([A-Za-z0-9+/]{86}==)$/.exec(signature) ?? [];
      if (!t || !kid || !v1) return { refused: 'no signature in the documented form' };
      if (Math.abs(now - Number(t)) > TOLERANCE) return { refused: 'signed too long ago, or in the future' };
      const key = await keyNamed(kid);
      if (!key) return { refused: 'signed with an unknown key' };
      const signed = Buffer.concat([Buffer.from(`${t}.${endpoint}.`), body]);
      if (!verify(null, signed, createPublicKey(key.public_key_pem), Buffer.from(v1, 'base64'))) {
        return { refused: 'the signature does not fit' };
      }
      return JSON.parse(body.toString());
    },
  };
};
