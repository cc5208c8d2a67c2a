import { describe, expect, it, vi } from 'vitest';
import { type Client, createClient, TIMEOUTS } from './client.ts';
import { CLIENT_INTENT } from './client-intent.fixture.ts';
import { clientRequest, retrieveBody } from './client-request.ts';
import { createManualClock } from './clock/manual-clock.ts';
import { exampleDetails } from './confirm-details.fixture.ts';
import type { Failure } from './errors.ts';
import { LARGEST_BODY } from './read-json.ts';

const DETAILS = exampleDetails();

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Creates a client whose requests `fetch` answers. */
const createTrial = (fetch: Fetch, more: Partial<Parameters<typeof createClient>[0]> = {}) => {
  const clock = createManualClock();
  const asked = vi.fn(fetch);
  const client = createClient({
    baseUrl: 'https://pay.example',
    publishableKey: 'pk_live_1',
    clientSecret: () => 'lg_cs_1',
    clock,
    fetch: asked,
    ...more,
  });
  return { client, clock, asked };
};

/** A read that was sent for this secret at this time, before there was a client. */
const sentEarly = (
  answer: Promise<Response>,
  { secret = 'lg_cs_1', at = 0 }: { secret?: string; at?: number } = {},
) => ({ isFor: (body: string) => body === retrieveBody(secret), at, answer, abandon: vi.fn() });

const ROUTES = ['retrieve', 'confirm', 'release'] as const;
type Route = (typeof ROUTES)[number];

const call = (client: Client, route: Route, signal?: AbortSignal) =>
  route === 'confirm'
    ? client.confirm(DETAILS, { amount: 1234, currency: 'usd' }, signal)
    : client[route](signal);

const JSON_TYPE = { 'Content-Type': 'application/json' };
const json = (value: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(value), { headers: JSON_TYPE, ...init });

/** Returns the client's result for one answer. */
const made = (answer: () => Response, route: Route = 'retrieve') =>
  call(createTrial(async () => answer()).client, route);

const failed = (failure: Failure) => ({ ok: false, failure });
const MALFORMED = failed({ kind: 'no_answer', reason: 'malformed' });
const NETWORK = failed({ kind: 'no_answer', reason: 'network' });
const TIMED_OUT = failed({ kind: 'no_answer', reason: 'timeout' });

const never: Fetch = () => new Promise<Response>(() => {});

describe('contract 3.8: onAnswer receives every answer', () => {
  const DATE = 'Sun, 15 Nov 2026 12:00:00 GMT';
  const heardOf = async (answer: Fetch, route: Route, early?: Response) => {
    const heard: (string | null)[] = [];
    const { client } = createTrial(answer, {
      onAnswer: ({ headers }) => heard.push(headers.get('Date')),
      prefetched: early && sentEarly(Promise.resolve(early)),
    });
    await call(client, route);
    return heard;
  };
  const dated = (status: number) => json(CLIENT_INTENT, { status, headers: { ...JSON_TYPE, Date: DATE } });

  it.each(ROUTES.flatMap((route) => [200, 401, 429, 502].map((status) => [route, status] as const)))(
    '%s, with the status %i',
    async (route, status) => {
      expect(await heardOf(async () => dated(status), route)).toEqual([DATE]);
    },
  );

  it('including that of a read sent before there was a client', async () => {
    expect(await heardOf(never, 'retrieve', dated(200))).toEqual([DATE]);
  });

  it('but no failed request', async () => {
    expect(await heardOf(() => Promise.reject(new TypeError('Failed to fetch')), 'retrieve')).toEqual([]);
  });
});

