import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SERVER_ROUTES } from '../../../api/routes.ts';
import { verifyWebhook, WebhookError } from '../../../merchant/server/verify-webhook.ts';
import { expectRefusal, refusedWith } from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';
import { EVENT_TYPES } from '../store/records.ts';
import { createStore } from '../store/store.ts';
import { rotateSigningKey, signatureHeader } from './signature.ts';
import { createMerchantWorld, type MerchantWorld, socketError } from './webhooks.fixture.ts';

let world: MerchantWorld;
/** The id of the endpoint that each test starts with. */
let endpoint: string;
beforeEach(async () => {
  world = createMerchantWorld();
  endpoint = (await world.endpoint()).id;
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The table of contract S14: the waits after the first and the later attempts. */
const WAITS = Object.values({
  'contract S14.1: after it 30 seconds': 30 * SECOND,
  'contract S14.2: after it 2 minutes': 2 * MINUTE,
  'contract S14.3: after it 10 minutes': 10 * MINUTE,
  'contract S14.4: after it 1 hour': HOUR,
  'contract S14.5: after it 4 hours': 4 * HOUR,
  'contract S14.6: after it 12 hours': 12 * HOUR,
  'contract S14.7: after it 24 hours': 24 * HOUR,
});

describe('contract S12.1 and S12.2', () => {
  it('contract S12.2: id, S12.2: object, S12.2: type, S12.2: created, S12.2: data.object: the payment intent, contract S12.1: payment_intent.succeeded, contract S2.1: evt_, contract S4.5', async () => {
    const { id } = await world.pay();
    const retrieved = await world.retrieve(id);
    expect(world.arrivals).toHaveLength(1);
    expect(JSON.parse(world.arrivals[0]?.body ?? '')).toEqual({
      id: expect.stringMatching(/^evt_[A-Za-z0-9]{24}$/),
      object: 'event',
      type: 'payment_intent.succeeded',
      created: Math.floor(world.clock.now() / 1000),
      data: { object: retrieved.body },
    });
  });

  it('the object is as it was at that moment, even when it is sent again later', async () => {
    world.replies(500);
    const { id } = await world.pay();
    const intent = world.service.store.intents.get(id);
    if (intent === undefined) throw new Error('no intent');
    world.service.ledger.change(intent, { amount_refunded: 500, unlock_schedule: [] });
    await world.clock.advance(30 * SECOND);
    const [first, second] = world.arrivals;
    expect(second?.body).toBe(first?.body);
    expect(second?.event.data.object).toMatchObject({ amount_refunded: 0 });
  });

  it.each(['4000000000000002', '4000000000010100', '4000000000000119', '4000000000010126'])(
    'nothing is sent for %s, which does not succeed',
    async (number) => {
      await world.pay(number);
      await world.clock.advance(HOUR);
      expect(world.arrivals).toEqual([]);
    },
  );

  it('a payment is announced once, even when its answer was lost', async () => {
    const { id } = await world.pay('4000000000010027');
    await world.retrieve(id);
    await world.clock.advance(HOUR);
    expect(world.arrivals).toHaveLength(1);
  });

  it('a payment that settles later is announced at that time, even if nobody reads it', async () => {
    const began = world.clock.now();
    await world.pay('4000000000010001');
    await world.clock.advance(3 * SECOND - 1);
    expect(world.arrivals).toEqual([]);
    await world.clock.advance(1);
    expect(world.arrivals).toMatchObject([
      { at: began + 3 * SECOND, event: { created: Math.floor(began / 1000) + 3 } },
    ]);
  });

  it.each([
    [500, 'contract S12.1: refund.succeeded', 'refund.succeeded', 'succeeded'],
    [513, 'contract S12.1: refund.failed', 'refund.failed', 'failed'],
  ])(
    'a refund of %i, %s; data.object is the refund, and nobody has to look',
    async (amount, _words, type, status) => {
      const { id } = await world.pay();
      world.arrivals.length = 0;
      const refund = await world.refunded(id, amount);
      await world.clock.advance(3 * SECOND - 1);
      expect(world.arrivals).toEqual([]);
      await world.clock.advance(1);
      expect(JSON.parse(world.arrivals[0]?.body ?? '')).toEqual({
        id: expect.stringMatching(/^evt_/),
        object: 'event',
        type,
        created: refund.created + 3,
        data: { object: { ...refund, status } },
      });
      await world.clock.advance(HOUR);
      expect(world.arrivals).toHaveLength(1);
    },
  );

  it('control lists events, newest first', async () => {
    const first = await world.pay();
    const second = await world.pay();
    const { body } = await world.control('events?limit=2');
    expect(body).toMatchObject({
      data: [{ data: { object: { id: second.id } } }, { data: { object: { id: first.id } } }],
    });
    expect(EVENT_TYPES).toEqual(['payment_intent.succeeded', 'refund.succeeded', 'refund.failed']);
  });
});

describe('contract S12.3: POST with these headers', () => {
  it('contract S12.3: Content-Type, S12.3: User-Agent, S12.3: Service-Event-Id, S12.3: Service-Event-Type, S12.3: Service-Signature, and no login (contract S13.4)', async () => {
    await world.pay();
    const [arrival] = world.arrivals;
    expect(arrival?.headers).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'Service-Event-Id': arrival?.event.id,
      'Service-Event-Type': 'payment_intent.succeeded',
      'Service-Signature': expect.stringMatching(
        new RegExp(`^t=${Math.floor(world.clock.now() / 1000)},kid=wsk_[0-9a-f]{24},v1=[A-Za-z0-9+/]{86}==$`),
      ),
    });
  });

  it('contract 5.6: Ed25519 over time, endpoint id and raw body, by the key that kid names', async () => {
    const two = await world.endpoint();
    await world.pay();
    const keys = await world.keys();
    const now = world.clock.now() / 1000;
    const [first, second] = world.arrivals;
    if (first === undefined || second === undefined) throw new Error('two were to arrive');
    expect((await verifyWebhook(first.body, first.headers, keys, endpoint, { now })).id).toBe(first.event.id);
    expect((await verifyWebhook(second.body, second.headers, keys, two.id, { now })).id).toBe(first.event.id);
    // Same event and same bytes; the endpoint's id is in the signature.
    expect(second.body).toBe(first.body);
    await expect(verifyWebhook(first.body, first.headers, keys, two.id, { now })).rejects.toThrow(
      WebhookError,
    );
  });

  it('each attempt is signed separately, at its own time', async () => {
    world.replies(500);
    await world.pay();
    await world.clock.advance(20 * MINUTE);
    const keys = await world.keys();
    expect(world.arrivals).toHaveLength(4);
    for (const { body, headers, at } of world.arrivals) {
      await expect(
        verifyWebhook(body, headers, keys, endpoint, { now: at / 1000, tolerance: 1 }),
      ).resolves.toHaveProperty('id');
    }
  });
});

