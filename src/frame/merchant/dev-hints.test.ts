// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closestOption, createDevHints } from './dev-hints.ts';

const warnOnConsole = vi.fn();

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(warnOnConsole);
});
afterEach(() => {
  vi.restoreAllMocks();
  warnOnConsole.mockReset();
});

describe('closestOption()', () => {
  it.each([
    ['clientsecret', 'clientSecret'],
    ['client_secret', 'clientSecret'],
    ['publishable_key', 'publishableKey'],
    ['acceptedBrand', 'acceptedBrands'],
    ['allowedCountry', 'allowedCountries'],
    ['apearance', 'appearance'],
    ['translation', 'translations'],
    ['onSuccess', null],
    ['amount', null],
  ])('%s: %s', (name, option) => {
    expect(closestOption(name)).toBe(option);
  });
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
    const onMessage = createDevHints({
      names: [],
      isPublicSandbox: false,
      entries: [
        { at: 0, event: 'opened' },
        { at: 1, event: 'warning', what: 'translations.x: no' },
        { at: 2, event: 'error', what: 'api_key_revoked' },
      ],
      warn: () => undefined,
    });
    onMessage({ type: 'error', error });
    onMessage({ type: 'error', error });
    onMessage({ type: 'warning', about: 'sandbox', hint: 'no money' });
    expect(warnOnConsole.mock.calls.map(([text]) => text)).toEqual([
      'CardForm: translations.x: no',
      expect.stringContaining('revoked'),
      expect.stringContaining('same account'),
      'CardForm: sandbox: no money',
    ]);
  });

  it('contract S7.2: the details that payment_details_missing can mean', () => {
    createDevHints({ names: [], entries: [], isPublicSandbox: false, warn: () => undefined })({
      type: 'error',
      error: { ...error, code: 'payment_details_missing' },
    });
    expect(warnOnConsole.mock.calls.join()).toContain(': buyer, order_reference or shipping_details.');
  });

  it('nothing for an error without advice', () => {
    createDevHints({ names: [], entries: [], isPublicSandbox: false, warn: () => undefined })({
      type: 'error',
      error: { ...error, code: 'toString' },
    });
    expect(warnOnConsole).not.toHaveBeenCalled();
  });

  it('a warning for each unknown option, and none for a known one', async () => {
    const warn = vi.fn();
    const data = {
      channel: 'card-form',
      protocol: 1,
      publishableKey: '',
      colorScheme: 'dark',
      Locale: 'de',
      amount: 1,
    };
    createDevHints({ names: Object.keys(data), entries: [], isPublicSandbox: false, warn });
    await Promise.resolve();
    await Promise.resolve();
    expect(warn.mock.calls.map(([about]) => about)).toEqual(['Locale', 'amount']);
    expect(warn.mock.calls[0]?.[1]).toContain('Did you mean locale?');
  });

  it.each([
    [true, ['publishableKey']],
    [false, []],
  ])('a warning if a sandbox key is used on a public page: %s', async (isPublicSandbox, warned) => {
    const warn = vi.fn();
    createDevHints({ names: ['publishableKey'], entries: [], isPublicSandbox, warn });
    await Promise.resolve();
    expect(warn.mock.calls.map(([about]) => about)).toEqual(warned);
  });
});
