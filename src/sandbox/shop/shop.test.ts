import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isOwnHost } from './host.ts';
import { listenShop } from './shop.ts';

const SECRET = `sk_live_${'s'.repeat(32)}`;
const PUBLISHABLE = `pk_live_${'p'.repeat(32)}`;

type Sent = { method: string; path: string; key: string; authorization: string; body: string };

/** A fake service that returns the same payment for the same idempotency key, and fails if `refuse` is set. */
const sent: Sent[] = [];
let status = 'pending';
let refuse = false;
const byKey = new Map<string, { id: string; body: string }>();

/** The service's signing keys, the last of which signs, and the shop's webhook endpoints. */
const newKey = (kid: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { kid, privateKey, public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
};
const keys = [newKey('first')];
const endpoints: { id: string; url: string; enabled: boolean; event_types: string[] }[] = [];

const text = async (request: IncomingMessage) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
};

const service: Server = createServer(async (request, response) => {
  const body = await text(request);
  const { method = '', url = '', headers } = request;
  const key = `${headers['idempotency-key'] ?? ''}`;
  if (url === '/_sandbox/webhook_endpoints') {
    if (method === 'POST')
      endpoints.push({ id: `we_${endpoints.length}`, enabled: true, ...JSON.parse(body) });
    const made = { 'Content-Type': 'application/json' };
    return response
      .writeHead(200, made)
      .end(JSON.stringify(method === 'POST' ? endpoints.at(-1) : { data: endpoints }));
  }
  sent.push({ method, path: url, key, authorization: headers.authorization ?? '', body });
  const answer = (code: number, value: unknown) =>
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  if (refuse) return answer(500, { error: { code: 'internal_error' } });
  if (url.endsWith('/webhook_signing_keys')) {
    const data = keys.map(({ kid, public_key_pem }) => ({ kid, public_key_pem }));
    return answer(200, { object: 'list', data, has_more: false });
  }
  if (method === 'GET') return answer(200, { object: 'payment_intent', id: url.split('/').at(-1), status });
  const known = byKey.get(key) ?? { id: `lg_pi_${byKey.size}`, body };
  if (known.body !== body) return answer(409, { error: { code: 'idempotency_key_reused' } });
  byKey.set(key, known);
  return answer(200, {
    object: 'payment_intent',
    id: known.id,
    status,
    client_secret: `lg_cs_of_${known.id}<"`,
  });
});

let shop: Awaited<ReturnType<typeof listenShop>>;
let serviceUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  serviceUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  shop = await listenShop({
    ...{ service: serviceUrl, secretKey: SECRET, publishableKey: PUBLISHABLE, port: 0 },
    retries: 0,
  });
});

afterAll(async () => {
  await shop.close();
  service.closeAllConnections();
  service.close();
});