describe('a clock that was moved by a control route', () => {
  it('moves the events, and not the time in the signature, which a merchant compares with the wall', async () => {
    world.replies(500);
    await world.pay();
    const now = world.clock.now() / 1000;
    await world.control('clock', { advance_seconds: 86_400 });
    world.replies(200);
    const paid = await world.pay();
    expect(world.arrivals).toHaveLength(8);
    const keys = await world.keys();
    const read = await Promise.all(
      world.arrivals.map(({ body, headers }) =>
        verifyWebhook(body, headers, keys, endpoint, { now, tolerance: 1 }),
      ),
    );
    expect(read.at(-1)).toMatchObject({ created: now + 86_400, data: { object: { id: paid.id } } });
  });
});

describe('contract S8.8; contract 5.5', () => {
  it('lists kid and public_key_pem, with the secret key', async () => {
    const response = await world.server('GET', SERVER_ROUTES.webhookSigningKeys);
    expect(response).toMatchObject({ status: 200 });
    expect(response.body).toEqual({
      object: 'list',
      data: [
        {
          kid: expect.stringMatching(/^wsk_/),
          public_key_pem: expect.stringMatching(
            /^-----BEGIN PUBLIC KEY-----\n[\s\S]+-----END PUBLIC KEY-----\n$/,
          ),
        },
      ],
      has_more: false,
    });
    const call = { key: SANDBOX_KEYS.publishable };
    expect(await world.server('GET', SERVER_ROUTES.webhookSigningKeys, undefined, call)).toMatchObject(
      refusedWith(401, 'invalid_api_key'),
    );
    expect(await world.server('GET', `${SERVER_ROUTES.webhookSigningKeys}?limit=1`)).toMatchObject(
      refusedWith(400, 'validation_error', 'limit'),
    );
  });

  it('rotates with two keys: the new one signs, both are listed, a third drops the first', async () => {
    const [old] = await world.keys();
    await world.pay();
    expect(await world.control('webhook_signing_keys/rotate', {})).toMatchObject({ status: 200 });
    const both = await world.keys();
    expect(both).toHaveLength(2);
    expect(both[1]).toEqual(old);
    await world.pay();
    const [before, after] = world.arrivals;
    expect(before?.headers['Service-Signature']).toContain(`kid=${old?.kid},`);
    expect(after?.headers['Service-Signature']).toContain(`kid=${both[0]?.kid},`);
    const now = world.clock.now() / 1000;
    for (const arrival of world.arrivals) {
      await expect(
        verifyWebhook(arrival.body, arrival.headers, both, endpoint, { now }),
      ).resolves.toHaveProperty('id');
    }
    await world.control('webhook_signing_keys/rotate', {});
    const kids = (await world.keys()).map(({ kid }) => kid);
    expect(kids).toEqual([expect.stringMatching(/^wsk_/), both[0]?.kid]);
  });

  it('a seed gives the same keys again, in order; nothing is signed without one', () => {
    const [one, other] = [createStore(), createStore()];
    expect(() => signatureHeader(one, 'we_1', '{}', 0)).toThrow('the service has no signing key');
    const kids = [1, 2].map(() => rotateSigningKey(one, 7).kid);
    expect(one.signingKeysMade).toBe(2);
    expect([1, 2].map(() => rotateSigningKey(other, 7).kid)).toEqual(kids);
    expect(new Set(kids).size).toBe(2);
  });

  it('a key can be retired, the last one cannot', async () => {
    const [old] = await world.keys();
    expect(await world.control('webhook_signing_keys/retire', { kid: old?.kid })).toMatchObject(
      refusedWith(400, 'validation_error', 'kid'),
    );
    await world.control('webhook_signing_keys/rotate', {});
    await world.control('webhook_signing_keys/retire', { kid: old?.kid });
    expect((await world.keys()).map(({ kid }) => kid)).not.toContain(old?.kid);
    await expectRefusal(world.control('webhook_signing_keys/retire', { kid: old?.kid }), 'not_found');
  });

  it('contract 6.6: a seed makes the keys repeatable, and each sandbox without one has its own', async () => {
    const kid = async (seed?: number) =>
      (await createMerchantWorld(seed === undefined ? {} : { seed }).keys())[0]?.kid;
    expect(await kid(7)).toBe(await kid(7));
    expect(await kid(7)).not.toBe(await kid(8));
    expect(await kid()).not.toBe(await kid());
  });
});

