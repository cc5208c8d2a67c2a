/**
 * What the merchant's page hears for every row of outcomes 2.6, from the session that buyers use and the whole
 * sandbox: the events, and whether `charged` is true by the sandbox's ledger when the page hears it (promises 1.9).
 */
import { describe, expect, it } from 'vitest';
import { SERVER_ROUTES } from '../../api/routes.ts';
import { createManualClock } from '../../clock/manual-clock.ts';
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { CardFormError } from '../../form/channel/result.ts';
import type { Fault, FaultyRoute } from '../../sandbox/faults/fault.ts';
import { settingsOf } from '../../sandbox/options.ts';
import { GOOD_CARD, ORDER } from '../../sandbox/sandbox.fixture.ts';
import { sandboxOver } from '../../sandbox/sandbox.ts';
import { createService } from '../../sandbox/service.ts';
import { createSharedTabs } from './shared-tabs.ts';
import { closeTab, type Observer, openTab, pressPay } from './simulated-tab.ts';

type Charged = CardFormError['charged'];
type Recovery = CardFormError['recovery'];

/** `decline`, `error`, `amountchange`, or the outcome of a result; then code, charged and recovery where it has them. */
type Line = string;

type Row = {
  name: string;
  number?: string;
  /** What befalls the next requests of a route, and how many of them. */
  faults?: readonly (readonly [FaultyRoute, Fault, times?: number])[];
  /** What the merchant does after the form is ready, before the press. */
  meanwhile?: 'raise' | 'cancel';
  press?: false;
  heard: readonly Line[];
  charges: 0 | 1;
};

const instead = (status: number, code?: string, act = false): Fault => ({
  status,
  act,
  ...(code === undefined ? {} : { code }),
});
const EVER = 1000;

const line = (name: string, code: string, charged: Charged, recovery: Recovery): Line =>
  `${name} ${code}: charged ${charged}, ${recovery}`;

const NOT_CHARGED = line('error', 'network', 'no', 'retry');
const declined = (code = 'payment_method_declined') => line('decline', code, 'no', 'use_other_card');
/** An error that ends the payment is told as what it is and as the result. */
const fatal = (code: string, charged: Charged = 'no', recovery: Recovery = 'fix_integration') => [
  line('error', code, charged, recovery),
  line('failed', code, charged, recovery),
];

