import { describe, expect, it } from 'vitest';
import { createWorld, ORDER } from '../../sandbox/service/sandbox.fixture.ts';
import type { CreatePaymentIntent } from './api-types.ts';
import { createServiceClient, type ServiceClientOptions } from './client.ts';
import { ServiceError, type ServiceFailure, ServiceMistake } from './service-error.ts';

/** The network's effect on one request. */
type Fault =
  | 'none'
  /** The service never receives it. */
  | 'lost'
  /** The service acts, but its answer is lost. */
  | 'answer_lost'
  /** The service acts, and its answer is cut off halfway. */
  | 'answer_cut'
  /** No answer, ever. */
  | 'silence'
  /** The service did not act, and this is the answer. */
  | { status: number; headers?: Record<string, string>; body?: unknown };

const errorBody = (code: string, more: object = {}) => ({
  error: { type: 'x', code, message: 'Because.', ...more },
});

const BODY: CreatePaymentIntent = { ...ORDER, currency: 'usd' };
const KEYED = { idempotencyKey: 'order-1' };

/** A client whose service is a sandbox, behind a network with these faults, one per request. */
const createMerchant = (faults: readonly Fault[] = [], options: Partial<ServiceClientOptions> = {}) => {
  const world = createWorld();
  const waiting = [...faults];
  const sent: { path: string; headers: Headers; body: unknown; at: number; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const headers = new Headers(init.headers);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    sent.push({ path: pathname + search, headers, body, at: world.clock.now(), init });
    const fault = waiting.shift() ?? 'none';
    if (fault === 'lost') throw new TypeError('fetch failed');
    if (fault === 'silence')
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    if (typeof fault === 'object') {
      const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? {});
      return new Response(text, { status: fault.status, headers: fault.headers ?? {} });
    }
    const response = await world.sandbox.fetch(new Request(url, init));
    if (fault === 'answer_lost') throw new TypeError('fetch failed');
    if (fault === 'answer_cut') return new Response((await response.text()).slice(0, 40), response);
    return response;
  };
  const service = createServiceClient({
    baseUrl: 'https://service.test',
    secretKey: world.sandbox.keys.secret,
    fetch,
    clock: { now: world.clock.now, wait: world.clock.wait }, // moves with the service's clock
    random: () => 0.5,
    ...options,
  });
  return { world, service, sent };
};

/** Advances time until a call is settled. */
const settled = async <Value>(
  clock: { advance(ms: number): Promise<void> },
  call: Promise<Value>,
): Promise<Value> => {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  call.then(end, end);
  for (let times = 0; times < 2000 && !isOver; times += 1) await clock.advance(100);
  return call;
};

const failureOf = async (call: Promise<unknown>): Promise<ServiceFailure> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) return error.failure;
    throw error;
  }
  throw new Error('It was to fail.');
};

const mistakeOf = async (call: () => unknown): Promise<string> => {
  try {
    await call();
  } catch (error) {
    if (error instanceof ServiceMistake) return error.code;
    throw error;
  }
  return 'none';
};

const UNCERTAIN: readonly [string, Fault][] = [
  ['a lost request', 'lost'],
  ['a lost answer', 'answer_lost'],
  ['a cut answer', 'answer_cut'],
  ['a timeout', 'silence'],
  ['500', { status: 500, body: errorBody('internal_error') }],
  ['502', { status: 502, body: errorBody('provider_error') }],
  ['503 of a proxy', { status: 503, body: '<h1>Busy</h1>' }],
  ['a page with status 200', { status: 200, body: '<h1>Hello</h1>' }],
  ['another object', { status: 200, body: { object: 'list', data: [], has_more: false } }],
];

