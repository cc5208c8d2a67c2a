/** The shop's webhooks: registers the endpoint and verifies events. For merchants to copy. */
import { type ServiceClient, WebhookError, type WebhookEvent } from '@partner/card-form/server';

/** The reason why a webhook is refused, for the log. Answer it with 400 and do nothing. */
export type RefusedWebhook = { refused: string };

/** `service` is the service's origin. */
export const createWebhooks = ({
  service,
  client,
  endpointId,
}: {
  service: string;
  client: Pick<ServiceClient, 'verifyWebhook'>;
  /** The id (`we_…`) of the endpoint from the dashboard. With the sandbox, the shop creates one itself. */
  endpointId?: string | undefined;
}) => {
  let endpoint = endpointId;
  let registering: Promise<void> | undefined;

  const request = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
    if (!response.ok) throw new Error(`the service answered ${response.status} to ${new URL(url).pathname}`);
    return response.json();
  };

  const register = async (url: string): Promise<void> => {
    // A sandbox route that replaces a visit to the dashboard. The live service doesn't have it.
    const dashboard = `${service}/_sandbox/webhook_endpoints`;
    const { data }: { data: { id: string; url: string; enabled: boolean }[] } = await request(dashboard);
    const existing = data.find((one) => one.url === url && one.enabled);
    const body = JSON.stringify({ url, event_types: ['payment_intent.succeeded'] });
    const headers = { 'Content-Type': 'application/json' };
    endpoint = (existing ?? (await request(dashboard, { method: 'POST', headers, body }))).id;
  };

  return {
    /** Registers `url` for payment events, unless an endpoint is already known. */
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
      body: Uint8Array,
      headers: Readonly<Record<string, string | string[] | undefined>>,
    ): Promise<WebhookEvent | RefusedWebhook> => {
      try {
        return await client.verifyWebhook(body, headers, endpoint ?? '');
      } catch (error) {
        if (error instanceof WebhookError) return { refused: `${error.code}: ${error.message}` };
        throw error; // the keys could not be loaded, so the service must send the webhook again
      }
    },
  };
};