describe('contract 3: the request', () => {
  const requestOf = async (route: Route) => {
    const { client, asked } = createTrial(async () => json(CLIENT_INTENT));
    await call(client, route);
    expect(asked).toHaveBeenCalledOnce();
    const [url, init] = asked.mock.calls[0] ?? [];
    const { signal, body, ...rest } = init ?? {};
    expect(signal).toBeInstanceOf(AbortSignal);
    return { url, body: JSON.parse(String(body)), rest };
  };

  it.each(ROUTES)(
    'contract 3.4: %s: POST, the publishable key, no credentials of another origin, no cache, no redirect, no referrer',
    async (route) => {
      const { url, rest } = await requestOf(route);
      expect(url).toBe(`https://pay.example/partner/v1/client/payment_intents/${route}`);
      expect(rest).toEqual({
        method: 'POST',
        headers: { Authorization: 'Bearer pk_live_1', 'Content-Type': 'application/json' },
        mode: 'cors',
        credentials: 'same-origin',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      });
    },
  );

  it.each(['retrieve', 'release'] as const)(
    '3.1, 3.3 %s: the client secret and nothing else',
    async (route) => {
      expect((await requestOf(route)).body).toEqual({ client_secret: 'lg_cs_1' });
    },
  );

  it('contract 3.2: confirm: the shown total and currency, the card, the billing details with null for empty fields', async () => {
    const { body } = await requestOf('confirm');
    expect(body).toEqual({ client_secret: 'lg_cs_1', amount_total: 1234, currency: 'usd', ...DETAILS });
    expect(Object.keys(body)).toEqual([
      'client_secret',
      'amount_total',
      'currency',
      'card',
      'billing_details',
    ]);
    expect(Object.keys(body.billing_details.address)).toEqual([
      'line1',
      'line2',
      'city',
      'state',
      'postal_code',
      'country',
    ]);
  });
});

describe('outcomes 2.6: only a parsed intent is a success', () => {
  it.each(ROUTES)('%s: 200 with an intent', async (route) => {
    expect(await made(() => json(CLIENT_INTENT), route)).toEqual({ ok: true, value: CLIENT_INTENT });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])(
    'is read as %s',
    async (type) => {
      expect(await made(() => json(CLIENT_INTENT, { headers: { 'Content-Type': type } }))).toMatchObject({
        ok: true,
      });
    },
  );

  it.each([
    ['pending', 'processing'],
    ['succeeded', 'succeeded'],
  ])(
    'contract 4.6: %s with an attempt in progress reads as %s, without an earlier error',
    async (status, reads) => {
      const error = { type: 'card_error', code: 'payment_failed', message: 'Declined.' };
      const running = { ...CLIENT_INTENT, status, attempt_in_progress: true, last_payment_error: error };
      expect(await made(() => json(running))).toEqual({
        ok: true,
        value: { ...running, status: reads, last_payment_error: null },
      });
    },
  );

  it('a body that arrives byte by byte, split within characters', async () => {
    const value = { ...CLIENT_INTENT, description: 'Tee für Zoë ☕️' };
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await made(() => new Response(body, { headers: JSON_TYPE }))).toEqual({ ok: true, value });
  });
});

describe('outcomes 2.6: 200 malformed, HTML, truncated, empty, wrong object, > 768 KiB, not JSON type, 204', () => {
  const text = JSON.stringify(CLIENT_INTENT);
  const broken = new TextEncoder().encode(text).map((byte) => (byte === 'T'.charCodeAt(0) ? 0xff : byte));
  const padded = (size: number) => text + ' '.repeat(size - text.length);

  it.each<[string, () => Response]>([
    ['HTML', () => new Response('<!doctype html><p>ok', { headers: { 'Content-Type': 'text/html' } })],
    ['HTML that says it is JSON', () => new Response('<!doctype html><p>ok', { headers: JSON_TYPE })],
    ['empty', () => new Response('', { headers: JSON_TYPE })],
    ['no body at all', () => new Response(null, { headers: JSON_TYPE })],
    ['204', () => new Response(null, { status: 204, headers: JSON_TYPE })],
    ['201 with an intent', () => json(CLIENT_INTENT, { status: 201 })],
    ['an intent without a content type', () => new Response(new TextEncoder().encode(text))],
    ['an intent as text/plain', () => json(CLIENT_INTENT, { headers: { 'Content-Type': 'text/plain' } })],
    [
      'an intent as text/application/json',
      () => json(CLIENT_INTENT, { headers: { 'Content-Type': 'text/application/json' } }),
    ],
    [
      'an intent as application/jsonp',
      () => json(CLIENT_INTENT, { headers: { 'Content-Type': 'application/jsonp' } }),
    ],
    ['more than 768 KiB', () => new Response(padded(LARGEST_BODY + 1), { headers: JSON_TYPE })],
    ['another object', () => json({ ...CLIENT_INTENT, object: 'refund' })],
    ['an intent without its amount', () => json({ ...CLIENT_INTENT, amount: undefined })],
    ['null', () => json(null)],
    ['an intent with a byte that is no UTF-8', () => new Response(broken, { headers: JSON_TYPE })],
    [
      'the required fields in __proto__ alone',
      () => new Response(`{"__proto__":${text}}`, { headers: JSON_TYPE }),
    ],
  ])('%s is malformed, for every call', async (_, answer) => {
    for (const route of ROUTES) expect(await made(answer, route), route).toEqual(MALFORMED);
  });

  it('cut off in the middle of the body is malformed', async () => {
    const cut = () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(text.slice(0, 40)));
          controller.error(new TypeError('terminated'));
        },
      });
    expect(await made(() => new Response(cut(), { headers: JSON_TYPE }), 'confirm')).toEqual(MALFORMED);
  });

  it('768 KiB exactly is read', async () => {
    expect(await made(() => new Response(padded(LARGEST_BODY), { headers: JSON_TYPE }))).toMatchObject({
      ok: true,
    });
    expect(LARGEST_BODY).toBe(786_432);
  });

  it('more than 768 KiB is not read to the end', async () => {
    let sent = 0;
    const flood = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024).fill(32));
      },
    });
    expect(await made(() => new Response(flood, { headers: JSON_TYPE }))).toEqual(MALFORMED);
    expect(sent).toBeLessThan(2 * LARGEST_BODY);
  });
});