describe('contract S14: retries', () => {
  it('contract S17.18: Webhook delivery attempts: at once and after each wait of the table; after 8 failed ones the delivery is marked failed, and nothing follows', async () => {
    world.replies(503);
    await world.pay();
    await world.clock.advance(30 * 24 * HOUR);
    expect(world.arrivals).toHaveLength(8);
    const [delivery] = await world.history();
    expect(delivery).toMatchObject({ status: 'failed', failures: 8, next_attempt_at: null });
    const waits = delivery?.attempts.slice(1).map(({ at }, n) => at - (delivery.attempts[n]?.at ?? 0));
    expect(waits).toEqual(WAITS);
  });

  it('ends with the first success', async () => {
    world.replies(() => (world.arrivals.length < 3 ? 500 : 204));
    await world.pay();
    await world.clock.advance(30 * 24 * HOUR);
    expect(world.arrivals).toHaveLength(3);
    expect(await world.history()).toMatchObject([
      { status: 'succeeded', failures: 2, next_attempt_at: null },
    ]);
  });

  it('each endpoint has its own retries', async () => {
    await world.endpoint({ url: 'https://good.example.com/' });
    await world.endpoint({ url: 'https://bad.example.com/' });
    world.replies(({ url }) => (url.includes('bad') ? 500 : 200));
    await world.pay();
    await world.clock.advance(30 * SECOND);
    const urls = world.arrivals.map(({ url }) => url);
    expect(urls.filter((url) => url.includes('good'))).toHaveLength(1);
    expect(urls.filter((url) => url.includes('bad'))).toHaveLength(2);
  });
});

