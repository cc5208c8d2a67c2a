import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type InitPreview, previewInit } from './init-preview.ts';
import { readInit } from './messages.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

const INIT = {
  channel: CHANNEL,
  protocol: PROTOCOL,
  publishableKey: `pk_live_${'a'.repeat(32)}`,
  clientSecret: 'lg_cs_1',
};

/** What the schema makes of it, as far as the preview shows it. */
const bySchema = (data: unknown): InitPreview | null => {
  const init = readInit(data);
  if (init?.protocol !== PROTOCOL) return null; // the handshake ignores other protocols
  return (
    init && {
      publishableKey: init.publishableKey,
      clientSecret: init.clientSecret,
      locale: init.locale,
      colorScheme: init.colorScheme,
      payButton: init.payButton,
      appearance: init.appearance,
      defaults: {
        name: init.defaultValues?.billingDetails?.name,
        email: init.defaultValues?.billingDetails?.email,
        ...init.defaultValues?.billingDetails?.address,
      },
      neverAsked: (['email', 'name', 'address'] as const).filter(
        (option) => init.fields?.billingDetails?.[option] === 'never',
      ),
    }
  );
};

it('reads what is given', () => {
  const address = { country: 'DE', line1: 'Hauptstr. 5' };
  const init = {
    ...INIT,
    locale: 'de',
    colorScheme: 'light dark true',
    payButton: 'host',
    appearance: { theme: 'dark' },
    defaultValues: { billingDetails: { email: 'ada@example.com', address } },
    fields: { billingDetails: { address: 'never', email: 'auto' } },
  };
  expect(previewInit(init)).toEqual(bySchema(init));
  expect(previewInit(init)).toMatchObject({
    locale: 'de',
    defaults: { email: 'ada@example.com', country: 'DE', line1: 'Hauptstr. 5', state: undefined },
    colorScheme: 'light dark true',
    payButton: 'host',
    neverAsked: ['address'],
  });
});

const text = fc.oneof(
  fc.constantFrom(
    '',
    'de',
    'DE',
    'auto',
    'light',
    'dark',
    'frame',
    'host',
    'lg_cs_',
    'lg_cs_2',
    'init',
    CHANNEL,
  ),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    'x'.repeat(36),
    'x'.repeat(200),
    'x'.repeat(201),
    `lg_cs_${'x'.repeat(194)}`,
    `lg_cs_${'x'.repeat(195)}`,
    'x'.repeat(20_000),
  ),
  fc.constantFrom(INIT.publishableKey, `${INIT.publishableKey}\n`, `${INIT.publishableKey}a`, 'pk_test_1'),
);
const anything = fc.oneof(
  text,
  fc.constantFrom(undefined, null, true, false, 0, 1, PROTOCOL, Number.NaN, new Date(0), [], {}),
  fc.array(text, { maxLength: 3 }),
);
const address = fc.oneof(
  anything,
  fc.record(
    {
      country: anything,
      line1: anything,
      line2: anything,
      city: anything,
      state: anything,
      postal_code: anything,
    },
    { requiredKeys: [] },
  ),
);
const billingDetails = fc.oneof(
  anything,
  fc.record({ address, email: anything, name: anything }, { requiredKeys: [] }),
);
const never = fc.oneof(anything, fc.constantFrom('never', 'auto'));
const shown = fc.oneof(
  anything,
  fc.record({ email: never, name: never, address: never }, { requiredKeys: [] }),
);
const change = fc.record(
  {
    channel: anything,
    type: anything,
    protocol: anything,
    publishableKey: anything,
    clientSecret: anything,
    fetchClientSecret: anything,
    locale: anything,
    colorScheme: anything,
    payButton: anything,
    appearance: anything,
    defaultValues: fc.oneof(anything, fc.record({ billingDetails })),
    fields: fc.oneof(anything, fc.record({ billingDetails: shown })),
  },
  { requiredKeys: [] },
);
/** An `init`, mostly with one or two mistakes. */
const message = fc
  .tuple(
    change,
    fc.subarray(
      Object.keys(INIT).concat(
        'locale',
        'colorScheme',
        'payButton',
        'defaultValues',
        'fields',
        'fetchClientSecret',
        'appearance',
      ),
      { maxLength: 3 },
    ),
  )
  .map(([given, keys]) => ({
    ...INIT,
    ...Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key))),
  }));

it('accepts exactly what the schema accepts, with the same values, in 20,000 messages', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof({ arbitrary: message, weight: 9 }, { arbitrary: anything, weight: 1 }), (data) => {
      const preview = previewInit(data);
      if (preview) taken += 1;
      expect(preview).toEqual(bySchema(data));
    }),
    { numRuns: 20_000, seed: 8 },
  );
  expect(taken).toBeGreaterThan(2000);
  expect(taken).toBeLessThan(18_000);
}, 120_000);

it('reads no inherited property', () => {
  expect(previewInit(Object.create(INIT))).toBeNull();
  expect(
    previewInit({ ...INIT, defaultValues: Object.create({ billingDetails: { address: { country: 'DE' } } }) })
      ?.defaults.country,
  ).toBeUndefined();
});
