/**
 * The merchant's events for every row of outcomes 2.6, from the session that buyers use and the whole sandbox. Also
 * checks `charged` against the sandbox's ledger at the moment the page gets the event (promises 1.9).
 */
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../api/clock/manual-clock.ts';
import { SERVER_ROUTES } from '../../api/routes.ts';
import type { FrameMessage } from '../../form/channel/messages.ts';
import type { CardFormError } from '../../form/channel/result.ts';
import type { Fault, FaultyRoute } from '../../sandbox/service/faults/fault.ts';
import { settingsOf } from '../../sandbox/service/options.ts';
import { GOOD_CARD, ORDER } from '../../sandbox/service/sandbox.fixture.ts';
import { sandboxOver } from '../../sandbox/service/sandbox.ts';
import { createService } from '../../sandbox/service/service.ts';
import { createSharedTabs } from './shared-tabs.ts';
import { closeTab, type Observer, openTab, pressPay } from './simulated-tab.ts';

type Charged = CardFormError['charged'];
type Recovery = CardFormError['recovery'];

/** `decline`, `error`, `amountchange`, or a result's outcome; then code, charged and recovery, if present. */
type Line = string;

type Row = {
  name: string;
  number?: string;
  /** Faults for the next requests of a route, and their number. */
  faults?: readonly (readonly [FaultyRoute, Fault, times?: number])[];
  /** The merchant's action after the form is ready, before the press. */
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
const LIMITED = ['ratelimited', line('error', 'rate_limited', 'unknown', 'wait')];
const declined = (code = 'payment_method_declined') => line('decline', code, 'no', 'use_other_card');
const refused = (code: string, recovery: Recovery) => line('error', code, 'no', recovery);
/** An error that ends the payment is reported both as an error and as the result. */
const fatal = (code: string, charged: Charged = 'no') => [
  line('error', code, charged, 'fix_integration'),
  line('failed', code, charged, 'fix_integration'),
];
/** The events when reads are refused or fail for ten minutes, which leaves the outcome open. */
const untold = (code: string) => [line('error', code, 'unknown', 'fix_integration'), 'unknown unresolved'];

/** The form's first reads fail. */
const load = (name: string, fault: Fault, times: number, ...heard: readonly Line[]): Row => ({
  name: `load: ${name}`,
  press: false,
  faults: [['client.retrieve', fault, times]],
  heard,
  charges: 0,
});
/** A press, with a fault for its confirm. */
const confirm = (
  name: string,
  fault: Fault | null,
  charges: 0 | 1,
  heard: readonly Line[],
  more: Partial<Row> = {},
): Row => ({
  name: `confirm: ${name}`,
  faults: fault ? [['client.confirm', fault]] : [],
  heard: ['processing', ...heard],
  charges,
  ...more,
});
const by = (number: string): Partial<Row> => ({ number });
const PAID = ['succeeded'];
const UNPAID = [NOT_CHARGED];

const ROWS: readonly Row[] = [
  load('no connection', { cut: 'before' }, 4, line('error', 'network', 'unknown', 'retry')),
  load('timeout', { never: true }, 4, line('error', 'timeout', 'unknown', 'retry')),
  load('HTML', { html: true }, 5, line('error', 'malformed', 'unknown', 'retry')),
  load('429 for two hours', { retry_after: '7200' }, 1, ...LIMITED),
  load('500', instead(500, 'internal_error'), 5, line('error', 'internal_error', 'unknown', 'retry')),
  load('400 unknown code', instead(400, 'made_up'), 1, ...fatal('unknown_code', 'unknown')),
  ...[
    [400, 'validation_error'] as const,
    [400, 'merchant_suspended'] as const,
    [401, 'invalid_api_key'] as const,
    [401, 'invalid_client_secret'] as const,
    [404, 'payment_intent_not_found'] as const,
    [500, 'fee_plan_not_configured'] as const,
  ].map(([status, code]) => load(`${status} ${code}`, instead(status, code), 1, ...fatal(code, 'unknown'))),

  confirm('succeeded', null, 1, PAID),
  confirm('no connection before it was sent', { cut: 'before' }, 0, UNPAID),
  confirm('reset after the service acted', { cut: 'after' }, 1, PAID),
  confirm('delivered twice, the second answer arrives', { deliveries: 2 }, 1, PAID),
  confirm('timeout, charged', { never: true }, 1, PAID),
  confirm('timeout, not charged', { never: true, act: false }, 0, UNPAID),
  confirm('arrives when the form has settled', { cut: 'after', arrives_after: 120 }, 1, UNPAID),
  confirm('200 HTML, charged', { html: true }, 1, PAID),
  confirm('200 truncated, charged', { truncate_at: 40 }, 1, PAID),
  confirm('200 with an empty object, nothing done', instead(200), 0, UNPAID),
  confirm('204', instead(204), 0, UNPAID),
  confirm(
    'the total rises in the meantime (409)',
    null,
    0,
    [refused('payment_intent_updated', 'review_amount'), 'amountchange'],
    { meanwhile: 'raise' },
  ),
  confirm('canceled in the meantime', null, 0, ['canceled'], { meanwhile: 'cancel' }),
  ...[
    [409, 'idempotency_key_reused'] as const,
    [400, 'validation_error'] as const,
    [400, 'amount_too_small'] as const,
    [400, 'amount_too_large'] as const,
    [400, 'unsupported_currency'] as const,
    [400, 'non_physical_goods_not_allowed'] as const,
    [400, 'merchant_suspended'] as const,
    [400, 'merchant_not_approved'] as const,
    [404, 'payment_intent_not_found'] as const,
    [404, 'not_found'] as const,
  ].map(([status, code]) => confirm(`${status} ${code}`, instead(status, code), 0, fatal(code))),
  confirm('400 unknown code', instead(400, 'made_up'), 0, fatal('unknown_code')),
  confirm('400 from somebody after it was charged', instead(400, 'validation_error', true), 1, PAID),
  confirm('400', null, 0, [refused('invalid_billing_details', 'fix_input')], by('4000000000010118')),
  confirm(
    '400 validation_error of card.number, a UnionPay number without a check digit',
    null,
    0,
    [refused('validation_error', 'fix_input')],
    by('6200000000000006'),
  ),
  ...['payment_details_missing', 'invalid_payment_details'].map((code) =>
    confirm(`400 ${code}`, instead(400, code), 0, [refused(code, 'fix_integration')]),
  ),
  confirm('400 not pending, after a charge', instead(400, 'payment_intent_not_pending', true), 1, PAID),
  confirm(
    '400 payment_intent_not_pending, though reads report remaining attempts',
    instead(400, 'payment_intent_not_pending'),
    0,
    UNPAID,
  ),
  ...['invalid_api_key', 'api_key_revoked', 'invalid_client_secret'].map((code) =>
    confirm(`401 ${code}`, instead(401, code), 0, untold(code)),
  ),
  confirm(
    '401 to its second delivery, charged at the first',
    instead(401, 'api_key_revoked', true),
    1,
    untold('api_key_revoked'),
  ),
  confirm('401 that is not the service`s', instead(401, 'made_up'), 0, UNPAID),
  confirm('402 payment_method_declined', null, 0, [declined()], by('4000000000000002')),
  confirm('402 payment_failed', null, 0, [declined('payment_failed')], by('4000008400001629')),
  confirm('402 of a later service', instead(402, 'made_up'), 0, [declined('unknown_code')]),
  confirm('402 from somebody after it was charged', instead(402, 'made_up', true), 1, PAID),
  confirm('402 with a malformed body', { html: true }, 0, [declined()], by('4000000000000002')),
  confirm('402, and the release fails for good', null, 0, [declined()], {
    ...by('4000000000000002'),
    faults: [['client.release', { cut: 'before' }, EVER]],
  }),
  confirm('429 with Retry-After', { retry_after: '7' }, 0, LIMITED),
  confirm('429 without Retry-After', { retry_after: null }, 0, LIMITED),
  confirm('429 to its second delivery, charged at the first', { retry_after: '7', act: true }, 1, [
    ...LIMITED,
    ...PAID,
  ]),
  ...[500, 502, 503, 504, 403, 408, 413, 425, 451].flatMap((status) => [
    confirm(`${status}, charged`, instead(status, `http_${status}`, true), 1, PAID),
    confirm(`${status}, not charged`, instead(status, `http_${status}`), 0, UNPAID),
  ]),
  confirm('500 fee_plan_not_configured', instead(500, 'fee_plan_not_configured'), 0, UNPAID),
  confirm(
    '502 provider_error',
    null,
    0,
    [line('decline', 'provider_error', 'no', 'retry')],
    by('4000000000000119'),
  ),
  confirm('processing, then succeeded', null, 1, PAID, by('4000000000010001')),
  confirm('processing, then declined', null, 0, [declined()], by('4000000000010019')),
  ...[
    ['no read succeeds in ten minutes, charged', { cut: 'after' }, { cut: 'before' }, 1] as const,
    ['no read succeeds in ten minutes, not charged', { cut: 'before' }, { cut: 'before' }, 0] as const,
    ['reads are refused, charged', { cut: 'after' }, instead(401, 'api_key_revoked'), 1] as const,
  ].map(([name, fault, read, charges]) =>
    confirm(name, null, charges, ['unknown unresolved'], {
      faults: [
        ['client.confirm', fault],
        ['client.retrieve', read, EVER],
      ],
    }),
  ),
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

/** Loads, presses and lets everything settle. Records each line with the charges at that moment. */
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

describe('2.6: the page receives the events of each row, and `charged` is true to the ledger', () => {
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