describe('retry rules: 429, 500, 502, timeouts and network errors are retried with the same Idempotency-Key', () => {
  it.each(UNCERTAIN)('create after %s: one payment, and its client secret', async (_, fault) => {
    const { world, service, sent } = createMerchant([fault, fault]);
    const payment = await settled(world.clock, service.paymentIntents.create(BODY, KEYED));
    expect(payment.client_secret).toMatch(/^lg_cs_/);
    expect(world.service.store.intents.size).toBe(1);
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(Array(3).fill('order-1'));
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill(BODY));
  });

  it.each(UNCERTAIN)('refund after %s: one refund', async (_, fault) => {
    const { world, service, sent } = createMerchant([fault]);
    const { id } = await world.paid();
    const body = { payment_intent: id, amount: 100 };
    const refund = await settled(world.clock, service.refunds.create(body, { idempotencyKey: 'refund-1' }));
    expect(refund).toMatchObject({ object: 'refund', amount: 100, payment_intent: id });
    expect(world.service.store.refunds.size).toBe(1);
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['refund-1', 'refund-1']);
  });

  it('429: the client waits exactly as long as Retry-After says', async () => {
    const limited = { status: 429, headers: { 'retry-after': '7' }, body: errorBody('rate_limited') };
    const { world, service, sent } = createMerchant([limited, limited]);
    await settled(world.clock, service.balance());
    const [first = 0, second = 0, third = 0] = sent.map(({ at }) => at);
    expect([second - first, third - second]).toEqual([7000, 7000]);
  });

  it('429 without a readable Retry-After: one window of the limit', async () => {
    const limited = { status: 429, headers: { 'retry-after': 'soon' } };
    const { world, service, sent } = createMerchant([limited]);
    await settled(world.clock, service.balance());
    const [first = 0, second = 0] = sent.map(({ at }) => at);
    expect(second - first).toBe(60_000);
  });

  it('429 for longer than the caller would wait fails, and says how long', async () => {
    const limited = { status: 429, headers: { 'retry-after': '61' } };
    const { service, sent } = createMerchant([limited]);
    expect(await failureOf(service.balance())).toEqual({ kind: 'rate_limited', retryAfter: 61 });
    expect(sent).toHaveLength(1);
  });

  it('full jitter: a wait is a random share of a ceiling that doubles, up to eight seconds', async () => {
    const shares = [0, 0.25, 0.5, 0.75, 0.875, 0.5];
    const { world, service, sent } = createMerchant(Array(6).fill('lost'), {
      retries: 6,
      random: () => shares.shift() ?? 0,
    });
    await settled(world.clock, service.balance());
    const waits = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    expect(waits).toEqual([0, 0.25 * 1000, 0.5 * 2000, 0.75 * 4000, 0.875 * 8000, 0.5 * 8000]);
  });

  it('a call fails after its last retry, and says how often it was sent', async () => {
    const { world, service, sent } = createMerchant(Array(10).fill('lost'), { retries: 2 });
    const call = service.paymentIntents.create(BODY, KEYED);
    await expect(settled(world.clock, call)).rejects.toMatchObject({
      name: 'ServiceError',
      attempts: 3,
      failure: { kind: 'no_answer', reason: 'network' },
    });
    expect(sent).toHaveLength(3);
  });

  it.each<[string, Fault, ServiceFailure]>([
    ['a timeout', 'silence', { kind: 'no_answer', reason: 'timeout' }],
    ['a cut answer', 'answer_cut', { kind: 'no_answer', reason: 'malformed' }],
    [
      '502',
      { status: 502, body: errorBody('provider_error') },
      { kind: 'failed', status: 502, code: 'provider_error' },
    ],
    [
      'a new code',
      { status: 500, body: errorBody('newer') },
      { kind: 'failed', status: 500, code: 'unknown_code' },
    ],
  ])('retries: 0 sends once: %s', async (_, fault, failure) => {
    const { world, service, sent } = createMerchant([fault], { retries: 0 });
    const call = failureOf(service.balance());
    expect(await settled(world.clock, call)).toEqual(failure);
    expect(sent).toHaveLength(1);
  });
});