beforeEach(() => {
  sent.length = 0;
  status = 'pending';
  refuse = false;
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const get = (path: string, init: RequestInit = {}) => fetch(shop.url + path, { redirect: 'manual', ...init });

/** Places an order and returns the URL of its checkout page. */
const order = async (fields: Record<string, string> = {}) => {
  const response = await get(`/?${new URLSearchParams(fields)}`);
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
};

const orderIn = (address: string) => new URL(address, shop.url).searchParams.get('order') ?? '';

describe("DNS rebinding: a page that points its own name at the shop's IP address", () => {
  /** Sends a request with a Host header, which `fetch` does not allow. */
  const requestAs = (port: number, host: string | undefined, path = '/', method = 'GET') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = host === undefined ? {} : { host };
      request({ host: '127.0.0.1', port, path, method, headers, setHost: false }, async (response) => {
        resolve({ status: response.statusCode ?? 0, text: await text(response) });
      })
        .on('error', reject)
        .end();
    });

  it.each(['rebound.evil.test', 'localhost.evil.test', '127.0.0.2'])(
    'gets 403 as %s on every path, with a hint for the developer',
    async (name) => {
      const address = await order();
      for (const host of [name, `${name}:${shop.port}`])
        for (const path of [address, '/', '/react', '/checkout.js', '/nowhere']) {
          const answer = await requestAs(shop.port, host, path);
          expect(answer.status).toBe(403);
          expect(answer.text).toContain(`http://localhost:${shop.port}`);
          expect(answer.text).toContain('names');
          expect(answer.text).not.toContain(name);
        }
      expect((await requestAs(shop.port, name, '/webhooks', 'POST')).status).toBe(403);
      expect(sent).toEqual([]);
    },
  );

  it.each([
    ['no Host', undefined],
    ['an empty Host', ''],
    ['the port of another program', 'localhost:1'],
    ['a port that starts with the right digits', 'localhost:own0'],
    ['a path after the port', 'localhost:own/'],
  ])('is refused with %s', async (_which, host) => {
    // Node refuses a request without a Host before the shop's handler runs.
    const status = host === undefined ? 400 : 403;
    expect((await requestAs(shop.port, host?.replace('own', `${shop.port}`))).status).toBe(status);
  });

  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'])(
    'the local name %s with the right port is accepted',
    async (name) => {
      expect((await requestAs(shop.port, `${name}:${shop.port}`)).status).toBe(303);
    },
  );

  it('a configured name is accepted with any port, because a proxy may forward the Host', async () => {
    const keys = { secretKey: SECRET, publishableKey: PUBLISHABLE };
    const options = { service: serviceUrl, ...keys, endpointId: 'we_existing', port: 0 };
    const named = await listenShop({ ...options, names: ['shop.test'] });
    const open = await listenShop({ ...options, host: '0.0.0.0' });
    expect((await requestAs(named.port, 'shop.test')).status).toBe(303);
    expect((await requestAs(named.port, 'Shop.Test:8443')).status).toBe(303);
    expect((await requestAs(named.port, 'other.test')).status).toBe(403);
    expect((await requestAs(open.port, `localhost:${open.port}`)).status).toBe(303);
    expect((await requestAs(open.port, `192.0.2.7:${open.port}`)).status).toBe(403);
    await Promise.all([named.close(), open.close()]);
  });
});

it.each([
  ['192.0.2.7:4011', 4011, '192.0.2.7', true],
  ['[2001:db8::7]:4011', 4011, '2001:db8::7', true],
  ['192.0.2.8:4011', 4011, '192.0.2.7', false],
  ['localhost', 80, '127.0.0.1', true],
  ['localhost', 4011, '127.0.0.1', false],
])('Host %s for a shop on port %i of %s is accepted: %s', (requested, port, host, expected) => {
  expect(isOwnHost(requested, { port, host, names: [] })).toBe(expected);
});

describe('the cart', () => {
  it('escapes every value of the query', async () => {
    const hostile = '"><script>alert(1)</script>';
    const view = { locale: hostile, theme: hostile, cart: hostile, currency: hostile };
    expect(await (await get(await order(view))).text()).not.toContain('alert(1)');
  });
});