const ROWS: readonly Row[] = [
  {
    name: 'load: no connection',
    press: false,
    faults: [['client.retrieve', { cut: 'before' }, 4]],
    heard: [line('error', 'network', 'unknown', 'retry')],
    charges: 0,
  },
  {
    name: 'load: timeout',
    press: false,
    faults: [['client.retrieve', { never: true }, 4]],
    heard: [line('error', 'timeout', 'unknown', 'retry')],
    charges: 0,
  },
  {
    name: 'load: HTML',
    press: false,
    faults: [['client.retrieve', { html: true }, 5]],
    heard: [line('error', 'malformed', 'unknown', 'retry')],
    charges: 0,
  },
  {
    name: 'load: 400 validation_error',
    press: false,
    faults: [['client.retrieve', instead(400, 'validation_error')]],
    heard: fatal('validation_error', 'unknown'),
    charges: 0,
  },
  {
    name: 'load: 400 merchant_suspended',
    press: false,
    faults: [['client.retrieve', instead(400, 'merchant_suspended')]],
    heard: fatal('merchant_suspended', 'unknown'),
    charges: 0,
  },
  {
    name: 'load: 400 unknown code',
    press: false,
    faults: [['client.retrieve', instead(400, 'made_up')]],
    heard: fatal('unknown_code', 'unknown'),
    charges: 0,
  },
  {
    name: 'load: 401 invalid_api_key',
    press: false,
    faults: [['client.retrieve', instead(401, 'invalid_api_key')]],
    heard: fatal('invalid_api_key', 'unknown'),
    charges: 0,
  },
  {
    name: 'load: 401 invalid_client_secret',
    press: false,
    faults: [['client.retrieve', instead(401, 'invalid_client_secret')]],
    heard: fatal('invalid_client_secret', 'unknown'),
    charges: 0,
  },
  {
    name: 'load: 404 payment_intent_not_found',
    press: false,
    faults: [['client.retrieve', instead(404, 'payment_intent_not_found')]],
    heard: fatal('payment_intent_not_found', 'unknown'),
    charges: 0,
  },
  {
    name: 'load: 429 for two hours',
    press: false,
    faults: [['client.retrieve', { retry_after: '7200' }]],
    heard: ['ratelimited', line('error', 'rate_limited', 'unknown', 'wait')],
    charges: 0,
  },
  {
    name: 'load: 500 internal_error',
    press: false,
    faults: [['client.retrieve', instead(500, 'internal_error'), 5]],
    heard: [line('error', 'internal_error', 'unknown', 'retry')],
    charges: 0,
  },
  {
    name: 'load: 500 fee_plan_not_configured',
    press: false,
    faults: [['client.retrieve', instead(500, 'fee_plan_not_configured')]],
    heard: fatal('fee_plan_not_configured', 'unknown'),
    charges: 0,
  },

  { name: 'confirm: succeeded', heard: ['processing', 'succeeded'], charges: 1 },
  {
    name: 'confirm: no connection before it was sent',
    faults: [['client.confirm', { cut: 'before' }]],
    heard: ['processing', NOT_CHARGED],
    charges: 0,
  },
  {
    name: 'confirm: reset after the service acted',
    faults: [['client.confirm', { cut: 'after' }]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: delivered twice, the second answer heard',
    faults: [['client.confirm', { deliveries: 2 }]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: timeout, charged',
    faults: [['client.confirm', { never: true }]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: timeout, not charged',
    faults: [['client.confirm', { never: true, act: false }]],
    heard: ['processing', NOT_CHARGED],
    charges: 0,
  },
  {
    name: 'confirm: arrives when the form has settled',
    faults: [['client.confirm', { cut: 'after', arrives_after: 120 }]],
    heard: ['processing', NOT_CHARGED],
    charges: 1,
  },
  {
    name: 'confirm: 200 HTML, charged',
    faults: [['client.confirm', { html: true }]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: 200 truncated, charged',
    faults: [['client.confirm', { truncate_at: 40 }]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: 200 with an empty object, nothing done',
    faults: [['client.confirm', instead(200)]],
    heard: ['processing', NOT_CHARGED],
    charges: 0,
  },
  {
    name: 'confirm: 204',
    faults: [['client.confirm', instead(204)]],
    heard: ['processing', NOT_CHARGED],
    charges: 0,
  },
  {
    name: 'confirm: the total rises meanwhile (409)',
    meanwhile: 'raise',
    heard: ['processing', line('error', 'payment_intent_updated', 'no', 'review_amount'), 'amountchange'],
    charges: 0,
  },
  {
    name: 'confirm: 409 idempotency_key_reused',
    faults: [['client.confirm', instead(409, 'idempotency_key_reused')]],
    heard: ['processing', ...fatal('idempotency_key_reused')],
    charges: 0,
  },
  { name: 'confirm: canceled meanwhile', meanwhile: 'cancel', heard: ['processing', 'canceled'], charges: 0 },
  {
    name: 'confirm: 400 validation_error',
    faults: [['client.confirm', instead(400, 'validation_error')]],
    heard: ['processing', ...fatal('validation_error')],
    charges: 0,
  },
  {
    name: 'confirm: 400 validation_error from somebody after it was charged',
    faults: [['client.confirm', instead(400, 'validation_error', true)]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: 400 invalid_billing_details',
    number: '4000000000010118',
    heard: ['processing', line('error', 'invalid_billing_details', 'no', 'fix_input')],
    charges: 0,
  },
  {
    name: 'confirm: 400 validation_error of card.number, a UnionPay number without a check digit',
    number: '6200000000000006',
    heard: ['processing', line('error', 'validation_error', 'no', 'fix_input')],
    charges: 0,
  },
  {
    name: 'confirm: 400 payment_details_missing',
    faults: [['client.confirm', instead(400, 'payment_details_missing')]],
    heard: ['processing', line('error', 'payment_details_missing', 'no', 'fix_integration')],
    charges: 0,
  },
  {
    name: 'confirm: 400 invalid_payment_details',
    faults: [['client.confirm', instead(400, 'invalid_payment_details')]],
    heard: ['processing', line('error', 'invalid_payment_details', 'no', 'fix_integration')],
    charges: 0,
  },
  {
    name: 'confirm: 400 payment_intent_not_pending after it was charged',
    faults: [['client.confirm', instead(400, 'payment_intent_not_pending', true)]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: 400 payment_intent_not_pending, though reads tell of attempts that are left',
    faults: [['client.confirm', instead(400, 'payment_intent_not_pending')]],
    heard: ['processing', NOT_CHARGED],
    charges: 0,
  },
  ...[
    'amount_too_small',
    'amount_too_large',
    'unsupported_currency',
    'non_physical_goods_not_allowed',
    'merchant_suspended',
    'merchant_not_approved',
  ].map(
    (code): Row => ({
      name: `confirm: 400 ${code}`,
      faults: [['client.confirm', instead(400, code)]],
      heard: ['processing', ...fatal(code)],
      charges: 0,
    }),
  ),
  {
    name: 'confirm: 400 unknown code',
    faults: [['client.confirm', instead(400, 'made_up')]],
    heard: ['processing', ...fatal('unknown_code')],
    charges: 0,
  },
  ...['invalid_api_key', 'api_key_revoked', 'invalid_client_secret'].map(
    (code): Row => ({
      name: `confirm: 401 ${code}`,
      faults: [['client.confirm', instead(401, code)]],
      heard: ['processing', line('error', code, 'unknown', 'fix_integration'), 'unknown unresolved'],
      charges: 0,
    }),
  ),
  {
    name: 'confirm: 401 to its second delivery, charged at the first',
    faults: [['client.confirm', instead(401, 'api_key_revoked', true)]],
    heard: [
      'processing',
      line('error', 'api_key_revoked', 'unknown', 'fix_integration'),
      'unknown unresolved',
    ],
    charges: 1,
  },
  ...['payment_intent_not_found', 'not_found'].map(
    (code): Row => ({
      name: `confirm: 404 ${code}`,
      faults: [['client.confirm', instead(404, code)]],
      heard: ['processing', ...fatal(code)],
      charges: 0,
    }),
  ),
  {
    name: 'confirm: 401 that is not the service`s',
    faults: [['client.confirm', instead(401, 'made_up')]],
    heard: ['processing', NOT_CHARGED],
    charges: 0,
  },
  {
    name: 'confirm: 402 payment_method_declined',
    number: '4000000000000002',
    heard: ['processing', declined()],
    charges: 0,
  },
  {
    name: 'confirm: 402 payment_failed',
    number: '4000008400001629',
    heard: ['processing', declined('payment_failed')],
    charges: 0,
  },
  {
    name: 'confirm: 402 card_error with a code of a later service',
    faults: [['client.confirm', instead(402, 'made_up')]],
    heard: ['processing', declined('unknown_code')],
    charges: 0,
  },
  {
    name: 'confirm: 402 card_error from somebody after it was charged',
    faults: [['client.confirm', instead(402, 'made_up', true)]],
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: 402 whose body is malformed',
    number: '4000000000000002',
    faults: [['client.confirm', { html: true }]],
    heard: ['processing', declined()],
    charges: 0,
  },
  {
    name: 'confirm: 402, and the release fails for good',
    number: '4000000000000002',
    faults: [['client.release', { cut: 'before' }, EVER]],
    heard: ['processing', declined()],
    charges: 0,
  },
  {
    name: 'confirm: 429 with Retry-After',
    faults: [['client.confirm', { retry_after: '7' }]],
    heard: ['processing', 'ratelimited', line('error', 'rate_limited', 'unknown', 'wait')],
    charges: 0,
  },
  {
    name: 'confirm: 429 without Retry-After',
    faults: [['client.confirm', { retry_after: null }]],
    heard: ['processing', 'ratelimited', line('error', 'rate_limited', 'unknown', 'wait')],
    charges: 0,
  },
  {
    name: 'confirm: 429 to its second delivery, charged at the first',
    faults: [['client.confirm', { retry_after: '7', act: true }]],
    heard: ['processing', 'ratelimited', line('error', 'rate_limited', 'unknown', 'wait'), 'succeeded'],
    charges: 1,
  },
  ...[500, 502, 503, 504, 403, 408, 413, 425, 451].flatMap((status): Row[] => [
    {
      name: `confirm: ${status}, charged`,
      faults: [['client.confirm', instead(status, `http_${status}`, true)]],
      heard: ['processing', 'succeeded'],
      charges: 1,
    },
    {
      name: `confirm: ${status}, not charged`,
      faults: [['client.confirm', instead(status, `http_${status}`)]],
      heard: ['processing', NOT_CHARGED],
      charges: 0,
    },
  ]),
  {
    name: 'confirm: 500 fee_plan_not_configured',
    faults: [['client.confirm', instead(500, 'fee_plan_not_configured')]],
    heard: ['processing', NOT_CHARGED],
    charges: 0,
  },
  {
    name: 'confirm: 502 provider_error',
    number: '4000000000000119',
    heard: ['processing', line('decline', 'provider_error', 'no', 'retry')],
    charges: 0,
  },
  {
    name: 'confirm: processing, then succeeded',
    number: '4000000000010001',
    heard: ['processing', 'succeeded'],
    charges: 1,
  },
  {
    name: 'confirm: processing, then declined',
    number: '4000000000010019',
    heard: ['processing', declined()],
    charges: 0,
  },
  {
    name: 'poll: no read succeeds in ten minutes, charged',
    faults: [
      ['client.confirm', { cut: 'after' }],
      ['client.retrieve', { cut: 'before' }, EVER],
    ],
    heard: ['processing', 'unknown unresolved'],
    charges: 1,
  },
  {
    name: 'poll: no read succeeds in ten minutes, not charged',
    faults: [
      ['client.confirm', { cut: 'before' }],
      ['client.retrieve', { cut: 'before' }, EVER],
    ],
    heard: ['processing', 'unknown unresolved'],
    charges: 0,
  },
  {
    name: 'poll: the service refuses to be asked, charged',
    faults: [
      ['client.confirm', { cut: 'after' }],
      ['client.retrieve', instead(401, 'api_key_revoked'), EVER],
    ],
    heard: ['processing', 'unknown unresolved'],
    charges: 1,
  },
];

const MINUTES = 60_000;

const SILENT: Observer = {
  confirming: () => undefined,
  requesting: () => undefined,
  answered: () => undefined,
  state: () => undefined,
  event: () => undefined,
  askingPage: () => undefined,
  answeredByPage: () => undefined,
  fetchingSecret: () => undefined,
  defect: (defect) => {
    throw defect;
  },
};

/** Loads, presses and lets everything come to rest. Each line is noted with the charges at that moment. */
const play = async (row: Row) => {
  const clock = createManualClock(3);
  const service = createService(
    settingsOf({
      clock: { now: () => Date.UTC(2026, 0, 1) + clock.now(), wait: clock.wait },
      clientRateLimit: 1_000_000,
    }),
  );
  const sandbox = sandboxOver(service);
  const asMerchant = async (path: string, body: object, key = sandbox.keys.secret) => {
    const answer = await sandbox.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    return answer.json();
  };
  const { id, client_secret } = await asMerchant(SERVER_ROUTES.paymentIntents, ORDER);
  const charges = () => service.store.charges.length;
  let readies = 0;
  const heard: { line: Line; error: CardFormError | null; charges: number }[] = [];
  const note = (message: FrameMessage) => {
    if (message.type === 'ready') {
      readies += 1;
      return;
    }
    const error =
      message.type === 'error' || message.type === 'decline'
        ? message.error
        : message.type === 'result' && message.result.outcome === 'failed'
          ? message.result.error
          : null;
    const outcome = message.type === 'result' ? message.result.outcome : message.type;
    const why =
      message.type === 'result' && message.result.outcome === 'unknown' ? ` ${message.result.reason}` : '';
    heard.push({
      line: error ? line(outcome, error.code, error.charged, error.recovery) : `${outcome}${why}`,
      error,
      charges: charges(),
    });
  };
  const open = () =>
    openTab(
      {
        sandbox,
        clock,
        random: () => 0.5,
        observer: { ...SILENT, event: (_, message) => note(message) },
        sharedTabs: createSharedTabs('absent'),
        wrong: {},
      },
      { source: client_secret, card: row.number ?? GOOD_CARD },
    );
  const fail = () => {
    for (const [route, fault, times = 1] of row.faults ?? []) service.faults.add({ route, times, ...fault });
  };
  if (row.press === false) fail();
  const tab = open();
  await clock.advance(row.press === false ? MINUTES : 1000);
  if (row.press !== false) {
    if (row.meanwhile === 'raise')
      await asMerchant(SERVER_ROUTES.paymentIntent.replace(':id', id), {
        amount: ORDER.amount + 100,
      });
    if (row.meanwhile === 'cancel') await asMerchant(`/_sandbox/payment_intents/${id}/cancel`, {});
    fail();
    expect(pressPay(tab, 1)).not.toBeNull();
    await clock.advance(12 * MINUTES);
  }
  closeTab(tab);
  sandbox.close();
  await clock.advance(0);
  return { heard, readies, charges: charges() };
};

describe('2.6: what the page hears, row by row, and `charged` is the truth', () => {
  it.each(ROWS)('$name', async (row) => {
    const { heard, readies, charges } = await play(row);
    expect(readies).toBe(1);
    expect(heard.map(({ line: told }) => told)).toEqual(row.heard);
    expect(charges).toBe(row.charges);
    for (const { line: told, error, charges: then } of heard) {
      if (error?.charged === 'no') expect(then, told).toBe(0);
      if (error?.charged === 'yes') expect(then, told).toBe(1);
      if (told === 'succeeded') expect(then, told).toBe(1);
    }
  });
});
