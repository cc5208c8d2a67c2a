// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CardFormDiagnostics } from '../../channel/diagnostics.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import type { ClientPaymentIntent } from '../../channel/result.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import { createDevHints } from './dev-hints.ts';

const warnOnConsole = vi.fn();
const RIBBON = '<div id="form"><p class="ribbon">Sandbox</p><form></form></div>';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(warnOnConsole);
  document.body.innerHTML = RIBBON;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  warnOnConsole.mockReset();
});

const NOTHING: CardFormDiagnostics = {
  release: '',
  timings: { mounted: 0, typeable: 1 },
  presses: {},
  troubles: {},
  entries: [{ at: 0, event: 'opened' }],
};

/** Hints for a page of which this much is known. A warning comes back as a message, as in the form. */
const hintsFor = (
  known: Partial<CardFormDiagnostics> = {},
  options: object = {},
  isPublicSandbox = false,
) => {
  const warned: [about: string, hint: string][] = [];
  const onMessage = createDevHints({
    options,
    diagnostics: { answer: () => ({ ...NOTHING, ...known }) },
    isLocal: !isPublicSandbox,
    publishableKey: 'pk_live_sandbox0000000000000000000004020',
    warn: (about, hint) => {
      warned.push([about, hint]);
      onMessage({ type: 'warning', about, hint });
    },
  });
  return { onMessage, warned };
};

const said = (): readonly unknown[] => warnOnConsole.mock.calls.map(([text]) => text);

it('names the sandbox once the form is ready, since several may run on one machine', () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {});
  const payable = { timings: { mounted: 0, typeable: 1, payable: 2 } };
  hintsFor().onMessage({ type: 'ready', amountTotal: null, currency: null }); // with an error, or an outcome
  const { onMessage } = hintsFor(payable);
  expect(info).not.toHaveBeenCalled();
  onMessage({ type: 'ready', amountTotal: 5804, currency: 'usd' });
  expect(info.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^CardForm: ready\. The service is the sandbox at http\S+, with the publishable key …04020\./,
      ),
    ],
  ]);
  hintsFor({ ...payable, entries: [{ at: 0, event: 'ready' }] }); // it was ready before the hints had loaded
  expect(info).toHaveBeenCalledTimes(2);
});

describe('the console shows', () => {
  const error = {
    type: 'x',
    code: 'invalid_client_secret',
    message: '',
    charged: 'no',
    recovery: 'fix_integration',
  } as const;

  it('warnings and errors from before the script had loaded and since, once each', () => {
    const { onMessage } = hintsFor({
      entries: [
        { at: 0, event: 'opened' },
        { at: 1, event: 'warning', what: 'translations.x: no' },
        { at: 2, event: 'error', what: 'api_key_revoked' },
      ],
    });
    onMessage({ type: 'error', error });
    onMessage({ type: 'error', error });
    onMessage({ type: 'warning', about: 'sandbox', hint: 'no money' });
    expect(said()).toEqual([
      'CardForm: translations.x: no',
      expect.stringContaining('revoked'),
      expect.stringContaining('same account'),
      'CardForm: sandbox: no money',
    ]);
  });

  it('contract S7.2: the details that payment_details_missing can mean', () => {
    hintsFor().onMessage({ type: 'error', error: { ...error, code: 'payment_details_missing' } });
    expect(said().join()).toContain(': buyer, order_reference or shipping_details.');
  });

  it('nothing for an error without advice', () => {
    hintsFor().onMessage({ type: 'error', error: { ...error, code: 'toString' } });
    expect(warnOnConsole).not.toHaveBeenCalled();
  });

  it('a warning for each unknown option, and none for a known one', async () => {
    const data = {
      channel: 'card-form',
      protocol: 1,
      publishableKey: 'pk_live_x',
      backdrop: '?',
      Locale: 'de',
      amount: 1,
    };
    const { warned } = hintsFor({}, data);
    await Promise.resolve();
    await Promise.resolve();
    expect(warned.map(([about]) => about)).toEqual(['Locale', 'amount']);
    expect(warned[0]?.[1]).toContain('Did you mean locale?');
  });

  it.each([
    [true, ['publishableKey']],
    [false, []],
  ])('a warning if a sandbox key is used on a public page: %s', async (isPublicSandbox, expected) => {
    const { warned } = hintsFor({}, { publishableKey: 'pk_live_x' }, isPublicSandbox);
    await Promise.resolve();
    expect(warned.map(([about]) => about)).toEqual(expected);
  });
});

describe('a client secret that can no longer be paid', () => {
  /** The intent as the page gets it. */
  const paymentIntent = (): ClientPaymentIntent => {
    const { attempts_left: _, missing_details: __, ...intent } = exampleIntent({ status: 'succeeded' });
    return intent;
  };
  const paid = (): FrameMessage => ({
    type: 'result',
    result: { outcome: 'succeeded', paymentIntent: paymentIntent() },
  });

  it('was used before: says so, whether the result came before or after this script', () => {
    hintsFor().onMessage(paid());
    expect(said()).toEqual([expect.stringMatching(/already_paid: This client secret was used/)]);
    warnOnConsole.mockReset();
    hintsFor({ entries: [{ at: 3, event: 'result', what: 'succeeded' }] });
    expect(said()).toEqual([expect.stringContaining('already_paid')]);
  });

  it('is paid in this form: nothing is wrong', () => {
    const { onMessage } = hintsFor();
    onMessage({ type: 'processing', pressed: true });
    onMessage(paid());
    expect(said()).toEqual([]);
  });

  it('was paid after it had been processing when the form opened: nothing is wrong', () => {
    hintsFor({ entries: [{ at: 1, event: 'processing' }] }).onMessage(paid());
    expect(said()).toEqual([]);
  });

  it('was canceled, or has no attempts left: names what to create', () => {
    const { onMessage } = hintsFor();
    onMessage({ type: 'result', result: { outcome: 'canceled', paymentIntent: paymentIntent() } });
    onMessage({
      type: 'result',
      result: {
        outcome: 'failed',
        error: {
          type: 'invalid_request_error',
          code: 'payment_intent_not_pending',
          message: '',
          charged: 'no',
          recovery: 'new_payment',
        },
      },
    });
    expect(said()).toEqual([
      expect.stringMatching(/payment_intent_canceled: .*Create another intent/),
      expect.stringMatching(/payment_intent_not_pending: .*Create another intent/),
    ]);
  });
});

