import { describe, expect, it } from 'vitest';
import { OptionError } from '../../api/command/option-error.ts';
import { errorType, HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import { createWorld, sendIn } from '../service/sandbox.fixture.ts';
import { EVENT_TYPES } from '../service/store/records.ts';
import { createMerchantWorld } from '../service/webhooks/webhooks.fixture.ts';
import { listenToWebhooks } from './listen.ts';
import { createRemote } from './remote.ts';
import { TRIGGERS, trigger } from './trigger.ts';

const contextOf = (world: Pick<ReturnType<typeof createWorld>, 'sandbox' | 'clock'>) => ({
  remote: createRemote(sendIn(world), undefined),
  keys: world.sandbox.keys,
  name: 'a',
  wait: (ms: number) => world.clock.advance(ms),
});

/** The service answers each code with that code's status and type. */
const ERRORS = [
  'contract S16.3: validation_error; contract S16.2: invalid_request_error',
  'contract S16.3: invalid_amount',
  'contract S16.3: amount_too_small',
  'contract S16.3: amount_too_large',
  'contract S16.3: unsupported_currency',
  'contract S16.3: invalid_payment_details',
  'contract S16.3: invalid_billing_details',
  'contract S16.3: payment_details_missing',
  'contract S16.3: non_physical_goods_not_allowed',
  'contract S16.3: payment_intent_not_pending',
  'contract S16.3: payment_not_refundable',
  'contract S16.3: refund_exceeds_remaining',
  'contract S16.3: merchant_suspended',
  'contract S16.3: merchant_not_approved',
  'contract S16.3: invalid_api_key; contract S16.2: authentication_error',
  'contract S16.3: api_key_revoked',
  'contract S16.3: invalid_client_secret',
  'contract S16.3: payment_method_declined; contract S16.2: card_error',
  'contract S16.3: payment_failed',
  'contract S16.3: not_found',
  'contract S16.3: payment_intent_not_found',
  'contract S16.3: refund_not_found',
  'contract S16.3: idempotency_key_reused',
  'contract S16.3: payment_intent_updated',
  'contract S16.3: rate_limited; contract S16.2: rate_limit_error',
  'contract S16.3: internal_error; contract S16.2: api_error',
  'contract S16.3: fee_plan_not_configured',
  'contract S16.3: provider_error',
] as const;

describe('card-form trigger', () => {
  it("has every event and every error of the service's description", () => {
    expect([...TRIGGERS].sort()).toEqual([...EVENT_TYPES, ...Object.keys(HTTP_STATUS)].sort());
    expect(ERRORS).toHaveLength(Object.keys(HTTP_STATUS).length);
  });

  it.each(ERRORS)('%s', async (title) => {
    const [, code = ''] = /S16\.3: (\w+)/.exec(title) ?? [];
    if (!isErrorCode(code)) throw new Error(`${code} is no code`);
    const made = await trigger(contextOf(createWorld()), code);
    if (made.kind !== 'error') throw new Error('It was to be an error.');
    expect(made.status).toBe(HTTP_STATUS[code]);
    expect(JSON.parse(made.text)).toMatchObject({ error: { code, type: errorType(code) } });
  });

  it.each(EVENT_TYPES)('%s: the event is sent, with a real object behind it', async (type) => {
    const world = createMerchantWorld();
    await world.endpoint();
    const made = await trigger(contextOf(world), type);
    expect(made).toMatchObject({ kind: 'event', event: { type, object: 'event' } });
    await world.clock.advance(1000);
    const arrived = world.arrivals.find(({ event }) => event.type === type);
    expect(arrived?.event).toMatchObject(made.kind === 'event' ? { id: made.event.id } : {});
    const [intent] = world.service.store.intents.values();
    expect(intent?.status).toBe('succeeded');
  });

  it('can be run for everything again and again in one sandbox, and leaves the account as it was', async () => {
    const world = createWorld();
    for (const name of [...TRIGGERS, ...TRIGGERS])
      await trigger({ ...contextOf(world), name: `${name}-${world.service.store.intents.size}` }, name);
    const [account] = world.service.store.accounts.values();
    expect(account).toMatchObject({ suspended: false, approved: true, feeSchedule: expect.anything() });
    expect((await world.create()).status).toBe(200);
  });

  it('reports an unknown name, a sandbox that does not answer, and any other error', async () => {
    const world = createWorld();
    await expect(trigger(contextOf(world), 'payment.succeeded')).rejects.toThrow(
      /neither an event nor an error[\s\S]*refund\.failed/,
    );
    await expect(trigger(contextOf(world), 'constructor')).rejects.toThrow(OptionError);
    const nowhere = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    const remote = createRemote(nowhere, undefined);
    await expect(trigger({ ...contextOf(world), remote }, 'refund.failed')).rejects.toThrow(
      'The sandbox does not answer (ECONNREFUSED). Start it with "card-form sandbox"',
    );
    await world.control('account', { suspended: true });
    await expect(trigger(contextOf(world), 'refund.failed')).rejects.toThrow('merchant_suspended');
    await expect(trigger(contextOf(world), 'invalid_amount')).resolves.toMatchObject({ kind: 'error' });
  });
});

describe('card-form listen', () => {
  const listen = async (
    world: ReturnType<typeof createMerchantWorld>,
    forwardTo: string,
    until: (lines: string[]) => Promise<boolean>,
  ) => {
    const lines: string[] = [];
    const stopping = new AbortController();
    await listenToWebhooks(
      createRemote(sendIn(world), undefined),
      { forwardTo, eventTypes: [] },
      {
        log: (line) => lines.push(line),
        signal: stopping.signal,
        wait: async (ms) => {
          if (await until(lines)) stopping.abort();
          await world.clock.advance(ms);
        },
      },
    );
    return lines;
  };

  it('prints every attempt as it is made, signed for an endpoint that is removed at the end', async () => {
    const world = createMerchantWorld();
    world.replies(() => (world.arrivals.length === 1 ? 500 : 204));
    let turns = 0;
    const lines = await listen(world, 'http://localhost:3001/webhooks', async () => {
      turns += 1;
      if (turns === 1) await world.pay();
      return turns === 70;
    });
    expect(lines[0]).toMatch(
      /^Webhooks go to http:\/\/localhost:3001\/webhooks, signed for the endpoint we_\w+\.$/,
    );
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}payment_intent\.succeeded {2}evt_\w+ {2}the endpoint answered 500; expected 2xx$/,
      ),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}payment_intent\.succeeded {2}evt_\w+ {2}204 in 0 ms$/),
    ]);
    expect(world.arrivals.map(({ url }) => url)).toEqual(Array(2).fill('http://localhost:3001/webhooks'));
    expect(world.service.store.webhookEndpoints.size).toBe(0);
  });

  it('uses an existing endpoint, prints only new attempts, and keeps the endpoint', async () => {
    const world = createMerchantWorld();
    const { id, url } = await world.endpoint();
    await world.pay();
    let turns = 0;
    const lines = await listen(world, url, async () => {
      turns += 1;
      return turns === 2;
    });
    expect(lines).toEqual([`Webhooks go to ${url}, signed for the endpoint ${id}.`]);
    expect(world.service.store.webhookEndpoints.has(id)).toBe(true);
  });

  it('contract S13.2: with --strict-webhooks an endpoint on this machine is refused, and the message names the option', async () => {
    const world = createMerchantWorld({ allowLocalWebhooks: false });
    const call = listen(world, 'http://localhost:3001/webhooks', async () => true);
    await expect(call).rejects.toThrow('--strict-webhooks');
  });
});