describe('the checkout page', () => {
  it('creates the payment with the secret key and an idempotency key bound to the order', async () => {
    const address = await order();
    await get(address);
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/partner/v1/payment_intents',
        key: `order-${orderIn(address)}`,
        authorization: `Bearer ${SECRET}`,
        body: expect.any(String),
      },
    ]);
    const { items, ...rest } = JSON.parse(sent[0]?.body ?? '{}');
    expect(rest).toEqual({
      amount: 5804,
      currency: 'usd',
      shipping_amount: 490,
      tax_amount: 394,
      order_reference: expect.stringMatching(/^MC-[0-9A-F]{8}$/),
      buyer: { name: expect.any(String) },
      shipping_details: { name: expect.any(String), address: expect.objectContaining({ country: 'US' }) },
    });
    expect(items).toHaveLength(3);
  });

  it('shows the same payment after a reload, even in another view', async () => {
    const address = await order();
    const first = await (await get(address)).text();
    expect(await (await get(address)).text()).toBe(first);
    const dark = await (
      await get(address.replace('cart=coffee', 'cart=digital').replace('auto', 'dark'))
    ).text();
    expect(dark).toContain('data-theme="dark"');
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  it('gives the page what it needs, uncached, escaped and without the secret key', async () => {
    const response = await get(await order());
    const body = await response.text();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(body).toContain(`<script src="${serviceUrl}/partner/v1/card-form.js"></script>`);
    expect(body).toContain(PUBLISHABLE);
    expect(body).toContain('lg_cs_of_lg_pi_');
    expect(body).not.toContain('<"'); // the fake's secret tries to break out
    expect(body).not.toContain(SECRET);
    expect(body).not.toContain('{{');
  });

  it('has a strict Content-Security-Policy with two directives for the service', async () => {
    const policy = (await get('/')).headers.get('content-security-policy');
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' ${serviceUrl}/partner/v1/`,
      `frame-src ${serviceUrl}/partner/v1/card-form/`,
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
    ]);
    const body = await (await get(await order())).text();
    expect(body).not.toMatch(/\sstyle=|\son\w+=|<style|<script>/);
  });
});

describe('the thank-you page', () => {
  const thanks = async (state: string) => {
    const address = await order();
    await get(address);
    status = state;
    const response = await get(address.replace('/checkout', '/thanks'));
    expect(sent.at(-1)).toMatchObject({
      method: 'GET',
      path: expect.stringMatching(/^\/partner\/v1\/payment_intents\/lg_pi_\d+$/),
      authorization: `Bearer ${SECRET}`,
    });
    return response.text();
  };

  it('thanks the buyer if the service says succeeded, even before the webhook', async () => {
    const body = await thanks('succeeded');
    expect(body).toContain('Thank you!');
    expect(body).toContain('Your payment has been received, your order is being prepared.');
    expect(body).toContain('Check again');
    expect(body).not.toContain('Fulfilled');
  });
});

describe('the single-page checkouts', () => {
  const place = async (): Promise<Record<string, string>> =>
    (await get('/orders', { method: 'POST' })).json();

  it('get what mount() needs, uncached and without the secret key; the idempotency key is bound to the order', async () => {
    const response = await get('/orders', { method: 'POST' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text).not.toContain(SECRET);
    const order = JSON.parse(text);
    expect(order).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      service: serviceUrl,
      publishableKey: PUBLISHABLE,
      clientSecret: expect.stringContaining('lg_cs_'),
      // Details that the order already has, so that the form doesn't ask again.
      defaultValues: {
        billingDetails: {
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          address: expect.objectContaining({ line1: '12 Orchard Lane', country: 'US' }),
        },
        sameAsShipping: true,
      },
    });
    expect(sent).toMatchObject([
      { method: 'POST', path: '/partner/v1/payment_intents', key: `order-${order.id}` },
    ]);
    expect((await place()).clientSecret).not.toBe(order.clientSecret);
  });

  it.each([
    ['succeeded', true],
    ['pending', false],
    ['processing', false],
    ['a_future_status', false],
  ])('take the status from the service: %s', async (current, paid) => {
    const { id } = await place();
    status = current;
    expect(await (await get(`/orders/${id}`)).json()).toEqual({ paid });
    expect(sent.at(-1)).toMatchObject({ method: 'GET', authorization: `Bearer ${SECRET}` });
  });
});