describe('outcomes 2.6: error answers', () => {
  const ERROR = { type: 'card_error', code: 'payment_method_declined', message: 'Declined.' };

  it('402 with decline_code and param: both are passed on', async () => {
    const error = { ...ERROR, param: 'card', decline_code: 'insufficient_funds' };
    expect(await made(() => json({ error }, { status: 402 }), 'confirm')).toEqual(
      failed({
        kind: 'refused',
        status: 402,
        code: 'payment_method_declined',
        type: 'card_error',
        message: 'The service answered with payment_method_declined.',
        param: 'card',
        declineCode: 'insufficient_funds',
      }),
    );
  });

  it.each<[string, object]>([
    ['missing', {}],
    ['null', { param: null, decline_code: null }],
  ])('param and decline_code %s: null', async (_, more) => {
    expect(await made(() => json({ error: { ...ERROR, ...more } }, { status: 402 }))).toMatchObject({
      failure: { code: 'payment_method_declined', param: null, declineCode: null },
    });
  });

  it.each([400, 401, 402, 403, 404, 408, 409, 413, 425, 451, 500, 502, 503, 504, 599])(
    'a %i whose body is not {"error": {type, code, message}} has the code http_<n>',
    async (status) => {
      const bodies: readonly (() => Response)[] = [
        () =>
          new Response('<!doctype html><h1>Bad Gateway', {
            status,
            headers: { 'Content-Type': 'text/html' },
          }),
        () => new Response(null, { status }),
        () => new Response('{"error":{"type":"card_error","co', { status, headers: JSON_TYPE }),
        () => json({ error: ERROR }, { status, headers: { 'Content-Type': 'text/html' } }),
        () => json({}, { status }),
        () => json({ error: 'payment_method_declined' }, { status }),
        () => json({ error: { ...ERROR, code: 402 } }, { status }),
        () => json({ error: { ...ERROR, code: 'Not a <code>' } }, { status }),
        () => json({ error: { ...ERROR, type: undefined } }, { status }),
        () => json({ error: { ...ERROR, message: undefined } }, { status }),
        () =>
          new Response(`{"__proto__":{"error":${JSON.stringify(ERROR)}}}`, { status, headers: JSON_TYPE }),
        () => new Response(' '.repeat(LARGEST_BODY + 1), { status, headers: JSON_TYPE }),
      ];
      for (const [index, body] of bodies.entries()) {
        expect(await made(body, 'confirm'), `body ${index}`).toEqual(
          failed({
            kind: 'refused',
            status,
            code: `http_${status}`,
            type: 'api_error',
            message: expect.stringContaining(String(status)),
            param: null,
            declineCode: null,
          }),
        );
      }
    },
  );

  it.each<[string, object]>([
    ['param', { param: ['card', 'number'] }],
    ['decline_code', { decline_code: { network: 51 } }],
  ])('an error with type, code and message is well-formed whatever its %s is', async (_, more) => {
    expect(await made(() => json({ error: { ...ERROR, ...more } }, { status: 402 }))).toMatchObject({
      failure: { kind: 'refused', code: 'payment_method_declined', param: null, declineCode: null },
    });
  });

  it('a code of a later service is unknown_code', async () => {
    const error = { ...ERROR, code: 'a_later_code' };
    expect(await made(() => json({ error }, { status: 400 }))).toMatchObject({
      failure: { status: 400, code: 'unknown_code' },
    });
  });
});

