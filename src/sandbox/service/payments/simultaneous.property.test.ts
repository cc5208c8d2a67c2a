/** The rules for simultaneous requests, with every interleaving of their bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENT_ROUTES, SERVER_ROUTES } from '../../../api/routes.ts';
import { Refund } from '../../../api/schemas.ts';
import { runs } from '../../../proof/fuzz.ts';
import { confirmBody, createWorld, ORDER, type SandboxWorld } from '../sandbox.fixture.ts';

type Sent = { status: number; body: unknown };

/** Sends a request whose body arrives in three pieces, each when the scheduler decides. */
const sendInPieces = async (
  world: SandboxWorld,
  scheduler: fc.Scheduler,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Sent> => {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const third = Math.ceil(bytes.length / 3);
  const pieces = [bytes.slice(0, third), bytes.slice(third, 2 * third), bytes.slice(2 * third)];
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      scheduler.schedule(Promise.resolve(), path).then(() => {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      }),
  });
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: stream,
    duplex: 'half',
  } as const;
  const response = await world.sandbox
    .fetch(new Request(`http://service.test${path}`, init))
    .catch(() => null);
  if (response === null) return { status: 0, body: 'cut' };
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{"') ? JSON.parse(text) : text };
};

const secretKey = (world: SandboxWorld) => ({ authorization: `Bearer ${world.sandbox.keys.secret}` });

describe('contract 4.3: confirms of one intent are serialised', () => {
  const acting = fc.constantFrom(
    '4242424242424242',
    '4000000000010001', // processing, then succeeds
    '4000000000010027', // charged, then cut
    '4000000000010043', // charged, answered 502
  );
  const failing = fc.constantFrom('4000000000000002', '4000008400001629', '4000000000010035');

  const confirmAll = async (world: SandboxWorld, scheduler: fc.Scheduler, numbers: readonly string[]) => {
    const intent = await world.intent();
    const headers = { authorization: `Bearer ${world.sandbox.keys.publishable}` };
    const sending = numbers.map((number) =>
      sendInPieces(world, scheduler, CLIENT_ROUTES.confirm, confirmBody(intent, number), headers),
    );
    const responses = await scheduler.waitFor(Promise.all(sending));
    const refusals = responses.filter(
      ({ status, body }) => status === 400 && Object(body).error.code === 'payment_intent_not_pending',
    );
    await world.clock.advance(3000);
    return { intent: await world.now(intent.id), refusals };
  };

  it('contract 4.3, threat-model C70: of simultaneous confirms exactly one acts, in 1,000 interleavings', async () => {
    // One service for all runs: creating a thousand would take longer than the requests.
    const world = createWorld({ clientRateLimit: 1_000_000, serverRateLimit: 1_000_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(acting, { minLength: 2, maxLength: 4 }),
        async (scheduler, numbers) => {
          const { intent, refusals } = await confirmAll(world, scheduler, numbers);
          expect(intent).toMatchObject({ status: 'succeeded', confirmation_attempts: 1 });
          expect(refusals).toHaveLength(numbers.length - 1);
          const charges = world.service.store.charges.filter((charge) => charge.intent === intent.id);
          expect(charges).toMatchObject([{ intent: intent.id, amount: intent.amount_total }]);
        },
      ),
      { numRuns: runs(1000) },
    );
  }, 120_000);

  it('contract 4.4: with holdFailedAttempts exactly one confirm runs, even if it fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.oneof(acting, failing), { minLength: 2, maxLength: 4 }),
        async (scheduler, numbers) => {
          const world = createWorld({ holdFailedAttempts: true });
          const { intent, refusals } = await confirmAll(world, scheduler, numbers);
          expect(intent.confirmation_attempts).toBe(1);
          expect(refusals).toHaveLength(numbers.length - 1);
          expect(world.service.store.charges).toHaveLength(intent.status === 'succeeded' ? 1 : 0);
        },
      ),
      { numRuns: runs(200) },
    );
  }, 60_000);

  it('contract 4.2: otherwise each that fails counts, at most one charges, and none acts after it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.oneof(acting, failing), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        async (scheduler, numbers, attempts) => {
          const world = createWorld({ attempts });
          const { intent, refusals } = await confirmAll(world, scheduler, numbers);
          expect(intent.confirmation_attempts).toBe(numbers.length - refusals.length);
          expect(intent.confirmation_attempts).toBeLessThanOrEqual(attempts);
          expect(world.service.store.charges).toHaveLength(intent.status === 'succeeded' ? 1 : 0);
        },
      ),
      { numRuns: runs(200) },
    );
  }, 60_000);
});

