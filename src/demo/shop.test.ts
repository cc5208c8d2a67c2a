import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenShop } from './shop.ts';

const SECRET = `sk_live_${'s'.repeat(32)}`;
const PUBLISHABLE = `pk_live_${'p'.repeat(32)}`;

type Sent = { method: string; path: string; key: string; authorization: string; body: string };

/** A service just large enough for a shop: it remembers by idempotency key, and answers what it is told to. */
const sent: Sent[] = [];
let status = 'pending';
let refuse = false;
const byKey = new Map<string, { id: string; body: string }>();

const text = async (request: IncomingMessage) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
};

const service: Server = createServer(async (request, response) => {
  const body = await text(request);
  const { method = '', url = '', headers } = request;
  const key = `${headers['idempotency-key'] ?? ''}`;
  sent.push({ method, path: url, key, authorization: headers.authorization ?? '', body });
  const answer = (code: number, value: unknown) =>
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  if (refuse) return answer(500, { error: { code: 'internal_error' } });
  if (method === 'GET') return answer(200, { id: url.split('/').at(-1), status });
  const known = byKey.get(key) ?? { id: `lg_pi_${byKey.size}`, body };
  if (known.body !== body) return answer(409, { error: { code: 'idempotency_key_reused' } });
  byKey.set(key, known);
  return answer(200, { id: known.id, status, client_secret: `lg_cs_of_${known.id}<"` });
});

let shop: Awaited<ReturnType<typeof listenShop>>;
let serviceUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  serviceUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  shop = await listenShop({ service: serviceUrl, secretKey: SECRET, publishableKey: PUBLISHABLE, port: 0 });
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

/** Places an order and returns the address of its checkout page. */
const order = async (fields: Record<string, string> = {}) => {
  const response = await get(`/?${new URLSearchParams(fields)}`);
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
};

const orderIn = (address: string) => new URL(address, shop.url).searchParams.get('order') ?? '';

describe('the cart', () => {
  it('shows lines and sum as the language writes money', async () => {
    const english = await (await get(await order())).text();
    expect(english).toContain('Kenya Nyeri AA, 250 g');
    expect(english).toContain('$58.04');
    expect(english).toContain('lang="en" data-theme="auto"');
    const view = { locale: 'de', currency: 'eur', cart: 'digital', theme: 'dark' };
    const german = await (await get(await order(view))).text();
    expect(german).toContain('51,84 €'.replace(' ', '\u00a0'));
    expect(german).toContain('lang="de" data-theme="dark"');
  });

  it('puts nothing of the address into the page unescaped', async () => {
    const hostile = '"><script>alert(1)</script>';
    const view = { locale: hostile, theme: hostile, cart: hostile, currency: hostile };
    expect(await (await get(await order(view))).text()).not.toContain('alert(1)');
  });
});

describe('the checkout page', () => {
  it('is reached by placing an order, and keeps how the shop is seen', async () => {
    const address = await order({ locale: 'de', theme: 'dark', cart: 'digital', currency: 'eur' });
    expect(address).toMatch(
      /^\/checkout\?locale=de&theme=dark&cart=digital&currency=eur&order=[0-9a-f-]{36}$/,
    );
  });

  it('places an order of its own when opened without one', async () => {
    const response = await get('/checkout?locale=de');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/checkout\?locale=de.*&order=/);
    expect(sent).toEqual([]);
  });

  it('creates the payment with the secret key and a key bound to the order', async () => {
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

  it('sells what is not shipped without an address', async () => {
    await get(await order({ cart: 'digital', currency: 'eur' }));
    const body = JSON.parse(sent[0]?.body ?? '{}');
    expect(body).toMatchObject({
      goods_type: 'non_physical',
      currency: 'eur',
      amount: 5184,
      shipping_amount: 0,
    });
    expect(body).not.toHaveProperty('shipping_details');
  });

  it('leads to the same payment when reloaded, even seen in another way', async () => {
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

  it('gives the page what it needs, and nobody a copy', async () => {
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

  it('stands under a strict policy with two lines for the service', async () => {
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

  it('says when the service does not answer', async () => {
    refuse = true;
    const response = await get(await order());
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('Nothing was charged.');
  });

  it('knows only orders that were placed', async () => {
    expect((await get('/checkout?order=made-up')).status).toBe(404);
    expect((await get('/thanks?order=made-up')).status).toBe(404);
    expect((await get('/thanks')).status).toBe(404);
    expect(sent).toEqual([]);
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

  it("is shown when the service's word to the server is succeeded", async () => {
    expect(await thanks('succeeded')).toContain('Thank you!');
  });

  it.each(['pending', 'canceled', 'a_word_of_the_future'])('is not shown for %s', async (state) => {
    const body = await thanks(state);
    expect(body).toContain('Not paid yet');
    expect(body).toContain(state);
    expect(body).toContain('Check again');
    expect(body).not.toContain('Thank you!');
  });

  it('says of a payment in processing that it need not be made again', async () => {
    const body = await thanks('processing');
    expect(body).toContain('being processed');
    expect(body).toContain('need not pay again');
    expect(body).not.toContain('Back to payment');
  });

  it('cannot be had for an order whose payment was never begun', async () => {
    expect((await get((await order()).replace('/checkout', '/thanks'))).status).toBe(404);
  });
});

describe('files', () => {
  it.each([
    ['/shop.css', 'text/css; charset=utf-8'],
    ['/checkout.js', 'text/javascript; charset=utf-8'],
  ])('%s is served', async (path, type) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
  });

  it.each(['/checkout.html', '/..%2fpackage.json', '//evil.example/', '/nowhere', '/constructor'])(
    '%s is not',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
