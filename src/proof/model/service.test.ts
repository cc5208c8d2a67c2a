import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { card, confirmBody, createWorld, ORDER } from '../../sandbox/service/sandbox.fixture.ts';
import { runs } from '../fuzz.ts';
import {
  beginAttempt,
  cancelIntent,
  endAttempt,
  type ModelIntent,
  newIntent,
  type Reply,
  readingOf,
  refusalOf,
  releaseAttempt,
  wireOf,
} from './service.ts';

const LIMIT = 3;
const SECONDS = 30;
const DECLINED = '4000000000000002';

/** The fields the form relies on. The sandbox sends more, which makes no difference in the model. */
const Answer = z.object({
  status: z.string(),
  amount_total: z.number(),
  confirmation_attempts: z.number(),
  attempts_left: z.number(),
  attempt_in_progress: z.boolean(),
  last_payment_error: z.nullable(z.object({ code: z.string() })),
});
const Refused = z.object({ error: z.object({ code: z.string(), type: z.string() }) });
const essence = (status: number, body: unknown) =>
  status === 200
    ? Answer.parse(body)
    : { status, code: Refused.parse(body).error.code, type: Refused.parse(body).error.type };

type Action = 'read' | 'pay' | 'pay_declined' | 'pay_old_total' | 'release' | 'cancel' | 'raise' | 'time';
const ACTIONS: readonly Action[] = [
  'read',
  'pay',
  'pay_declined',
  'pay_declined',
  'pay_old_total',
  'release',
  'cancel',
  'raise',
  'time',
  'time',
];
const settings = fc.record({
  told: fc.constantFrom('status' as const, 'word' as const),
  runs: fc.boolean(),
  holds: fc.boolean(),
});
type Settings = { told: 'status' | 'word'; runs: boolean; holds: boolean };

/** Performs the same actions on the sandbox and the model, and returns the answers of both, step by step. */
const play = async ({ told, runs, holds }: Settings, actions: readonly Action[]) => {
  const world = createWorld({
    attempts: LIMIT,
    attemptSeconds: runs ? SECONDS : 0,
    runningAttempts: told === 'status' ? 'processing' : 'pending',
    holdFailedAttempts: holds,
  });
  const { id, client_secret } = await world.intent();
  let model: ModelIntent = newIntent(ORDER.amount);
  let willCharge = false;
  const fromSandbox: unknown[] = [];
  const fromModel: unknown[] = [];
  const open: Promise<unknown>[] = [];

  const reading = (): Reply => ({ kind: 'intent', reading: readingOf(model, 0, LIMIT, told) });
  const modelSays = (reply: Reply) => {
    const { status, json } = wireOf(reply);
    fromModel.push(essence(status, JSON.parse(json ?? 'null')));
  };
  const ask = async (route: 'retrieve' | 'release') => {
    const { status, body } = await world.client(route, { client_secret });
    fromSandbox.push(essence(status, body));
  };
  const settle = () => {
    model = endAttempt(model, willCharge, holds);
  };
  const pay = async (isGood: boolean, amount_total: number) => {
    const answer = world.client(
      'confirm',
      confirmBody({ client_secret, amount_total, currency: 'usd' }, undefined, {
        card: card(isGood ? '4242424242424242' : DECLINED),
      }),
    );
    const refusal = refusalOf(model, amount_total, LIMIT);
    if (refusal === null) {
      model = beginAttempt(model, 0);
      willCharge = isGood;
      if (!runs) settle();
    }
    // A confirm with a running attempt is answered at its end: meanwhile, only reads show it.
    if (refusal === null && runs) {
      open.push(answer);
      await world.clock.advance(0);
      return;
    }
    const { status, body } = await answer;
    fromSandbox.push(essence(status, body));
    if (refusal !== null) modelSays({ kind: 'refused', code: refusal });
    else modelSays(isGood ? reading() : { kind: 'refused', code: 'payment_method_declined' });
  };

  for (const action of actions) {
    switch (action) {
      case 'read':
        break;
      case 'pay':
      case 'pay_declined':
        await pay(action === 'pay', model.amount);
        break;
      case 'pay_old_total':
        await pay(true, model.amount + 1);
        break;
      case 'release': {
        await ask('release');
        const isOver = model.status === 'succeeded' || model.status === 'canceled';
        if (!isOver) model = releaseAttempt(model);
        modelSays(isOver ? { kind: 'refused', code: 'payment_intent_not_pending' } : reading());
        break;
      }
      case 'cancel':
        if (model.status === 'succeeded') break;
        await world.control(`payment_intents/${id}/cancel`, {});
        model = cancelIntent(model);
        break;
      case 'raise':
        if (model.status !== 'pending') break;
        await world.update(id, { amount: model.amount + 100 });
        model = { ...model, amount: model.amount + 100 };
        break;
      case 'time':
        await world.clock.advance(SECONDS * 1000);
        if (model.running !== null) settle();
        break;
    }
    await ask('retrieve');
    modelSays(reading());
  }
  await world.clock.advance(SECONDS * 1000);
  await Promise.all(open);
  world.sandbox.close();
  return { fromSandbox, fromModel, model };
};

describe('contract 3 and 4: the service of the model answers like the sandbox', () => {
  it('reads, confirms and releases in any order', async () => {
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        settings,
        fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 10 }),
        async (setting, actions) => {
          const { fromSandbox, fromModel, model } = await play(setting, actions);
          expect(fromModel).toEqual(fromSandbox);
          ends.add(model.status);
        },
      ),
      { numRuns: runs(300), seed: 5 },
    );
    expect([...ends].sort(), 'every end was reached').toEqual([
      'canceled',
      'pending',
      'processing',
      'succeeded',
    ]);
  });
});
