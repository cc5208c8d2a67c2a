/**
 * The control routes of money: actions of a merchant on the dashboard, and of the service and the payment network. They
 * need no key and act for the account that the payment belongs to.
 *
 * - `POST /_sandbox/payment_intents/:id/refund` `{amount, idempotency_key}` -> the refund. Both are optional; without
 *   `amount`, everything refundable is refunded. The key shares the key space of the API (contract S9.1).
 * - `POST /_sandbox/payment_intents/:id/refuse_refunds` `{refuse}` -> `{refuse}`. Sets whether the payment network
 *   refuses refunds of this payment from now on.
 * - `POST /_sandbox/payment_intents/:id/unlock_steps/release` `{step}` -> the intent. The step becomes available now.
 * - `POST /_sandbox/payment_intents/:id/unlock_steps/reschedule` `{step, available_at}` -> the intent. The
 *   new unlock time, in unix seconds: a future :00 or :30 mark.
 */
import type { Hono } from 'hono';
import * as z from 'zod/mini';
import { CONTROL } from '../../../api/routes.ts';
import { accountOf } from '../accounts/accounts.ts';
import { isLocked, isMark, moveStep } from '../accounts/unlock.ts';
import { unixNow } from '../core/clock.ts';
import { RefusedRequest } from '../core/errors.ts';
import { json } from '../core/response.ts';
import { parseBody } from '../core/validate.ts';
import type { SandboxEnv } from '../http/context.ts';
import { keyOfAllowedLength } from '../http/idempotency-key.ts';
import { readJsonOrNothing } from '../http/read-json.ts';
import type { Service } from '../http/service.ts';
import { parseRefund, refundOnce } from '../payments/refunds.ts';
import { refundView, serverView } from '../payments/views.ts';
import type { IntentRecord } from '../store/records.ts';
import { intentIn } from './control.ts';

const Refund = z.strictObject({ amount: z.optional(z.unknown()), idempotency_key: z.optional(z.string()) });
const Refusal = z.strictObject({ refuse: z.boolean() });
const step = z.int().check(z.minimum(1), z.maximum(100));
const Release = z.strictObject({ step });
const Reschedule = z.strictObject({
  step,
  available_at: z.int().check(z.minimum(0), z.maximum(100_000_000_000)),
});

/** Adds the control routes of money. Call `addControl` first: its middleware guards them. */
export const addMoneyControl = (app: Hono<SandboxEnv>, service: Service): void => {
  app.post(`${CONTROL}/payment_intents/:id/refund`, async (c) => {
    const intent = intentIn(service, c);
    const { amount, idempotency_key } = parseBody(Refund, await readJsonOrNothing(c.req.raw));
    const key = idempotency_key === undefined ? null : keyOfAllowedLength(idempotency_key, 'idempotency_key');
    const body = parseRefund({ payment_intent: intent.id, ...(amount === undefined ? {} : { amount }) });
    return json(refundView(refundOnce(service, accountOf(service.store, intent), key, body)));
  });

  app.post(`${CONTROL}/payment_intents/:id/refuse_refunds`, async (c) => {
    const intent = intentIn(service, c);
    const { refuse } = parseBody(Refusal, await readJsonOrNothing(c.req.raw));
    service.ledger.change(intent, { refundsRefused: refuse });
    return json({ refuse });
  });

  app.post(`${CONTROL}/payment_intents/:id/unlock_steps/release`, async (c) => {
    const intent = intentIn(service, c);
    const body = parseBody(Release, await readJsonOrNothing(c.req.raw));
    moveLockedStep(service, intent, body.step, unixNow(service));
    return json(serverView(intent));
  });

  app.post(`${CONTROL}/payment_intents/:id/unlock_steps/reschedule`, async (c) => {
    const intent = intentIn(service, c);
    const { step, available_at } = parseBody(Reschedule, await readJsonOrNothing(c.req.raw));
    if (!isMark(available_at) || available_at * 1000 <= service.clock.now()) {
      throw new RefusedRequest(
        'validation_error',
        '"available_at" must be a future :00 or :30 mark, in unix seconds; got another time. To unlock at once, release the step.',
        { param: 'available_at' },
      );
    }
    moveLockedStep(service, intent, step, available_at);
    return json(serverView(intent));
  });
};

/** Moves the step with this number, which must still be locked: available money cannot be locked again. */
const moveLockedStep = (service: Service, intent: IntentRecord, number: number, at: number): void => {
  const found = intent.unlock_schedule.find((one) => one.step === number);
  if (found !== undefined && isLocked(found, service.clock.now())) {
    service.ledger.change(intent, { unlock_schedule: moveStep(intent.unlock_schedule, number, at) });
    return;
  }
  throw new RefusedRequest(
    'validation_error',
    `"step" must be a step of this payment that is still locked; got ${found === undefined ? 'a number that no step has' : 'a step that is available'}.`,
    { param: 'step' },
  );
};
