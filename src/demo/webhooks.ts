/**
 * The shop's webhooks: registering the endpoint, and verifying the signature of an event. Plain Node, for merchants to
 * copy.
 */
import { createPublicKey, verify } from 'node:crypto';

/** The fields of an event that the shop reads. */
export type PaymentEvent = { id: string; type: string; data: { object: { id: string } } };

/** Why a webhook is refused, for the log. Answer it with 400 and do nothing. */
export type Refused = { refused: string };

/** An older signature is a replayed webhook: the service signs each of its own retries anew. */
const TOLERANCE_SECONDS = 300;

/** `service` is the service's origin, `api` the base URL of its routes. */
export const createWebhooks = ({
  service,
  api,
  secretKey,
  endpointId,
}: {
  service: string;
  api: string;
  secretKey: string;
  /** The id (`we_…`) of the endpoint from the dashboard. With the sandbox, the shop creates one itself. */
  endpointId?: string | undefined;
}) => {
  let endpoint = endpointId;
  let registering: Promise<void> | undefined;
  let keys: readonly { kid: string; public_key_pem: string }[] = [];

  const request = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
    if (!response.ok) throw new Error(`the service answered ${response.status} to ${new URL(url).pathname}`);
    return response.json();
  };

  const findKey = async (kid: string) => {
    const known = keys.find((key) => key.kid === kid);
    if (known) return known;
    // The service may have rotated its keys: fetch the list once, and only once per webhook.
    const list = await request(`${api}/webhook_signing_keys`, {
      headers: { Authorization: `Bearer ${secretKey}` },
    });
    keys = list.data;
    return keys.find((key) => key.kid === kid);
  };

  const register = async (url: string): Promise<void> => {
    // In place of a visit to the dashboard: this is a route of the sandbox, not of the live service.
    const dashboard = `${service}/_sandbox/webhook_endpoints`;
    const { data }: { data: { id: string; url: string; enabled: boolean }[] } = await request(dashboard);
    const existing = data.find((one) => one.url === url && one.enabled);
    const body = JSON.stringify({ url, event_types: ['payment_intent.succeeded'] });
    const headers = { 'Content-Type': 'application/json' };
    endpoint = (existing ?? (await request(dashboard, { method: 'POST', headers, body }))).id;
  };

  return {
    /** Registers `url` for payment events, unless an endpoint is known already. */
    register: async (url: string): Promise<void> => {
      if (endpoint !== undefined) return;
      registering ??= register(url).finally(() => {
        registering = undefined;
      });
      await registering;
    },

    /**
     * Verifies a webhook and returns its event. The signature must be the service's, for this endpoint, and recent.
     * `body` must be the raw bytes: parsing the JSON first would change what was signed.
     */
    read: async (
      body: Buffer,
      signature: string,
      now = Date.now() / 1000,
    ): Promise<PaymentEvent | Refused> => {
      const [, t, kid, v1] =
        /^t=(\d{1,12}),kid=([^,\s]{1,100}),v1=([A-Za-z0-9+/]{86}==)$/.exec(signature) ?? [];
      if (!t || !kid || !v1) return { refused: 'no signature in the documented format' };
      if (Math.abs(now - Number(t)) > TOLERANCE_SECONDS)
        return { refused: 'signed too long ago, or in the future' };
      const key = await findKey(kid);
      if (!key) return { refused: 'signed with an unknown key' };
      const signed = Buffer.concat([Buffer.from(`${t}.${endpoint}.`), body]);
      if (!verify(null, signed, createPublicKey(key.public_key_pem), Buffer.from(v1, 'base64'))) {
        return { refused: 'wrong signature' };
      }
      return JSON.parse(body.toString());
    },
  };
};