describe('threat-model C19: an error passes on no word of the service that is not one of a closed list', () => {
  const typed = ['4242424242424242', 'NDI0MjQyNDI', 'mr_p_cvc_987', 'ada@example.com', '12 Orchard Lane'];

  it.each(typed)('a refusal (%s)', async (said) => {
    const code = said.toLowerCase().replace(/[^a-z0-9_]/g, '_');
    const error = { type: said, code, message: said, param: said, decline_code: said };
    expect(await made(() => json({ error }, { status: 400 }), 'confirm')).toEqual(
      failed({
        kind: 'refused',
        status: 400,
        code: 'unknown_code',
        type: 'api_error',
        message: 'The service answered with unknown_code.',
        param: null,
        declineCode: 'generic_decline',
      }),
    );
  });

  it.each(ROUTES)('the last error of an intent (%s)', async (route) => {
    const said = 'a4242424242424242';
    const error = { type: said, code: said, message: said, param: said, decline_code: said };
    const body = { ...CLIENT_INTENT, last_payment_error: error, missing_details: ['buyer.name', said] };
    const answer = await made(() => json(body), route);
    expect(answer).toMatchObject({
      ok: true,
      value: {
        last_payment_error: {
          type: 'api_error',
          code: 'unknown_code',
          param: null,
          decline_code: 'generic_decline',
        },
        missing_details: ['buyer', 'details'],
      },
    });
    expect(JSON.stringify(answer)).not.toMatch(/4242/);
  });
});

