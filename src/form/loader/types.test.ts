import { describe, expectTypeOf, it } from 'vitest';
import type { OptionName } from '../channel/options.ts';
import type { PressRefusal } from '../frame/press/press.ts';
import type {
  CardFormApi,
  CardFormBrand,
  CardFormDiagnostics,
  CardFormError,
  CardFormErrorCode,
  CardFormEvent,
  CardFormEventName,
  CardFormField,
  CardFormInstance,
  CardFormOptions,
  CardFormPlace,
  CardFormPressReason,
  CardFormUpdate,
  Result,
} from './types.ts';

declare const textsOfCms: Record<string, string>;
const keys = { publishableKey: 'pk_live_x', clientSecret: 'lg_cs_x' };

/** Only compiled: `tsc` fails if a line compiles that must not, or the other way round. */
const compiled = (api: CardFormApi, form: CardFormInstance) => {
  api.mount('#card-form', keys);
  api.mount(document.body, { publishableKey: 'pk_live_x', fetchClientSecret: async () => 'lg_cs_x' });
  api.mount('#card-form', {
    ...keys,
    locale: 'pt-BR',
    payButton: 'host',
    buttonType: 'order',
    appearance: { theme: 'dark', labels: 'floating', fields: 'grouped', variables: { colorPrimary: 'teal' } },
    fonts: [
      { family: 'Brand', src: '/brand.woff2', weight: '100 900' },
      { family: 'Brand', src: '/italic.woff2', style: 'italic' },
    ],
    addressLookup: async ({ query, country, signal }) => {
      signal.throwIfAborted();
      return [{ label: `${query}, ${country}`, address: { line1: query, state: null, country } }];
    },
    fields: { billingDetails: { email: 'never', name: 'auto' } },
    defaultValues: { billingDetails: { email: 'ada@example.com', address: { postal_code: '97205' } } },
    allowedCountries: ['DE'],
    acceptedBrands: ['visa'],
    translations: { pay: 'Donate {amount}' },
    readOnly: true,
    signal: new AbortController().signal,
    debug: true,
  });
  // @ts-expect-error: without a key there is no account
  api.mount('#card-form', { clientSecret: 'lg_cs_x' });
  // @ts-expect-error: options are camelCase
  api.mount('#card-form', { ...keys, publishable_key: 'x' });
  // @ts-expect-error: the service's address is the script's own
  api.mount('#card-form', { ...keys, baseUrl: 'https://pay.example' });
  // @ts-expect-error: amounts come from the service, never from the page
  api.mount('#card-form', { ...keys, amount: 100 });
  // @ts-expect-error: address keys are named as the service names them
  api.mount('#card-form', { ...keys, defaultValues: { billingDetails: { address: { postalCode: '1' } } } });
  // @ts-expect-error: there is no such brand
  api.mount('#card-form', { ...keys, acceptedBrands: ['visacard'] });
  // @ts-expect-error: a font has an address
  api.mount('#card-form', { ...keys, fonts: [{ family: 'Brand' }] });
  // @ts-expect-error: an address has a first line
  api.mount('#card-form', { ...keys, addressLookup: async () => [{ label: 'x', address: { city: 'y' } }] });
  // @ts-expect-error: there is no such button
  api.mount('#card-form', { ...keys, buttonType: 'purchase' });
  // @ts-expect-error: the form has no text with this key
  api.mount('#card-form', { ...keys, translations: { 'pay.now': 'Buy' } });
  api.mount('#card-form', { ...keys, translations: textsOfCms });
  // @ts-expect-error: a card is always asked for
  api.mount('#card-form', { ...keys, fields: { card: 'never' } });
  // @ts-expect-error: a secret is fetched by a function, not by a promise
  api.mount('#card-form', { ...keys, fetchClientSecret: Promise.resolve('lg_cs_x') });

  form.update({ locale: 'de', readOnly: false, acceptedBrands: ['amex'] });
  expectTypeOf(form.update({ clientSecret: 'lg_cs_y' })).toEqualTypeOf<Promise<CardFormError | null>>();
  // @ts-expect-error: another account is another form
  form.update({ publishableKey: 'pk_live_y' });
  // @ts-expect-error: fonts stay as they were given
  form.update({ fonts: [] });
  form.update({ payButton: 'host' });
  form.update({ defaultValues: { billingDetails: { email: 'ada@example.com' } } });
  form.update({ fields: { billingDetails: { email: 'never' } } });

  form.focus();
  form.focus('expiry');
  // @ts-expect-error: there is no such field
  form.focus('cardNumber');

  const stop: () => void = form.on('change', ({ complete, brand }) => {
    expectTypeOf(complete).toEqualTypeOf<boolean>();
    expectTypeOf(brand).toEqualTypeOf<CardFormBrand | null>();
  });
  stop();
  form.once('amountchange', ({ previous, currency }) => {
    expectTypeOf(previous).toEqualTypeOf<number>();
    expectTypeOf(currency).toEqualTypeOf<'usd' | 'eur'>();
  });
  form.on('focus', ({ field }) => expectTypeOf(field).toEqualTypeOf<CardFormPlace>());
  // @ts-expect-error: no page is told which field of the card has the focus.
  form.on('blur', ({ field }) => field === 'number');
  // @ts-expect-error: no event has a value of a field
  form.on('focus', ({ value }) => value);
  form.on('result', (result) => expectTypeOf(result).toEqualTypeOf<Result>());
  // @ts-expect-error: there is no such event
  form.on('success', () => undefined);
  void form
    .diagnostics()
    .then((diagnostics) => expectTypeOf(diagnostics).toEqualTypeOf<CardFormDiagnostics>());
  form.on('*', (name, detail) => {
    expectTypeOf(name).toEqualTypeOf<CardFormEventName>();
    if (name === 'processing') expectTypeOf(detail.pressed).toEqualTypeOf<boolean>();
    if (name === 'error') expectTypeOf(detail.code).toEqualTypeOf<CardFormErrorCode>();
    // @ts-expect-error: answers to the page's calls are no events
    if (name === 'diagnostics') return;
  });
  const watch = (...[name, detail]: CardFormEvent) => name === 'result' && detail.outcome;
  form.on('*', async (name) => expectTypeOf(name).toEqualTypeOf<CardFormEventName>());
  form.once('*', watch);
  form.off('*', watch);
  // @ts-expect-error: the promises are the form's own
  form.result = Promise.resolve();
  {
    using scoped = form;
    scoped.refresh();
  }
};