describe('contract S13.3: 2xx within 10 seconds', () => {
  it.each([
    [200, null],
    [299, null],
    [199, 'the endpoint answered 199; expected 2xx'],
    [300, 'the endpoint answered 300; expected 2xx; redirects are not followed'],
    [500, 'the endpoint answered 500; expected 2xx'],
  ])('an answer of %i: %s', async (status, error) => {
    world.replies(status);
    await world.pay();
    expect(await world.history()).toMatchObject([
      {
        status: error === null ? 'succeeded' : 'pending',
        attempts: [{ reason: 'schedule', http_status: status, error, duration_ms: 0 }],
      },
    ]);
  });

  it('contract S17.17: Webhook response time: after 10 seconds it is a failure, and the wait runs from there', async () => {
    world.replies('never');
    await world.pay();
    const began = world.clock.now();
    await world.clock.advance(10 * SECOND - 1);
    expect(await world.history()).toMatchObject([{ status: 'pending', attempts: [] }]);
    await world.clock.advance(1);
    expect(await world.history()).toMatchObject([
      {
        status: 'pending',
        attempts: [
          { http_status: null, error: 'no complete response within 10 seconds', duration_ms: 10_000 },
        ],
        next_attempt_at: began + 40 * SECOND,
      },
    ]);
  });

  it('an answer in the last of the 10 seconds is in time', async () => {
    world = createMerchantWorld({
      outgoing: async () => {
        await world.clock.wait(10 * SECOND - 1);
        return { status: 200 };
      },
    });
    await world.endpoint();
    await world.pay();
    await world.clock.advance(10 * SECOND);
    expect(await world.history()).toMatchObject([{ status: 'succeeded' }]);
  });

  it.each([
    ['ECONNREFUSED', 'the connection was refused: nothing listens there'],
    ['ENOTFOUND', 'the host name was not found'],
    ['CERT_HAS_EXPIRED', 'the certificate has expired'],
    ['UND_ERR_SOMETHING', 'the connection failed (UND_ERR_SOMETHING)'],
    ['a text with a secret', 'the connection failed'],
  ])('a connection error is a failure: %s', async (code, error) => {
    world.replies(socketError(code));
    await world.pay();
    expect(await world.history()).toMatchObject([
      { status: 'pending', attempts: [{ http_status: null, error }] },
    ]);
  });
});