describe('outcomes 2.6, threat-model C65: 429', () => {
  const limited = (retryAfter: string | null) => () =>
    json(
      { error: { type: 'rate_limit_error', code: 'rate_limited', message: 'Slow down.' } },
      { status: 429, headers: retryAfter === null ? JSON_TYPE : { ...JSON_TYPE, 'Retry-After': retryAfter } },
    );

  it.each<[string | null, number, boolean]>([
    [null, 60, false],
    ['', 60, false],
    ['-1', 60, false],
    ['1.5', 60, false],
    ['5s', 60, false],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 60, false],
    ['1, 2', 60, false],
    ['0', 0, true],
    ['5', 5, true],
    [' 5 ', 5, true],
    ['3600', 3600, true],
    ['1000000000', 1_000_000_000, true],
  ])('Retry-After %j: %i s (stated: %s)', async (header, retryAfter, stated) => {
    for (const route of ROUTES) {
      expect(await made(limited(header), route)).toEqual(failed({ kind: 'throttled', retryAfter, stated }));
    }
  });

  it('Retry-After of eleven digits is read as a number, not replaced by 60 s', async () => {
    const result = await made(limited('10000000000'));
    expect(result).toMatchObject({ failure: { kind: 'throttled', stated: true } });
  });

  it('needs no body, and no JSON', async () => {
    const bare = () =>
      new Response('<h1>Too many requests', { status: 429, headers: { 'Retry-After': '7' } });
    const empty = () => new Response(null, { status: 429, headers: { 'Retry-After': '7' } });
    for (const answer of [bare, empty])
      expect(await made(answer)).toEqual(failed({ kind: 'throttled', retryAfter: 7, stated: true }));
  });

  it('does not wait for the body to end', async () => {
    const endless = new ReadableStream({ cancel: () => new Promise<void>(() => {}) });
    const { client, clock } = createTrial(
      async () => new Response(endless, { status: 429, headers: { 'Retry-After': '5' } }),
    );
    const result = call(client, 'retrieve');
    await clock.advance(TIMEOUTS.retrieve);
    expect(await result).toEqual(failed({ kind: 'throttled', retryAfter: 5, stated: true }));
  });

  it.each(ROUTES)('%s: no request before that time', async (route) => {
    const { client, clock, asked } = createTrial(async () => limited('5')());
    await call(client, route);
    for (const [until, secondsLeft] of [
      [0, 5],
      [1, 5],
      [999, 5],
      [1000, 4],
      [4000, 1],
      [4999, 1],
    ] as const) {
      await clock.advance(until - clock.now());
      expect(await call(client, route)).toEqual(
        failed({ kind: 'throttled', retryAfter: secondsLeft, stated: true }),
      );
    }
    expect(asked).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    await call(client, route);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('the time counts from the answer, not from the request', async () => {
    const { client, clock, asked } = createTrial(async () => {
      await clock.wait(3000);
      return limited('2')();
    });
    const first = call(client, 'retrieve');
    await clock.advance(3000);
    await first;
    await clock.advance(1999);
    await call(client, 'retrieve');
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it.each(ROUTES)('only the route %s is held back', async (route) => {
    const { client, asked } = createTrial(async (url) =>
      String(url).endsWith(route) ? limited('5')() : json(CLIENT_INTENT),
    );
    await call(client, route);
    for (const other of ROUTES) {
      if (other !== route) expect(await call(client, other)).toMatchObject({ ok: true });
    }
    expect(asked).toHaveBeenCalledTimes(3);
    expect(await call(client, route)).toMatchObject({ failure: { kind: 'throttled' } });
    expect(asked).toHaveBeenCalledTimes(3);
  });

  it('a request that fails later does not end the wait', async () => {
    const { client, clock, asked } = createTrial(async () => {
      if (asked.mock.calls.length > 1) return limited('5')();
      await clock.wait(1000);
      throw new TypeError('Failed to fetch');
    });
    const slow = call(client, 'retrieve');
    await call(client, 'retrieve');
    await clock.advance(1000);
    expect(await slow).toEqual(NETWORK);
    expect(await call(client, 'retrieve')).toMatchObject({ failure: { kind: 'throttled', retryAfter: 4 } });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('Retry-After 0 holds nothing back', async () => {
    const { client, asked } = createTrial(async () => limited('0')());
    await call(client, 'retrieve');
    await call(client, 'retrieve');
    expect(asked).toHaveBeenCalledTimes(2);
  });
});

describe('outcomes 2.6: DNS, connection, reset, redirect', () => {
  it.each(ROUTES)('%s: a TypeError of fetch is "network"', async (route) => {
    const { client, clock } = createTrial(async () => {
      throw new TypeError('Failed to fetch');
    });
    expect(await call(client, route)).toEqual(NETWORK);
    expect(clock.waiting(), 'no timer is left').toBe(0);
  });

  it('outcomes G3: a request without an answer is not sent again, because it may have acted', async () => {
    const { client, clock, asked } = createTrial(async () => {
      throw new TypeError('Failed to fetch');
    });
    await call(client, 'confirm');
    await clock.advance(600_000);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Fetch]>([
    [
      'throws instead of rejecting',
      () => {
        throw new TypeError('blocked');
      },
    ],
    ['answers with nothing', async () => JSON.parse('null')],
  ])('resolves even if a replaced fetch %s', async (_, fetch) => {
    const { client } = createTrial(fetch);
    await expect(call(client, 'confirm')).resolves.toMatchObject({
      ok: false,
      failure: { kind: 'no_answer' },
    });
  });
});

describe('outcomes 2.3: retrieve and release time out after 10 s, confirm after 75 s', () => {
  it.each([
    ['retrieve', 10_000],
    ['release', 10_000],
    ['confirm', 75_000],
  ] as const)('%s: %i ms, even if fetch ignores its signal', async (route, ms) => {
    expect(TIMEOUTS[route]).toBe(ms);
    const { client, clock, asked } = createTrial(never);
    const ended = vi.fn();
    void call(client, route).then(ended);
    await clock.advance(ms - 1);
    expect(ended).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(ended).toHaveBeenCalledWith(TIMED_OUT);
    expect(asked.mock.calls[0]?.[1]?.signal?.aborted, 'the request is aborted').toBe(true);
    expect(clock.waiting()).toBe(0);
  });

  it.each(ROUTES)('%s: a body that never ends is timed out too', async (route) => {
    const { client, clock } = createTrial(
      async () =>
        new Response(new ReadableStream({ pull: () => new Promise<void>(() => {}) }), { headers: JSON_TYPE }),
    );
    const ended = vi.fn();
    void call(client, route).then(ended);
    await clock.advance(TIMEOUTS[route]);
    expect(ended).toHaveBeenCalledWith(TIMED_OUT);
  });
});

describe('abort', () => {
  it.each(ROUTES)(
    '%s: ends at once, even if fetch ignores its signal, and leaves no timer',
    async (route) => {
      const { client, clock, asked } = createTrial(never);
      const controller = new AbortController();
      const ended = vi.fn();
      void call(client, route, controller.signal).then(ended);
      await clock.advance(1000);
      expect(ended).not.toHaveBeenCalled();
      controller.abort();
      await clock.advance(0);
      expect(ended).toHaveBeenCalledWith(NETWORK);
      expect(asked.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
      expect(clock.waiting()).toBe(0);
    },
  );
});

describe('a prefetched read', () => {
  const ahead = (...given: Parameters<typeof sentEarly>) => {
    const prefetched = sentEarly(...given);
    const trial = createTrial(async () => json({ ...CLIENT_INTENT, id: 'lg_pi_asked' }), { prefetched });
    return { ...trial, abandon: prefetched.abandon };
  };
  const idOf = async (client: Client) => {
    const result = await client.retrieve();
    return result.ok ? result.value.id : result.failure;
  };

  it('answers the first retrieve and no other', async () => {
    const { client, asked } = ahead(Promise.resolve(json(CLIENT_INTENT)));
    expect(await idOf(client)).toBe('lg_pi_1');
    expect(asked).not.toHaveBeenCalled();
    expect(await idOf(client)).toBe('lg_pi_asked');
    expect(asked).toHaveBeenCalledOnce();
  });

  it('is parsed like any other answer', async () => {
    const { client } = ahead(Promise.resolve(json({ ...CLIENT_INTENT, amount_total: '1234' })));
    expect(await client.retrieve()).toEqual(MALFORMED);
  });

  it('that failed is a failed retrieve and is not repeated', async () => {
    const { client, asked } = ahead(Promise.reject(new TypeError('Failed to fetch')));
    expect(await client.retrieve()).toEqual(NETWORK);
    expect(asked).not.toHaveBeenCalled();
  });

  it('has the same timeout as any other and is aborted then', async () => {
    const { client, clock, abandon } = ahead(new Promise<Response>(() => {}));
    const result = client.retrieve();
    await clock.advance(TIMEOUTS.retrieve - 1);
    expect(abandon).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(await result).toEqual(TIMED_OUT);
    expect(abandon).toHaveBeenCalledOnce();
  });

  it('is aborted if the retrieve that would use it was aborted before', async () => {
    const { client, asked, abandon } = ahead(new Promise<Response>(() => {}));
    expect(await client.retrieve(AbortSignal.abort())).toEqual(NETWORK);
    expect(abandon).toHaveBeenCalledOnce();
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    ['is for another intent', { secret: 'lg_cs_2' }],
    ['is as old as the timeout', { at: -TIMEOUTS.retrieve }],
  ])('is aborted and sent again if it %s', async (_, changes) => {
    const { client, asked, abandon } = ahead(Promise.resolve(json(CLIENT_INTENT)), changes);
    expect(await idOf(client)).toBe('lg_pi_asked');
    expect(asked).toHaveBeenCalledOnce();
    expect(abandon).toHaveBeenCalledOnce();
  });

  it('is never used for a confirm or a release', async () => {
    const { client, asked } = ahead(Promise.resolve(json(CLIENT_INTENT)));
    await client.release();
    await call(client, 'confirm');
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('is the same request as any other retrieve', async () => {
    const { client, asked } = createTrial(async () => json(CLIENT_INTENT));
    await client.retrieve();
    const [url, { signal: _, ...init } = {}] = asked.mock.calls[0] ?? [];
    const [aheadUrl, { signal: __, ...aheadInit }] = clientRequest(
      'https://pay.example',
      'pk_live_1',
      'retrieve',
      retrieveBody('lg_cs_1'),
      new AbortController().signal,
    );
    expect([aheadUrl, aheadInit]).toEqual([url, init]);
  });
});