describe('contract S9: idempotency', () => {
  it('contract S9.2: same key and same body: one refund, the same for all, also when requests run at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 5 }), async (scheduler, count) => {
        const world = createWorld();
        const { id } = await world.paid();
        const headers = { ...secretKey(world), 'idempotency-key': 'k' };
        const body = { payment_intent: id, amount: 100 };
        const sending = Array.from({ length: count }, () =>
          sendInPieces(world, scheduler, SERVER_ROUTES.refunds, body, headers),
        );
        const responses = await scheduler.waitFor(Promise.all(sending));
        for (const response of responses) expect(response).toEqual({ ...responses[0], status: 200 });
        expect(await world.now(id)).toMatchObject({ amount_refunded: 100 });
        expect((await world.refunds()).body).toEqual({
          object: 'list',
          data: [responses[0]?.body],
          has_more: false,
        });
      }),
      { numRuns: runs(100) },
    );
  }, 60_000);

  it('contract S9.3: one key on both routes and with several bodies at once: the first wins, all others get 409', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 5 }),
        async (scheduler, which) => {
          const world = createWorld();
          const { id } = await world.paid();
          const requests = [
            [SERVER_ROUTES.refunds, { payment_intent: id, amount: 100 }],
            [SERVER_ROUTES.refunds, { payment_intent: id, amount: 200 }],
            [SERVER_ROUTES.paymentIntents, ORDER],
            [SERVER_ROUTES.paymentIntents, { ...ORDER, amount: 2000 }],
          ] as const;
          const headers = { ...secretKey(world), 'idempotency-key': 'k' };
          const sending = which.map(async (place) => {
            const [path, body] = requests[place] ?? requests[0];
            return { place, ...(await sendInPieces(world, scheduler, path, body, headers)) };
          });
          const responses = await scheduler.waitFor(Promise.all(sending));
          const taken = responses.filter(({ status }) => status === 200);
          expect(new Set(taken.map(({ place }) => place)).size).toBe(1);
          expect(new Set(taken.map(({ body }) => Object(body).id)).size).toBe(1);
          for (const { place, status, body } of responses) {
            if (place === taken[0]?.place) expect(status).toBe(200);
            else
              expect({ status, body }).toMatchObject({
                status: 409,
                body: { error: { code: 'idempotency_key_reused' } },
              });
          }
          const { intents, refunds } = world.service.store;
          expect(intents.size - 1 + refunds.size).toBe(1);
        },
      ),
      { numRuns: runs(100) },
    );
  }, 60_000);

  it('contract S6.3: without a key, simultaneous refunds never exceed what is refundable', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 2, maxLength: 5 }),
        async (scheduler, amounts) => {
          const world = createWorld();
          const { id, amount_refundable } = await world.paid();
          const sending = amounts.map((amount) =>
            sendInPieces(
              world,
              scheduler,
              SERVER_ROUTES.refunds,
              { payment_intent: id, amount },
              secretKey(world),
            ),
          );
          const responses = await scheduler.waitFor(Promise.all(sending));
          const made = responses.filter(({ status }) => status === 200).map(({ body }) => Refund.parse(body));
          const { amount_refunded } = await world.now(id);
          expect(amount_refunded).toBe(made.reduce((total, { amount }) => total + amount, 0));
          expect(amount_refunded).toBeLessThanOrEqual(amount_refundable);
          // Each refused refund exceeds the amount left by the others.
          responses.forEach(({ status }, index) => {
            if (status !== 200)
              expect((amounts[index] ?? 0) + amount_refunded).toBeGreaterThan(amount_refundable);
          });
        },
      ),
      { numRuns: runs(100) },
    );
  }, 60_000);
});