describe('contract S14.8: the delivery history (status, HTTP code, error)', () => {
  it('contains no secret: no key, no URL, no client secret', async () => {
    await world.endpoint({ url: 'https://shop.example.com/?token=hush' });
    world.replies(socketError('ECONNRESET'));
    const intent = await world.pay();
    await world.clock.advance(HOUR);
    const text = JSON.stringify((await world.control('webhook_deliveries')).body);
    const everything = text + JSON.stringify((await world.control('events')).body);
    for (const secret of ['hush', 'lg_cs_', intent.client_secret, 'sk_live_', 'PRIVATE', 'v1=', '42424242']) {
      expect(everything).not.toContain(secret);
    }
    for (const { body, headers } of world.arrivals) {
      expect(body + JSON.stringify(headers)).not.toMatch(/lg_cs_|[sp]k_live_|42424242/);
    }
  });

  it('has the body as it was sent, the payment, and the beginning of the answer to a failed attempt', async () => {
    await world.endpoint();
    world.replies({ status: 500, body: `unknown order${' '.repeat(5000)}` });
    const intent = await world.pay();
    const [delivery] = await world.history();
    expect(delivery).toMatchObject({ payment_intent: intent.id, body: world.arrivals[0]?.body });
    const [answer] = delivery?.attempts.map(({ response }) => response) ?? [];
    expect(answer?.trim()).toBe('unknown order');
    expect(answer?.length).toBe(2000);
    world.replies({ status: 200, body: 'thanks' });
    await world.clock.advance(30 * SECOND);
    expect((await world.history())[0]?.attempts.at(-1)).toMatchObject({ http_status: 200, response: '' });
  });

  it('can be searched by payment, event, type and problem, and reduced to what did not arrive', async () => {
    await world.endpoint();
    world.replies(500);
    const failed = await world.pay();
    world.replies(200);
    const arrived = await world.pay();
    const payments = async (query: string) => [
      ...new Set((await world.history(query)).map(({ payment_intent }) => payment_intent)),
    ];
    expect(await payments('')).toEqual([failed.id, arrived.id]);
    expect(await payments(`?find=${arrived.id.toUpperCase()}`)).toEqual([arrived.id]);
    expect(await payments('?find=answered 500')).toEqual([failed.id]);
    expect(await payments('?failed=true')).toEqual([failed.id]);
    expect(await payments('?find=refund')).toEqual([]);
  });

  it('can be requested for one event or one endpoint', async () => {
    await world.endpoint();
    await world.pay();
    await world.pay();
    const all = await world.history();
    expect(all).toHaveLength(4);
    expect(await world.history(`?endpoint=${endpoint}`)).toHaveLength(2);
    expect(await world.history(`?event=${all[0]?.event}`)).toHaveLength(2);
    expect(await world.history(`?event=${all[0]?.event}&endpoint=${endpoint}`)).toHaveLength(1);
    expect(await world.history('?limit=3')).toEqual(all.slice(1));
  });

  it('sends again at once when asked, in every status, and counts it as none of the eight', async () => {
    world.replies(500);
    await world.pay();
    const [{ id } = { id: '' }] = await world.history();
    const retry = () => world.control(`webhook_deliveries/${id}/retry`, {});
    const due = (await world.history())[0]?.next_attempt_at;
    expect((await retry()).body).toMatchObject({ status: 'pending', failures: 1, next_attempt_at: due });
    await world.clock.advance(7 * 24 * HOUR);
    expect((await retry()).body).toMatchObject({ status: 'failed', failures: 8 });
    expect(world.arrivals).toHaveLength(10);
    world.replies(200);
    expect((await retry()).body).toMatchObject({ status: 'succeeded', failures: 8, next_attempt_at: null });
    world.replies(500);
    expect((await retry()).body).toMatchObject({ status: 'succeeded', next_attempt_at: null });
    const [delivery] = await world.history();
    expect(delivery?.attempts.map(({ reason }) => reason)).toEqual([
      'schedule',
      'manual',
      ...Array(7).fill('schedule'),
      'manual',
      'manual',
      'manual',
    ]);
    await expectRefusal(world.control('webhook_deliveries/nothing/retry', {}), 'not_found');
  });

  it('a successful manual attempt ends the retries', async () => {
    world.replies(500);
    await world.pay();
    const [{ id } = { id: '' }] = await world.history();
    world.replies(200);
    await world.control(`webhook_deliveries/${id}/retry`, {});
    await world.clock.advance(7 * 24 * HOUR);
    expect(world.arrivals).toHaveLength(2);
  });
});