describe('files', () => {
  it.each(['/checkout.html', '/..%2fpackage.json', '//evil.example/', '/nowhere', '/constructor'])(
    '%s is not served',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('webhooks', () => {
  /** Places an order that has a payment. Returns the payment's id and the thank-you page. */
  const orderWithPayment = async () => {
    const address = await order();
    const page = await (await get(address)).text();
    const id = /lg_cs_of_(lg_pi_\d+)/.exec(page)?.[1] ?? '';
    sent.length = 0;
    return { id, thanks: async () => (await get(address.replace('/checkout', '/thanks'))).text() };
  };

  let count = 0;
  const eventOf = (id: string, type = 'payment_intent.succeeded') => {
    count += 1;
    return JSON.stringify({
      id: `evt_${count}`,
      object: 'event',
      type,
      created: 1,
      data: { object: { id } },
    });
  };
  const now = () => Math.floor(Date.now() / 1000);

  /** Posts an event as the service would, signed according to contract 5.6. */
  const post = (body: string, t = now()) => {
    const signer = keys.at(-1);
    const signed = Buffer.from(`${t}.${endpoints.at(-1)?.id}.${body}`);
    const v1 = sign(null, signed, signer?.privateKey ?? '').toString('base64');
    return postWith(body, `t=${t},kid=${signer?.kid},v1=${v1}`);
  };
  const postWith = (body: string, signature?: string) =>
    get('/webhooks', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(signature === undefined ? {} : { 'Service-Signature': signature }),
      },
      body,
    });

  const retrieves = () => sent.filter(({ path }) => path.includes('/payment_intents/lg_pi_'));

  it('are registered once, when the shop starts, only for successful payments', () => {
    expect(endpoints).toEqual([
      {
        id: 'we_0',
        enabled: true,
        url: `${shop.url}/webhooks`,
        event_types: ['payment_intent.succeeded'],
      },
    ]);
  });

  it('fulfil the order, and the thank-you page names the event', async () => {
    const { id, thanks } = await orderWithPayment();
    status = 'succeeded';
    const event = eventOf(id);
    expect((await post(event)).status).toBe(204);
    const page = await thanks();
    expect(page).toContain('Thank you!');
    expect(page).toContain('We are packing your order.');
    expect(page).toContain(`Fulfilled by webhook ${JSON.parse(event).id}`);
  });

  it('fulfil nothing unless the API says succeeded', async () => {
    const { id, thanks } = await orderWithPayment();
    status = 'processing';
    expect((await post(eventOf(id))).status).toBe(204);
    expect(retrieves()).toMatchObject([{ method: 'GET', authorization: `Bearer ${SECRET}` }]);
    status = 'succeeded';
    expect(await thanks()).toContain('being prepared');
  });

  it('contract S15.1: an event that arrives twice is handled once', async () => {
    const { id, thanks } = await orderWithPayment();
    status = 'succeeded';
    const event = eventOf(id);
    expect((await post(event)).status).toBe(204);
    expect((await post(event)).status).toBe(204);
    expect(retrieves()).toHaveLength(1);
    const both = eventOf(id);
    expect((await Promise.all([post(both), post(both)])).map((answer) => answer.status)).toEqual([204, 204]);
    expect(await thanks()).toContain(`Fulfilled by webhook ${JSON.parse(event).id}`);
  });

  it('are answered with 500 if the payment cannot be retrieved, and handled when the service retries', async () => {
    const { id, thanks } = await orderWithPayment();
    await post(eventOf('lg_pi_nobody')); // the shop fetches the signing keys
    status = 'succeeded';
    const event = eventOf(id);
    refuse = true;
    expect((await post(event)).status).toBe(500);
    refuse = false;
    expect((await post(event)).status).toBe(204);
    expect(await thanks()).toContain('Fulfilled by webhook');
  });

  it.each<[string, (body: string) => Promise<Response>]>([
    ['no signature', (body) => postWith(body)],
    ['a signature of six minutes ago', (body) => post(body, now() - 360)],
  ])('with %s are refused', async (_what, send) => {
    const { id, thanks } = await orderWithPayment();
    status = 'succeeded';
    expect((await send(eventOf(id))).status).toBe(400);
    expect(retrieves()).toEqual([]);
    expect(await thanks()).toContain('being prepared');
    expect(console.error).toHaveBeenCalledWith(expect.stringContaining('refused a webhook'));
  });
});
