// @vitest-environment happy-dom
/** The button with a total before the form is hydrated. `prerender.test.tsx` compares it with the components. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readInit } from '../../channel/read-options.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import { initMessage } from '../merchant/merchant.fixture.ts';
import { reportRatio, stubIntersectionObserver } from '../press/intersection-observer.fixture.ts';
import { createOffer, endDrawing, endHolding, type Offer } from './offer.ts';

const STATIC = `<form>
  <section class="summary"><p class="total"><bdi data-amount=""></bdi></p></section>
  <div class="pay-place"><button class="pay" data-kind="loading" aria-disabled="true" aria-busy="true"><span class="spinner"></span><span class="unseen">Loading</span></button></div>
</form>`;

const button = () => {
  const found = document.querySelector<HTMLElement>('.pay');
  if (!found) throw new Error('There is no button.');
  return found;
};
const isOffered = () => button().dataset.kind === 'pay';

let offers: Offer[] = [];
const INTENT = exampleIntent();
const TOTAL = { amount: INTENT.amount_total, currency: INTENT.currency };

const offer = (
  options: object = {},
  answer: Promise<Response> | null = Promise.resolve(Response.json(INTENT)),
  showing: Promise<unknown> = Promise.resolve(),
) => {
  const { port1 } = new MessageChannel();
  const prefetch = answer && {
    body: '',
    at: 0,
    answer,
    abandon: () => undefined,
    isForbidden: () => false,
  };
  const made = createOffer(readInit(initMessage(options)), prefetch, {
    port: port1,
    showing,
    sentence: 'Pay {amount}',
  });
  offers.push(made);
  return made;
};

beforeEach(() => {
  document.body.innerHTML = STATIC;
  document.documentElement.lang = 'en';
  stubIntersectionObserver();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  for (const { ending, page } of offers) {
    ending.abort();
    page.close();
  }
  offers = [];
  vi.unstubAllGlobals();
});

describe('a payment that can be paid', () => {
  it('is offered with its total, and the guard watches both places with the amount', async () => {
    const made = offer();
    expect(isOffered()).toBe(false);
    expect(await made.reading).toMatchObject({ status: 'ready' });
    expect(button().textContent).toBe('Pay $12.34');
    expect(button().hasAttribute('aria-disabled')).toBe(false);
    expect(button().hasAttribute('aria-busy')).toBe(false);
    const summary = document.querySelector('.total bdi');
    if (summary) reportRatio(summary, 1);
    reportRatio(button(), 1);
    expect(made.guard.isInView('total') && made.guard.isInView('button')).toBe(true);
    expect(endDrawing(made)).toEqual(TOTAL);
    expect(made.opened).toMatchObject({ intent: INTENT });
    expect(endHolding(made)).toBeNull();
  });

  it('lets the pointer through until a press would count', async () => {
    const made = offer();
    await made.reading;
    expect(button().dataset.early).toBe('');
  });

  it('is offered after its total is shown, not before', async () => {
    let show = (_: unknown) => {};
    const showing = new Promise((resolve) => {
      show = resolve;
    });
    const made = offer({}, undefined, showing);
    await new Promise((resolve) => setTimeout(resolve));
    expect(isOffered()).toBe(false);
    show(null);
    await made.reading;
    expect(isOffered()).toBe(true);
  });

  it('is left to the components once they have taken over', async () => {
    const made = offer();
    expect(endDrawing(made)).toBeNull();
    expect(await made.reading).toMatchObject({ status: 'ready' });
    expect(isOffered()).toBe(false);
    expect(made.payable.value).toBeNull();
  });
});

describe('no payment is offered early', () => {
  it.each([
    ['on the button of the page', { payButton: 'host' }],
    ['in words of the page', { translations: { en: { pay: 'Book for {amount}' } } }],
    ['with another type of button', { buttonType: 'donate' }],
    ['while nothing may be paid', { readOnly: true }],
    ['where only the status is shown', { view: 'status' }],
  ])('%s', async (_, options) => {
    const made = offer(options);
    expect(await made.reading).not.toBeNull(); // the session begins with it
    expect(isOffered()).toBe(false);
    expect(endDrawing(made)).toBeNull();
  });

  it.each([
    ['of a payment that was paid', { status: 'succeeded' }],
    ['of a payment with an attempt under way', { attempt_in_progress: true }],
    ['of a payment without attempts', { attempts_left: 0 }],
    ['of a total that the schema refuses', { amount_total: -1 }],
  ])('%s', async (_, changes) => {
    const made = offer({}, Promise.resolve(Response.json({ ...INTENT, ...changes })));
    expect(await made.reading).toBeNull();
    expect(isOffered()).toBe(false);
  });

  it.each([
    ['for an error', async () => Response.json(INTENT, { status: 500 })],
    ['without an answer', () => Promise.reject(new Error('offline'))],
  ])('%s', async (_, answer) => {
    const made = offer({}, answer());
    expect(await made.reading).toBeNull();
    expect(isOffered()).toBe(false);
  });

  it('if no read was sent', () => {
    expect(offer({}, null).reading).toBeNull();
    expect(isOffered()).toBe(false);
  });
});