describe('client routes that are blocked', () => {
  const failed = { 'retrieve.network': 1 };

  it('are reported after three seconds, not before', () => {
    hintsFor({ troubles: failed });
    vi.advanceTimersByTime(2999);
    expect(said()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(said()).toEqual([expect.stringMatching(/blocked_requests: .*\/partner\/v1\/client\//)]);
  });

  it.each<[string, Partial<CardFormDiagnostics>]>([
    ['no request failed', {}],
    ['the service answered with an error', { troubles: { 'retrieve.503': 2 } }],
    ['a later read got through', { troubles: failed, timings: { mounted: 0, payable: 2000 } }],
    ['the payment is under way', { troubles: failed, entries: [{ at: 1, event: 'processing' }] }],
    ['the payment is over', { troubles: failed, entries: [{ at: 1, event: 'result', what: 'unknown' }] }],
  ])('are not suspected if %s', (_, known) => {
    hintsFor(known);
    vi.advanceTimersByTime(60_000);
    expect(said().join()).not.toContain('blocked_requests');
  });

  it('are not suspected while the browser is offline', () => {
    vi.stubGlobal('navigator', { onLine: false });
    hintsFor({ troubles: failed });
    vi.advanceTimersByTime(60_000);
    expect(said()).toEqual([]);
  });
});

describe('the size of the container', () => {
  it.each([
    [0, 0, /display: none/],
    [0, 1000, /no width/],
    [8, 1000, /no width/],
    [150, 1000, /at least 200 by 120/],
    [400, 60, /at least 200 by 120/],
  ])('%i by %i is explained', (innerWidth, innerHeight, hint) => {
    vi.stubGlobal('innerWidth', innerWidth);
    vi.stubGlobal('innerHeight', innerHeight);
    const { warned } = hintsFor();
    vi.advanceTimersByTime(500);
    expect(warned).toEqual([['container', expect.stringMatching(hint)]]);
  });

  const resize = (innerWidth: number, innerHeight: number) => {
    vi.stubGlobal('innerWidth', innerWidth);
    vi.stubGlobal('innerHeight', innerHeight);
    dispatchEvent(new Event('resize'));
  };

  it('a form that was hidden and then fits gets no second hint; one that is then too small does', () => {
    const { warned } = hintsFor();
    resize(0, 0);
    vi.advanceTimersByTime(500);
    resize(390, 900);
    vi.advanceTimersByTime(500);
    expect(warned).toHaveLength(1);
    resize(100, 900);
    vi.advanceTimersByTime(500);
    expect(warned).toHaveLength(2);
  });

  it('the sizes that a dialog passes through while it opens are not explained', () => {
    const { warned } = hintsFor();
    resize(0, 0);
    vi.advanceTimersByTime(500);
    for (const height of [0, 40, 110]) {
      resize(390, height);
      vi.advanceTimersByTime(16);
    }
    resize(390, 900);
    vi.advanceTimersByTime(5000);
    expect(warned).toHaveLength(1);
  });
});

describe('the panel in the form', () => {
  const panel = () => document.querySelector('.problems');

  it('has each problem once, with its number in front', () => {
    const { onMessage } = hintsFor();
    expect(panel()).toBeNull();
    for (const hint of ['no', 'no', 'never']) onMessage({ type: 'warning', about: 'appearance.x', hint });
    expect(panel()?.querySelector('summary')?.textContent).toMatch(/^2 problems/);
    expect([...(panel()?.querySelectorAll('li') ?? [])].map((item) => item.textContent)).toEqual([
      'appearance.x no',
      'appearance.x never',
    ]);
    expect(document.querySelector('#form')?.firstElementChild).toBe(panel());
  });

  it('has the line to paste where the policy lacks one', () => {
    hintsFor().onMessage({ type: 'warning', about: 'script-src', hint: 'Allow its folder in script-src.' });
    expect(panel()?.querySelector('li code')?.textContent).toBe(
      `script-src ${location.origin}/partner/v1/card-form.js ${location.origin}/partner/v1/card-form/; frame-src ${location.origin}/partner/v1/card-form/`,
    );
  });

  it('omits problems that a buyer may cause, and temporary ones', () => {
    const { onMessage } = hintsFor();
    const error = { type: 'x', message: '', charged: 'no', recovery: 'retry' } as const;
    for (const code of ['incomplete', 'too_soon']) onMessage({ type: 'error', error: { ...error, code } });
    onMessage({ type: 'warning', about: 'connection', hint: 'The browser is offline.' });
    expect(said()).toHaveLength(3);
    expect(panel()).toBeNull();
  });

  it('is never shown with a live key, which has no ribbon', () => {
    document.querySelector('.ribbon')?.remove();
    hintsFor().onMessage({ type: 'warning', about: 'appearance.x', hint: 'no' });
    expect(said()).toHaveLength(1);
    expect(panel()).toBeNull();
  });
});