describe('400, 401, 402, 404 and 409 fail again unless the cause is fixed: never retried', () => {
  it.each([300, 302, 400, 401, 402, 403, 404, 408, 409, 422])('%i', async (status) => {
    const { service, sent } = createMerchant([{ status, body: errorBody('validation_error') }]);
    expect(await failureOf(service.paymentIntents.create(BODY, KEYED))).toMatchObject({
      kind: 'refused',
      status,
    });
    expect(sent).toHaveLength(1);
  });

  it('a refusal has the code, the type, the param and the decline code of the service', async () => {
    const { service } = createMerchant();
    const call = service.paymentIntents.create({ ...BODY, amount: 0 }, KEYED);
    expect(await failureOf(call)).toEqual({
      kind: 'refused',
      status: 400,
      code: 'invalid_amount',
      type: 'invalid_request_error',
      param: 'amount',
      declineCode: null,
    });
    await expect(service.refunds.retrieve('lg_re_none')).rejects.toThrow(
      'GET /partner/v1/refunds/lg_re_none: answered 404 refund_not_found.',
    );
  });

  it('neither the key nor a card number is in a message', async () => {
    const key = `sk_live_${'7a'.repeat(16)}`;
    const fault = {
      status: 400,
      body: errorBody('validation_error', {
        message: `No 4242 4242 4242 4242 for Bearer ${key}.`,
        param: '4242424242424242',
      }),
    };
    const { service, world } = createMerchant([fault]);
    const error: unknown = await service.balance().catch((reason: unknown) => reason);
    const text = JSON.stringify([error, error instanceof Error ? error.message : '']);
    expect(text).toContain('validation_error');
    expect(text).not.toMatch(/4242/);
    expect(text).not.toContain(key);
    expect(text).not.toContain(world.sandbox.keys.secret);
  });
});

describe('update takes no idempotency key: the payment is retrieved first', () => {
  const change = {
    amount: 1500,
    items: [{ name: 'Mug', quantity: 1.5, unit_amount: 1000 }],
    metadata: { shelf: 'A' },
    description: null,
    buyer: { name: 'Grace Hopper' },
    shipping_details: { name: 'Grace', address: { line1: '1 Lane', country: 'US' } },
  };

  it('after a lost answer it is not sent again, because it has happened', async () => {
    const { world, service, sent } = createMerchant(['answer_lost']);
    const { id } = await world.intent();
    const intent = await settled(world.clock, service.paymentIntents.update(id, change));
    expect(intent).toMatchObject({ id, amount: 1500, metadata: { shelf: 'A' } });
    expect(sent.map(({ init }) => init.method)).toEqual(['POST', 'GET']);
    expect(sent.some(({ headers }) => headers.has('idempotency-key'))).toBe(false);
  });

  it.each<[string, Fault]>([
    ['a lost request', 'lost'],
    ['500', { status: 500 }],
  ])('after %s it is sent again, because it has not happened', async (_, fault) => {
    const { world, service, sent } = createMerchant([fault]);
    const { id } = await world.intent();
    const intent = await settled(world.clock, service.paymentIntents.update(id, change));
    expect(intent.amount).toBe(1500);
    expect(sent.map(({ init }) => init.method)).toEqual(['POST', 'GET', 'POST']);
  });

  it('after a 429 it is sent again without a look, because a 429 has done nothing', async () => {
    const { world, service, sent } = createMerchant([{ status: 429, headers: { 'retry-after': '1' } }]);
    const { id } = await world.intent();
    const intent = await settled(world.clock, service.paymentIntents.update(id, change));
    expect(intent.amount).toBe(1500);
    expect(sent.map(({ init }) => init.method)).toEqual(['POST', 'POST']);
  });

  it.each<[string, object]>([
    ['another amount', { amount: 1001 }],
    ['one item more', { items: [...ORDER.items, { name: 'Cup', quantity: 1, unit_amount: 1 }] }],
    ['metadata', { metadata: { a: 'b' } }],
    ['no buyer', { buyer: null }],
    [
      'another line of the address',
      { shipping_details: { name: 'Ada Byron', address: { ...ORDER.shipping_details.address, line2: 'b' } } },
    ],
  ])('%s is no update that has happened', async (_, one) => {
    const { world, service, sent } = createMerchant(['lost']);
    const { id } = await world.intent();
    await settled(world.clock, service.paymentIntents.update(id, one));
    expect(sent.map(({ init }) => init.method)).toEqual(['POST', 'GET', 'POST']);
  });

  it('an optional line that is left out must be gone', async () => {
    const { world, service, sent } = createMerchant(['lost']);
    const { shipping_details } = ORDER;
    const { id } = await world.intent({
      shipping_details: { ...shipping_details, address: { ...shipping_details.address, line2: 'Floor 2' } },
    });
    const intent = await settled(world.clock, service.paymentIntents.update(id, { shipping_details }));
    expect(intent.shipping_details?.address.line2).toBeNull();
    expect(sent).toHaveLength(3);
  });
});

