/** The fake's tests, run in happy-dom and in jsdom. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHANGED_TOTAL, SCENARIOS, type Step } from '../../../e2e/package/fake-scenarios.ts';
import type { CardFormEventName, CardFormInstance, CardFormOptions } from '../../form/loader/types.ts';
import { loadCardForm } from '../load.ts';
import { type FakeCardForm, fakeCardForm } from './fake.ts';

const OPTIONS: CardFormOptions = {
  publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
  clientSecret: 'lg_cs_one',
};

let fake: FakeCardForm;

/** Creates an empty page with a container. */
const putContainer = () => {
  const container = document.createElement('div');
  container.id = 'card-form';
  const main = document.createElement('main');
  main.append(container);
  document.body.replaceChildren(main);
};

/** Mounts a form as a shop's page does. `heard` returns the names of the events, without `change`. */
const mount = async (options: Partial<CardFormOptions> = {}) => {
  const api = await loadCardForm('https://pay.example');
  if (!api) throw new Error('There is no page.');
  const form = api.mount('#card-form', { ...OPTIONS, ...options });
  const events: [CardFormEventName, object][] = [];
  form.on('*', (...event) => events.push(event));
  const heard = () => events.map(([name]) => name).filter((name) => name !== 'change');
  const last = (name: CardFormEventName) => events.findLast(([one]) => one === name)?.[1];
  return { api, form, events, heard, last };
};

const describeBuyer = () => {
  it('pays: the page hears what it hears of the real form, with the intent', async () => {
    const { form, heard, last } = await mount();
    await fake.pay();
    expect(heard()).toEqual(['ready', 'processing', 'result']);
    expect(await form.ready).toMatchObject({ amountTotal: 5804, currency: 'usd' });
    expect(last('processing')).toMatchObject({ pressed: true });
    expect(await form.result).toMatchObject({
      outcome: 'succeeded',
      paymentIntent: { status: 'succeeded', amount_total: 5804 },
    });
  });

  it('is declined, with the reason, and pays with another try', async () => {
    const { heard, last } = await mount();
    await fake.decline('insufficient_funds');
    expect(last('decline')).toMatchObject({
      error: { decline_code: 'insufficient_funds', charged: 'no', recovery: 'use_other_card' },
    });
    await fake.pay();
    expect(heard()).toEqual(['ready', 'processing', 'decline', 'processing', 'result']);
  });

  it('has no attempt left after the fifth decline', async () => {
    const { form, heard } = await mount();
    for (let attempt = 0; attempt < 5; attempt += 1) await fake.decline();
    expect(heard().filter((name) => name === 'decline')).toHaveLength(5);
    expect(await form.result).toMatchObject({ outcome: 'failed', error: { recovery: 'new_payment' } });
    await expect(fake.pay()).rejects.toThrow('nothing to pay now: its state is "exhausted"');
  });

  it('presses, and waits for an answer', async () => {
    const { heard } = await mount();
    await fake.press();
    expect(heard()).toEqual(['ready', 'processing']);
    await fake.decline();
    expect(heard()).toEqual(['ready', 'processing', 'decline']);
  });

  it('never learns what became of the payment', async () => {
    const { form, heard } = await mount();
    await fake.unknown();
    expect(heard()).toEqual(['ready', 'processing', 'result']);
    expect(await form.result).toMatchObject({ outcome: 'unknown', reason: 'unresolved' });
  });
};

const describeTotal = () => {
  it('is shown by refresh(), and paid at the next press', async () => {
    const { form, heard, last } = await mount();
    await fake.fill();
    await fake.changeAmount(7000);
    form.refresh();
    await fake.pay();
    expect(heard()).toEqual(['ready', 'amountchange', 'processing', 'result']);
    expect(last('amountchange')).toMatchObject({ previous: 5804, current: 7000, currency: 'usd' });
  });

  it('is not charged by the press that did not know of it', async () => {
    const { heard, last } = await mount();
    await fake.fill();
    await fake.changeAmount(7000);
    await fake.pay();
    expect(heard()).toEqual(['ready', 'processing', 'error', 'amountchange']);
    expect(last('error')).toMatchObject({ code: 'payment_intent_updated', charged: 'no' });
    await fake.pay();
    expect(last('result')).toMatchObject({ outcome: 'succeeded', paymentIntent: { amount_total: 7000 } });
  });
};