describe('cases that a merchant must handle', () => {
  /** Returns the ids of the events that arrived, in order. */
  const idsOf = (world: MerchantWorld) => world.arrivals.map(({ event }) => event.id);

  it('contract S15.1: an event can arrive more than once; the event id identifies duplicates', async () => {
    await world.control('webhook_plan', { duplicate: { copies: 3, times: 2 } });
    await world.pay();
    await world.pay();
    await world.pay();
    const ids = idsOf(world);
    const count = (id: string | undefined) => ids.filter((one) => one === id).length;
    const different = [...new Set(ids)];
    expect(different.map(count)).toEqual([3, 3, 1]);
    expect(new Set(world.arrivals.map(({ body }) => body)).size).toBe(3);
    expect((await world.history())[0]?.attempts.map(({ reason }) => reason)).toEqual([
      'schedule',
      'copy',
      'copy',
    ]);
    expect((await world.control('webhook_plan')).body).toEqual({
      duplicate: null,
      delay: null,
      reverse: null,
      time_out: null,
    });
  });

  const TIMED_OUT = {
    http_status: null,
    error: 'no complete response within 10 seconds',
    duration_ms: 10_000,
  };

  it('contract S13.3: on demand the response is lost, though the event arrived; the retry brings it again', async () => {
    await world.control('webhook_plan', { time_out: {} });
    await world.pay();
    expect(world.arrivals).toHaveLength(1);
    await world.clock.advance(10 * SECOND);
    expect((await world.control('webhook_plan')).body).toMatchObject({ time_out: null });
    expect(await world.history()).toMatchObject([{ status: 'pending', failures: 1, attempts: [TIMED_OUT] }]);
    await world.clock.advance(30 * SECOND);
    const [first, second] = idsOf(world);
    expect(second).toBe(first);
    expect(await world.history()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('contract S13.3: on demand an event arrives at no attempt, retries included, and fails after the eighth', async () => {
    await world.control('webhook_plan', { time_out: { arrives: false, times: 8 } });
    await world.pay();
    await world.clock.advance(3 * 24 * HOUR);
    expect(world.arrivals).toEqual([]);
    expect(await world.history()).toMatchObject([
      { status: 'failed', failures: 8, attempts: Array(8).fill(TIMED_OUT) },
    ]);
    await world.pay();
    expect(world.arrivals).toHaveLength(1);
  });

  it('an event that is sent by hand arrives, whatever the plan has for the next attempt', async () => {
    await world.pay();
    await world.control('webhook_plan', { time_out: { arrives: false } });
    const [{ id } = { id: '' }] = await world.history();
    await world.control(`webhook_deliveries/${id}/retry`, {});
    expect(world.arrivals).toHaveLength(2);
  });

  it('contract S15.2: events can arrive in a different order than they happened', async () => {
    await world.control('webhook_plan', { reverse: { size: 3 } });
    const [a, b] = [await world.pay(), await world.pay()];
    expect(world.arrivals).toEqual([]);
    expect(await world.history()).toMatchObject([
      { status: 'pending', next_attempt_at: null },
      { status: 'pending', next_attempt_at: null },
    ]);
    const last = await world.pay();
    const paid = world.arrivals.map(({ event }) => event.data.object.id);
    expect(paid).toEqual([last.id, b.id, a.id]);
    const next = await world.pay();
    expect(world.arrivals.at(-1)?.event.data.object.id).toBe(next.id);
  });

  it('contract S15.2: an event may come late, after one that happened later; the latest state is read through the API', async () => {
    await world.control('webhook_plan', { delay: { seconds: 60 } });
    const late = await world.pay();
    const soon = await world.pay();
    expect(world.arrivals.map(({ event }) => event.data.object.id)).toEqual([soon.id]);
    expect((await world.retrieve(late.id)).body).toMatchObject({ status: 'succeeded' });
    await world.clock.advance(60 * SECOND);
    expect(world.arrivals.map(({ event }) => event.data.object.id)).toEqual([soon.id, late.id]);
  });

  it('contract S15.2: deliveries held back by a plan are sent in order when the plan is dropped or replaced', async () => {
    await world.control('webhook_plan', { reverse: { size: 9 } });
    const a = await world.pay();
    const b = await world.pay();
    await world.control('webhook_plan', { reverse: { size: 2 } });
    await world.clock.advance(0);
    expect(world.arrivals.map(({ event }) => event.data.object.id)).toEqual([a.id, b.id]);
    const c = await world.pay();
    expect(await world.remove('webhook_plan')).toBe(200);
    await world.clock.advance(0);
    expect(world.arrivals.at(-1)?.event.data.object.id).toBe(c.id);
    expect(world.arrivals).toHaveLength(3);
  });

  it('contract S15.3: a merchant down longer than the retry window reconciles with the payment intent list', async () => {
    world.replies(socketError('ECONNREFUSED'));
    const missed = [await world.pay(), await world.pay()];
    await world.clock.advance(3 * 24 * HOUR);
    expect(await world.history()).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    world.replies(200);
    await world.clock.advance(30 * 24 * HOUR);
    expect(world.arrivals).toHaveLength(16);
    const { body } = await world.list('?limit=100');
    expect(body).toMatchObject({
      data: missed.reverse().map(({ id }) => ({ id, status: 'succeeded' })),
      has_more: false,
    });
  });

  it('contract S15.2: a held-back delivery that was sent by hand is not sent again', async () => {
    await world.control('webhook_plan', { reverse: { size: 2 } });
    await world.pay();
    const [{ id } = { id: '' }] = await world.history();
    await world.control(`webhook_deliveries/${id}/retry`, {});
    await world.pay();
    expect(world.arrivals).toHaveLength(2);
    expect(await world.history()).toMatchObject([
      { status: 'succeeded', next_attempt_at: null, attempts: [{ reason: 'manual' }] },
      { status: 'succeeded', next_attempt_at: null },
    ]);
  });

  it.each([
    [{ duplicate: { copies: 1 } }, 'duplicate.copies'],
    [{ reverse: { size: 2, held: [] } }, 'reverse.held'],
    [{ time_out: { times: 0 } }, 'time_out.times'],
    [{ lose: true }, 'lose'],
  ])('refuses the plan %j', async (plan, param) => {
    await expectRefusal(createMerchantWorld().control('webhook_plan', plan), 'validation_error', param);
  });
});

describe('contract 6.6, --state: pending deliveries survive a restart', () => {
  let folder: string;
  const worlds: MerchantWorld[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-webhooks-'));
  });
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.sandbox.close();
    rmSync(folder, { recursive: true });
  });

  const open = (file = 'first.json'): MerchantWorld => {
    const world = createMerchantWorld({ state: join(folder, file) });
    worlds.push(world);
    return world;
  };
  /** Starts a new sandbox on the file that a killed process left behind. */
  const restarted = (): MerchantWorld => {
    copyFileSync(join(folder, 'first.json'), join(folder, 'second.json'));
    return open('second.json');
  };
  const ids = (world: MerchantWorld) => world.arrivals.map(({ event }) => event.data.object.id);
  /** Waits for the write to the disk, which the manual clock does not control. */
  const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 });

  it('a later retry is sent at its time, signed with the same key', async () => {
    const before = open();
    const { id } = await before.endpoint();
    before.replies(500);
    const paid = await before.pay();
    const keys = await before.keys();
    await until(async () => expect(await before.history()).toMatchObject([{ failures: 1 }]));
    const after = restarted();
    await after.clock.advance(30 * SECOND - 1);
    expect(after.arrivals).toEqual([]);
    await after.clock.advance(1);
    await until(() => expect(ids(after)).toEqual([paid.id]));
    const [arrival] = after.arrivals;
    const now = after.clock.now() / 1000;
    expect(await after.keys()).toEqual(keys);
    await expect(
      verifyWebhook(arrival?.body ?? '', arrival?.headers ?? {}, keys, id, { now }),
    ).resolves.toHaveProperty('id');
  });

  it('an attempt that was running at the end is sent again', async () => {
    const before = open();
    await before.endpoint();
    before.replies('never');
    const paid = await before.pay();
    await until(() => expect(ids(before)).toEqual([paid.id]));
    const after = restarted();
    await until(() => expect(ids(after)).toEqual([paid.id]));
    expect(after.arrivals[0]?.event.id).toBe(before.arrivals[0]?.event.id);
    await until(async () =>
      expect(await after.history()).toMatchObject([{ status: 'succeeded', attempts: [{}] }]),
    );
  });

  it('closing the sandbox does not count as a failed attempt', async () => {
    world.replies('never');
    await world.pay();
    await world.sandbox.close();
    await world.clock.advance(HOUR);
    expect(await world.history()).toMatchObject([{ status: 'pending', attempts: [], failures: 0 }]);
  });

  it('a successful delivery is not sent again', async () => {
    const before = open();
    await before.endpoint();
    await before.pay();
    await until(async () => expect(await before.history()).toMatchObject([{ status: 'succeeded' }]));
    await before.sandbox.close();
    const after = restarted();
    await after.clock.advance(HOUR);
    await after.pay();
    await until(() => expect(after.arrivals).toHaveLength(1));
  });

  it('deliveries held back by a plan stay held, and are sent with the last one', async () => {
    const before = open();
    await before.endpoint();
    await before.control('webhook_plan', { reverse: { size: 2 } });
    const first = await before.pay();
    const after = restarted();
    await after.clock.advance(HOUR);
    expect(after.arrivals).toEqual([]);
    const second = await after.pay();
    await until(() => expect(ids(after)).toEqual([second.id, first.id]));
  });

  it('deliveries that a plan released but had not sent yet are sent', async () => {
    const before = open();
    await before.endpoint();
    await before.control('webhook_plan', { reverse: { size: 2 } });
    before.replies('never');
    const paid = [(await before.pay()).id, (await before.pay()).id];
    await until(() => expect(before.arrivals).toHaveLength(1));
    const after = restarted();
    await until(() => expect(ids(after).sort()).toEqual(paid.sort()));
  });

  it('publishes events for a payment and a refund that end in the meantime', async () => {
    const before = open();
    const paid = await before.pay();
    await before.endpoint();
    const { id } = await before.pay('4000000000010001');
    const refund = await before.refunded(paid.id, 500);
    const after = restarted();
    await after.clock.advance(3 * SECOND);
    await until(() => expect(ids(after).sort()).toEqual([id, refund.id].sort()));
  });
});