describe('lists', () => {
  const many = async (count: number, faults: readonly Fault[] = []) => {
    const merchant = createMerchant(faults);
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.unshift((await merchant.world.intent()).id);
    return { ...merchant, ids };
  };

  it('contract S10: every object once, newest first, a page at a time', async () => {
    const { service, sent, ids } = await many(5);
    const found: string[] = [];
    for await (const { id } of service.paymentIntents.list({ limit: 2 })) found.push(id);
    expect(found).toEqual(ids);
    expect(sent.map(({ path }) => path.replace(/.*\?/, ''))).toEqual([
      'limit=2',
      `limit=2&starting_after=${ids[1]}`,
      `limit=2&starting_after=${ids[3]}`,
    ]);
  });

  it('an iteration that ends early loads no more, and can be continued', async () => {
    const { service, sent, ids } = await many(4);
    for await (const { id } of service.paymentIntents.list({ limit: 2 })) if (id === ids[1]) break;
    expect(sent).toHaveLength(1);
    const rest: string[] = [];
    for await (const { id } of service.paymentIntents.list({ starting_after: `${ids[1]}` })) rest.push(id);
    expect(rest).toEqual(ids.slice(2));
  });

  it('page by page, including refunds of a payment', async () => {
    const { service, world } = createMerchant();
    const { id } = await world.paid();
    await world.paid();
    for (const amount of [100, 200, 300]) await world.refund({ payment_intent: id, amount });
    const pages: number[][] = [];
    for await (const page of service.refunds.list({ payment_intent: id, limit: 2 }).pages())
      pages.push(page.data.map(({ amount }) => amount));
    expect(pages).toEqual([[300, 200], [100]]);
  });

  it('a page that is lost is loaded again', async () => {
    const { service, world, ids } = await many(3, ['none', 'answer_cut']);
    const found: string[] = [];
    const all = async () => {
      for await (const { id } of service.paymentIntents.list({ limit: 2 })) found.push(id);
    };
    await settled(world.clock, all());
    expect(found).toEqual(ids);
  });

  it.each([
    ['an empty page', { object: 'list', data: [], has_more: true }],
    [
      'the same page again',
      {
        object: 'list',
        data: [{ object: 'payment_intent', id: 'lg_pi_1', status: 'pending' }],
        has_more: true,
      },
    ],
  ])('%s that says more follows ends in an error, not in an endless loop', async (_, body) => {
    const { service } = createMerchant([
      { status: 200, body },
      { status: 200, body },
    ]);
    const all = async () => {
      for await (const _ of service.paymentIntents.list());
    };
    expect(await failureOf(all())).toEqual({ kind: 'no_answer', reason: 'malformed' });
  });
});

describe('every route', () => {
  it('answers with its object', async () => {
    const { service, world } = createMerchant();
    const { id } = await world.paid();
    expect(await service.paymentIntents.retrieve(id)).toMatchObject({
      object: 'payment_intent',
      status: 'succeeded',
    });
    expect(await service.balance()).toMatchObject({ object: 'balance' });
    expect(await service.quoteFees({ amount: 1000, currency: 'eur' })).toMatchObject({
      object: 'fee_quote',
      amount: 1000,
    });
    expect(await service.webhookSigningKeys()).toHaveLength(1);
    const made = await service.refunds.create({ payment_intent: id }, { idempotencyKey: 'r' });
    expect(await service.refunds.retrieve(made.id)).toMatchObject({ id: made.id });
  });

  it('is sent with the secret key, without caches and without following redirects', async () => {
    const { service, sent, world } = createMerchant();
    await service.balance();
    await service.quoteFees({ amount: 1000, currency: 'usd' });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(
      Array(2).fill(`Bearer ${world.sandbox.keys.secret}`),
    );
    expect(sent.map(({ headers }) => headers.get('content-type'))).toEqual([null, 'application/json']);
    expect(sent[0]?.init).toMatchObject({ cache: 'no-store', redirect: 'manual' });
  });
});

