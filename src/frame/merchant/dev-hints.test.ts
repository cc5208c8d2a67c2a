// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assist, closestOption } from './dev-hints.ts';

const warnOnConsole = vi.fn();

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(warnOnConsole);
});
afterEach(() => {
  vi.restoreAllMocks();
  warnOnConsole.mockReset();
});

describe('did you mean', () => {
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

describe('a developer is told', () => {
  const error = {
    type: 'x',
    code: 'invalid_client_secret',
    message: '',
    charged: 'no',
    recovery: 'fix_integration',
  } as const;

  it('what was wrong before the help was there, and since, once each', () => {
    const hear = assist({
      names: [],
      isAstray: false,
      entries: [
        { at: 0, event: 'opened' },
        { at: 1, event: 'warning', what: 'translations.x: no' },
        { at: 2, event: 'error', what: 'api_key_revoked' },
      ],
      warn: () => undefined,
    });
    hear({ type: 'error', error });
    hear({ type: 'error', error });
    hear({ type: 'warning', about: 'sandbox', hint: 'no money' });
    expect(warnOnConsole.mock.calls.map(([text]) => text)).toEqual([
      'CardForm: translations.x: no',
      expect.stringContaining('revoked'),
      expect.stringContaining('same account'),
      'CardForm: sandbox: no money',
    ]);
  });

  it('nothing of an error that has no advice', () => {
    assist({ names: [], entries: [], isAstray: false, warn: () => undefined })({
      type: 'error',
      error: { ...error, code: 'toString' },
    });
    expect(warnOnConsole).not.toHaveBeenCalled();
  });

  it('of each option that there is not, and of none that there is', async () => {
    const warn = vi.fn();
    const data = {
      channel: 'card-form',
      protocol: 1,
      publishableKey: '',
      colorScheme: 'dark',
      Locale: 'de',
      amount: 1,
    };
    assist({ names: Object.keys(data), entries: [], isAstray: false, warn });
    await Promise.resolve();
    await Promise.resolve();
    expect(warn.mock.calls.map(([about]) => about)).toEqual(['Locale', 'amount']);
    expect(warn.mock.calls[0]?.[1]).toContain('Did you mean locale?');
  });

  it.each([
    [true, ['publishableKey']],
    [false, []],
  ])('of a sandbox key on a page that is not on the own machine: %s', async (isAstray, told) => {
    const warn = vi.fn();
    assist({ names: ['publishableKey'], entries: [], isAstray, warn });
    await Promise.resolve();
    expect(warn.mock.calls.map(([about]) => about)).toEqual(told);
  });
});