describe('the public types', () => {
  it('accept valid options and reject invalid ones, or `tsc` fails', () => {
    expectTypeOf(compiled).toBeFunction();
  });

  it('follow from the tables of options, events and fields as they are documented, or `tsc` fails', () => {
    type Billing = 'name' | 'email' | 'country' | 'line1' | 'line2' | 'city' | 'state' | 'postal_code';
    expectTypeOf<CardFormField>().toEqualTypeOf<'number' | 'expiry' | 'cvc' | Billing>();
    expectTypeOf<CardFormPlace>().toEqualTypeOf<'card' | Billing>();
    expectTypeOf<keyof CardFormOptions>().toEqualTypeOf<OptionName>();
    expectTypeOf<keyof CardFormUpdate>().toEqualTypeOf<
      | 'locale'
      | 'appearance'
      | 'translations'
      | 'readOnly'
      | 'allowedCountries'
      | 'acceptedBrands'
      | 'defaultValues'
      | 'fields'
      | 'payButton'
      | 'buttonType'
      | 'clientSecret'
    >();
    expectTypeOf<CardFormBrand>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<CardFormBrand>();
    expectTypeOf<CardFormPressReason>().toEqualTypeOf<PressRefusal>();
    expectTypeOf<CardFormOptions['clientSecret']>().toEqualTypeOf<string | undefined>();
  });
});