describe('a signal', () => {
  it('ends a call while it waits for an answer, and while it waits to send again', async () => {
    for (const fault of ['silence', 'lost'] as const) {
      const { world, service, sent } = createMerchant([fault]);
      const stop = new AbortController();
      const call = service.balance({ signal: stop.signal });
      await world.clock.advance(100);
      stop.abort(new Error('The buyer has left.'));
      await expect(settled(world.clock, call)).rejects.toThrow('The buyer has left.');
      expect(sent).toHaveLength(1);
    }
  });
});

describe('mistakes are thrown at once, with a code, and nothing is sent', () => {
  const OPTIONS = { baseUrl: 'https://pay.example', secretKey: `sk_live_${'s'.repeat(32)}` };

  it.each<[string, string, object]>([
    ['an address with a path', 'base_url_invalid', { baseUrl: 'https://pay.example/partner/v1' }],
    ['no address', 'base_url_invalid', { baseUrl: undefined }],
    ['http to another machine', 'base_url_insecure', { baseUrl: 'http://pay.example' }],
    [
      'http to a name that begins as this machine',
      'base_url_insecure',
      { baseUrl: 'http://localhost.example' },
    ],
    ['http to an address in the network', 'base_url_insecure', { baseUrl: 'http://192.168.1.7:4010' }],
    ['a publishable key', 'secret_key_invalid', { secretKey: `pk_live_${'s'.repeat(32)}` }],
    ['no key', 'secret_key_invalid', { secretKey: undefined }],
    ['a key with a line end', 'secret_key_invalid', { secretKey: 'sk_live_a\n' }],
    ['a negative timeout', 'option_invalid', { timeout: -1 }],
  ])('%s: %s', async (_, code, wrong) => {
    const create = () => Reflect.apply(createServiceClient, null, [{ ...OPTIONS, ...wrong }]);
    expect(await mistakeOf(create)).toBe(code);
    expect(create).not.toThrow(/s{32}/);
  });

  it.each([
    'http://sandbox:4010',
    'http://sandbox.invalid',
    'http://host.docker.internal:4010',
    'http://192.168.1.7:4010',
  ])('the key of a sandbox may go over http to %s; no other key may', async (baseUrl) => {
    const secretKey = `sk_live_sandbox${'s'.repeat(32)}`;
    expect(createServiceClient({ ...OPTIONS, baseUrl, secretKey })).toBeDefined();
    expect(() => createServiceClient({ ...OPTIONS, baseUrl })).toThrow('sk_live_sandbox');
  });

  it('says that nothing was given', () => {
    const { secretKey, ...rest } = OPTIONS;
    expect(() => Reflect.apply(createServiceClient, null, [rest])).toThrow('got nothing.');
    expect(() => Reflect.apply(createServiceClient, null, [{ secretKey }])).toThrow('got nothing.');
  });

  it.each([undefined, '', 'k'.repeat(256), 'ключ', 'a\n', ' a'])(
    'the idempotency key %j',
    async (idempotencyKey) => {
      const { service, sent } = createMerchant();
      const options = JSON.parse(JSON.stringify({ idempotencyKey }));
      expect(await mistakeOf(() => service.paymentIntents.create(BODY, options))).toBe(
        'idempotency_key_invalid',
      );
      expect(await mistakeOf(() => service.refunds.create({ payment_intent: 'lg_pi_1' }, options))).toBe(
        'idempotency_key_invalid',
      );
      expect(sent).toEqual([]);
    },
  );

  it('a body alone: names the options that follow it', async () => {
    const { service } = createMerchant();
    await expect(Reflect.apply(service.paymentIntents.create, null, [BODY])).rejects.toThrow(
      /in the options after the body; got nothing\. Derive it from the order/,
    );
  });

  it.each(['', '.', '..', '../balance', 'a/b', 'a?b', 'a#b'])(
    'the id %j cannot reach another route',
    async (id) => {
      const { service, sent } = createMerchant();
      expect(await mistakeOf(() => service.paymentIntents.retrieve(id))).toBe('id_invalid');
      expect(await mistakeOf(() => service.paymentIntents.update(id, {}))).toBe('id_invalid');
      expect(await mistakeOf(() => service.refunds.retrieve(id))).toBe('id_invalid');
      expect(sent).toEqual([]);
    },
  );
});
