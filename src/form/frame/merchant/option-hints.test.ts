import { expect, it } from 'vitest';
import { checkOptions } from '../../loader/options.ts';
import { optionHints } from './option-hints.ts';

/** The hints for these options, after they have passed through the loader. */
const hintsFor = (options: object) =>
  optionHints(
    checkOptions({
      publishableKey: 'pk_live_sandbox0000000000000000000000000',
      clientSecret: 'lg_cs_1',
      ...options,
    }),
  ).map(({ option, message }) => `${option}: ${message}`);

it.each<[object, string]>([
  [{ readOnly: 'yes' }, 'readOnly: Expected true or false; got a text of 3. It is ignored.'],
  [{ payButton: 'hots' }, "payButton: Expected 'frame' or 'host'; got a text of 4. It is ignored."],
  [{ addressLookup: {} }, 'addressLookup: Expected a function; got an object. It is ignored.'],
  [{ beforePay: 'pay' }, 'beforePay: Expected a function; got a text of 3. It is ignored.'],
  [{ locale: ['de'] }, 'locale: Expected a text of at most 35 characters; got a list. It is ignored.'],
  [{ defaultValues: 'Ada' }, 'defaultValues: Expected an object; got a text of 3. It is ignored.'],
  [
    { defaultValues: { billingDetails: { address: { postal_code: 97_205 } } } },
    'defaultValues.billingDetails.address.postal_code: Expected a text of at most 20 characters; got 97205. It is ignored.',
  ],
  [
    { fields: { billingDetails: { email: 'Never' } } },
    "fields.billingDetails.email: Expected 'auto' or 'never'; got a text of 5. It is ignored.",
  ],
])('an option of the wrong kind is named, with the expected and the given value: %j', (options, hint) => {
  expect(hintsFor(options)).toEqual([hint]);
});

it('ignores options that the form reads, checks elsewhere or did not receive', () => {
  const given = {
    locale: 'de',
    payButton: 'host',
    readOnly: false,
    autoAdvance: undefined,
    buttonType: null,
    addressLookup: async () => [],
    appearance: 7,
    allowedCountries: 7,
    defaultValues: { billingDetails: { name: 'Ada', address: { line1: null } } },
    signal: new AbortController().signal,
  };
  expect(hintsFor(given)).toEqual([]);
});

it('repeats no value that a buyer may have typed', () => {
  const [hint] = hintsFor({ defaultValues: { billingDetails: { name: 'Ada '.repeat(99) } } });
  expect(hint).toBe(
    'defaultValues.billingDetails.name: Expected a text of at most 200 characters; got a text of 396. It is ignored.',
  );
});