const describeStatus = () => {
  const PAYMENT = { publishableKey: OPTIONS.publishableKey, clientSecret: 'lg_cs_one' };

  it('refresh() resolves with what the buyer then sees, before a press, during a payment and after it', async () => {
    const { form } = await mount();
    await fake.fill();
    await fake.changeAmount(CHANGED_TOTAL);
    expect(await form.refresh()).toMatchObject({
      outcome: 'pending',
      paymentIntent: { amount_total: CHANGED_TOTAL },
    });
    await fake.press();
    expect(await form.refresh()).toMatchObject({ outcome: 'processing' });
    await fake.pay();
    expect(await form.refresh()).toEqual(await form.result);
  });

  it('refresh() of a form that is gone resolves, too', async () => {
    const { form } = await mount();
    form.unmount();
    expect(await form.refresh()).toEqual({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
  });

  it('refresh() of a form that is refused resolves with the reason', async () => {
    const { form } = await mount({ allowedCountries: ['XX'] });
    await form.ready;
    expect(await form.refresh()).toMatchObject({ outcome: 'failed', error: { code: 'invalid_option' } });
  });

  it("view: 'status' tells what became of the payment, and nothing can be typed or paid", async () => {
    const checkout = await mount();
    await fake.press();
    checkout.form.unmount();
    const { heard, events } = await mount({ view: 'status' });
    await fake.pay();
    expect(events.filter(([name]) => name === 'status').map(([, status]) => status)).toMatchObject([
      { outcome: 'processing' },
      { outcome: 'succeeded', paymentIntent: { amount_total: 5804 } },
    ]);
    expect(heard()).toEqual(['ready', 'processing', 'status', 'status']);
  });

  it("view: 'status' of a payment that was never pressed is pending, and cannot be pressed or filled in", async () => {
    const { last } = await mount({ view: 'status' });
    await expect(fake.pay()).rejects.toThrow('nothing to pay now: its state is "ready"');
    await expect(fake.fill()).rejects.toThrow('A status has nothing to fill in.');
    expect(last('status')).toMatchObject({ outcome: 'pending' });
  });

  it('retrieve() tells it without a form on the page', async () => {
    const { api, form } = await mount();
    await fake.pay();
    form.unmount();
    const status = await api.retrieve(PAYMENT);
    expect(status).toMatchObject({ outcome: 'succeeded', paymentIntent: { id: 'lg_pi_fake1' } });
    expect(await api.retrieve({ ...PAYMENT, clientSecret: 'lg_cs_two' })).toMatchObject({
      outcome: 'pending',
    });
    expect([document.querySelector('iframe'), fake.form]).toEqual([null, null]);
  });

  it('retrieve() is refused while a form of the payment is mounted, and for what mount() refuses', async () => {
    const { api } = await mount();
    await expect(api.retrieve(PAYMENT)).rejects.toMatchObject({ code: 'already_mounted' });
    const secretKey = { ...PAYMENT, publishableKey: 'sk_live_1' };
    await expect(api.retrieve(secretKey)).rejects.toMatchObject({ code: 'secret_key_exposed' });
  });

  it('retrieve() resolves with unknown if the payment cannot be read', async () => {
    const { api, form } = await mount();
    await fake.unknown();
    form.unmount();
    expect(await api.retrieve(PAYMENT)).toEqual({
      outcome: 'unknown',
      reason: 'unresolved',
      paymentIntent: null,
    });
  });
};

const describeOptions = () => {
  it('is checked as by the script: mistakes are thrown, with their code', async () => {
    const { api } = await mount();
    const thrown = (target: string, options: CardFormOptions) => {
      try {
        api.mount(target, options);
      } catch (mistake) {
        return Reflect.get(Object(mistake), 'code');
      }
    };
    expect(thrown('#card-form', { ...OPTIONS, clientSecret: 'lg_cs_two' })).toBe('already_mounted');
    expect(thrown('#nothing', OPTIONS)).toBe('target_not_found');
    expect(thrown('main', { ...OPTIONS, publishableKey: 'sk_live_1' })).toBe('secret_key_exposed');
    expect(thrown('main', { ...OPTIONS, publishableKey: 'pk_test_1' })).toBe('invalid_option');
  });

  it('is checked as by the form: a list with an unknown entry ends in a result, and nothing can be paid', async () => {
    const { form, heard } = await mount({ allowedCountries: ['XX'] });
    expect(await form.result).toMatchObject({
      outcome: 'failed',
      error: { code: 'invalid_option', param: 'allowedCountries' },
    });
    await expect(fake.pay()).rejects.toThrow('its state is "refused"');
    expect(heard()).toEqual(['ready', 'error', 'result']);
  });

  it('is warned of, as by the form: texts and values that cannot be used', async () => {
    const { events } = await mount({
      translations: Object.fromEntries([['no.key', 'x']]),
      fonts: [{ family: 'Brand', src: '/brand.woff2' }],
      appearance: {
        variables: { borderRadius: '99px', fontFamily: 'Brand, serif' },
        rules: { 'field:hover': { color: 'inherit' } },
      },
    });
    await fake.fill();
    const warned = events
      .filter(([name]) => name === 'warning')
      .map(([, detail]) => Reflect.get(detail, 'about'));
    expect(warned).toEqual([
      'translations.no.key',
      'appearance.variables.borderRadius',
      'appearance.rules.field:hover.color',
    ]);
  });

  it('addressLookup is not asked: nobody types here', async () => {
    const addressLookup = vi.fn(async () => []);
    const { last } = await mount({ addressLookup });
    await fake.pay();
    expect(addressLookup).not.toHaveBeenCalled();
    expect(last('result')).toMatchObject({ outcome: 'succeeded' });
  });

  it('fetchClientSecret is asked for a secret, and for another when no attempt is left', async () => {
    const fetchClientSecret = vi.fn(async () => `lg_cs_${fetchClientSecret.mock.calls.length}`);
    const { last, heard } = await mount({ clientSecret: undefined, fetchClientSecret });
    for (let attempt = 0; attempt < 5; attempt += 1) await fake.decline();
    expect(heard()).toContain('error');
    await fake.pay();
    expect(fetchClientSecret).toHaveBeenCalledTimes(2);
    expect(last('result')).toMatchObject({ outcome: 'succeeded', paymentIntent: { id: 'lg_pi_fake2' } });
  });

  it('update() puts another payment into the form, and not while one is under way', async () => {
    const { form, last } = await mount();
    await fake.fill();
    expect(await form.update({ clientSecret: 'lg_cs_other' })).toBeNull();
    await fake.press();
    expect(await form.update({ clientSecret: 'lg_cs_third' })).toMatchObject({ code: 'payment_in_progress' });
    await fake.pay();
    expect(last('result')).toMatchObject({ outcome: 'succeeded', paymentIntent: { id: 'lg_pi_fake2' } });
  });

  it('beforePay is asked, and only its yes pays', async () => {
    const beforePay = vi.fn(async () => beforePay.mock.calls.length > 1);
    const { heard } = await mount({ beforePay });
    await fake.press();
    expect(heard()).toEqual(['ready']);
    await fake.pay();
    expect(beforePay).toHaveBeenLastCalledWith({ amountTotal: 5804, currency: 'usd' });
    expect(heard()).toEqual(['ready', 'processing', 'result']);
  });

  it('a button of its own submits, once the form is filled in; until then the page hears why not', async () => {
    const { form, heard, last } = await mount({ payButton: 'host' });
    await form.ready;
    await fake.changeAmount(5804);
    form.submit();
    await fake.changeAmount(5804);
    expect(last('error')).toMatchObject({ code: 'incomplete' });
    await fake.fill();
    expect(await form.validate()).toMatchObject({ complete: true, canPay: true });
    form.submit();
    await fake.pay();
    expect(heard()).toEqual(['ready', 'error', 'processing', 'result']);
  });

  it('the button stays in the form while a card is in it', async () => {
    const { form, heard } = await mount();
    await fake.fill();
    form.update({ payButton: 'host' });
    form.submit();
    await fake.changeAmount(5804);
    expect(heard()).toEqual(['ready', 'warning']);
    await fake.pay();
    expect(heard()).toEqual(['ready', 'warning', 'processing', 'result']);
  });

  it.each<[string, Partial<CardFormOptions>]>([
    ['another country', { allowedCountries: ['GB'] }],
    ['one brand', { acceptedBrands: ['amex'] }],
    [
      'details that are never asked for',
      {
        fields: { billingDetails: { email: 'never' } },
        defaultValues: { billingDetails: { email: 'a@b.example' } },
      },
    ],
  ])('is what the buyer can fill in: %s', async (_, options) => {
    const { last } = await mount(options);
    await fake.pay();
    expect(last('result')).toMatchObject({ outcome: 'succeeded' });
  });

  it('readOnly keeps the buyer from paying, until update() takes it back', async () => {
    const { form, last } = await mount({ readOnly: true });
    await expect(fake.pay()).rejects.toThrow('nothing to pay now');
    form.update({ readOnly: false });
    await fake.pay();
    expect(last('result')).toMatchObject({ outcome: 'succeeded' });
  });
};

const describeEnd = () => {
  it('unmounted during a payment, its result is unknown, and another can be mounted', async () => {
    const { form, heard } = await mount();
    await fake.press();
    form.unmount();
    expect(await form.result).toMatchObject({ outcome: 'unknown', reason: 'unmounted' });
    expect(heard()).toEqual(['ready', 'processing', 'result']);
    expect(fake.form).toBeNull();
    const next = await mount({ clientSecret: 'lg_cs_two' });
    await fake.pay();
    expect(fake.form).toBe(next.form);
    expect(next.last('result')).toMatchObject({ outcome: 'succeeded' });
  });

  it('with its container, it is unmounted', async () => {
    const { form } = await mount();
    await fake.fill();
    document.querySelector('main')?.remove();
    expect(await form.result).toMatchObject({ outcome: 'unknown', reason: 'unmounted' });
  });

  it('remove() leaves nothing on the page', async () => {
    const { form } = await mount();
    fake.remove();
    expect(await form.result).toMatchObject({ outcome: 'unknown' });
    expect('CardForm' in window).toBe(false);
    expect(document.querySelector('iframe')).toBeNull();
  });
};

/**
 * The allowed order of events. After `unknown`, another result may follow if somebody asks again. A press ends in a
 * decline, in an error followed by a changed total, or in the result.
 */
const ORDER =
  /^ready( amountchange| processing decline| processing error amountchange)*( processing)?( result)*$/;

const describeScenarios = () => {
  const STEPS: Readonly<Record<Step, (form: CardFormInstance) => unknown>> = {
    pay: () => fake.pay(),
    decline: () => fake.decline(),
    'change the amount': () => fake.changeAmount(CHANGED_TOTAL),
    async refresh(form) {
      form.refresh();
      await fake.fill();
    },
    unmount: (form) => form.unmount(),
    'lose the connection': () => fake.unknown(),
  };

  it.each(Object.entries(SCENARIOS))('is that of the real form: %s', async (_, { steps, heard }) => {
    const page = await mount();
    await fake.fill();
    for (const step of steps) await STEPS[step](page.form);
    expect(page.heard()).toEqual(heard);
  });

  it('is one of the machine, whatever happens: each press is told with its end, and nothing else follows a result', async () => {
    const act = fc.constantFrom<Step>(
      'pay',
      'decline',
      'change the amount',
      'refresh',
      'lose the connection',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (steps) => {
        fake.remove();
        putContainer();
        fake = fakeCardForm();
        const page = await mount();
        await fake.fill();
        for (const step of steps) {
          // A step that is impossible now rejects with a message and does nothing.
          await Promise.resolve(STEPS[step](page.form)).catch(({ message }) =>
            expect(message).toContain('nothing to pay now'),
          );
          expect(page.heard().join(' ')).toMatch(ORDER);
        }
      }),
      { numRuns: 60, seed: 4 },
    );
  });
};

/** Tests that pass in every DOM. */
export const describeFake = (): void => {
  beforeEach(() => {
    vi.stubGlobal('fetch', () => {
      throw new Error('The fake must not use the network.');
    });
    putContainer();
    fake = fakeCardForm();
  });
  afterEach(() => {
    fake.remove();
    vi.unstubAllGlobals();
  });

  describe('what the buyer does', describeBuyer);

  describe('a total that changes', describeTotal);

  describe('promises 1.13: what became of the payment', describeStatus);

  describe('what the page gives', describeOptions);

  describe('a form that goes', describeEnd);
  describe('the order of events', describeScenarios);

  it('a page that pins a release needs a fake of that release', async () => {
    await expect(loadCardForm('https://pay.example', { version: '0.1.0-abc' })).rejects.toThrow('0.0.0-fake');
    fake.remove();
    fake = fakeCardForm({ version: '0.1.0-abc' });
    await expect(loadCardForm('https://pay.example', { version: '0.1.0-abc' })).resolves.toBeTruthy();
  });
};
