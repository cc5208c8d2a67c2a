// @vitest-environment happy-dom
/** The payment before hydration. `prerender.test.tsx` compares its drawing with the components. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retrieveBody } from '../../../api/client-request.ts';
import { exampleDetails } from '../../../api/confirm-details.fixture.ts';
import type { FrameMessage } from '../../channel/messages.ts';
import { readInit } from '../../channel/read-options.ts';
import { de } from '../../i18n/de.ts';
import { negotiate } from '../../i18n/locale.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import { initMessage } from '../merchant/merchant.fixture.ts';
import { reportRatio, stubIntersectionObserver } from '../press/intersection-observer.fixture.ts';
import { createOffer, loadForm, type Offer } from './payment.ts';

const STATIC = `<form>
  <section class="summary"><p class="total"><bdi data-amount=""></bdi></p></section>
  <div class="notices" role="status"></div>
  <div class="pay-place"><button class="pay" data-kind="loading" aria-disabled="true" aria-busy="true"><span class="spinner"></span><span>Loading</span></button></div>
</form>`;

const found = (selector: string) => {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`There is no ${selector}.`);
  return element;
};
const button = () => found('.pay');
const isOffered = () => button().dataset.kind === 'pay';
const total = () => found('.total').textContent;

let offers: Offer[] = [];
const failures: unknown[] = [];
const INTENT = exampleIntent();

const offer = (
  options: object = {},
  answer: Promise<Response> | null = Promise.resolve(Response.json(INTENT)),
) => {
  const { port1 } = new MessageChannel();
  const messages: FrameMessage[] = [];
  vi.spyOn(port1, 'postMessage').mockImplementation((message) => void messages.push(message));
  const prefetch = answer && {
    isFor: (body: string) => body === retrieveBody('lg_cs_x'),
    at: performance.now(),
    answer,
    abandon: () => undefined,
    isForbidden: () => false,
  };
  const made = createOffer(readInit(initMessage(options)), prefetch, {
    port: port1,
    sentence: 'Pay {amount}',
  });
  offers.push(made);
  const hear = (data: object) => port1.onmessage?.(new MessageEvent('message', { data }));
  const heard = () => messages.filter(({ type }) => type !== 'update');
  return { ...made, hear, heard };
};

const read = ({ session }: Offer) =>
  expect
    .poll(() => {
      const state = session?.state.peek();
      return state?.status === 'loading' && state.failures === 0;
    })
    .toBe(false);

const readOffer = async (options?: object) => {
  const made = offer(options);
  await read(made);
  return made;
};

beforeEach(() => {
  document.body.innerHTML = STATIC;
  document.documentElement.lang = 'en';
  stubIntersectionObserver();
  failures.splice(0);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('fetch', async () => Response.json(INTENT));
  vi.stubGlobal('reportError', (failure: unknown) => failures.push(failure));
});
afterEach(() => {
  for (const { ending, page, session } of offers) {
    ending.abort();
    session?.close();
    page.close();
  }
  offers = [];
  vi.unstubAllGlobals();
});

describe('a payment that can be paid', () => {
  it('is offered with its total, and the guard watches both places with the amount', async () => {
    const made = offer();
    expect(isOffered()).toBe(false);
    await read(made);
    expect([button().textContent, total()]).toEqual(['Pay $12.34', '$12.34']);
    expect(button().hasAttribute('aria-disabled')).toBe(false);
    expect(button().hasAttribute('aria-busy')).toBe(false);
    reportRatio(found('.total bdi'), 1);
    reportRatio(button(), 1);
    expect(made.guard.isInView('total') && made.guard.isInView('button')).toBe(true);
    expect(made.payable.value).toMatchObject({ amount: 'lg_pi_1 1234 usd false' });
    expect(made.drawing?.endHolding()).toBeNull();
  });

  it('lets the pointer through until a press would count', async () => {
    await read(offer());
    expect(button().dataset.early).toBe('');
  });

  it('is left to the components once they have taken over', async () => {
    const made = offer();
    made.drawing?.end();
    await read(made);
    expect(isOffered()).toBe(false);
  });

  it('shows another total when the intent is read again', async () => {
    const made = await readOffer();
    vi.stubGlobal('fetch', async () => Response.json(exampleIntent({ amount_total: 2000 })));
    made.session?.refresh();
    await expect.poll(() => made.session?.state.peek().status).toBe('reloading');
    expect([isOffered(), total()]).toEqual([false, '']);
    expect(button().getAttribute('aria-busy')).toBe('true');
  });

  it('sends the page nothing until its options are validated, and then everything', async () => {
    const made = await readOffer();
    expect(made.heard()).toEqual([]);
    const told: string[] = [];
    const filled = { details: exampleDetails, clearCard: () => undefined, clearCvc: () => undefined };
    made.session?.connect(filled, ({ tell }) => told.push(tell));
    expect(told).toEqual(['ready']);
  });
});

it('promises 1: a page that gives the client secret by a function is asked at once, and the payment is read with its answer', async () => {
  const made = offer({ clientSecret: true, fetchClientSecret: true }, null);
  await expect.poll(() => made.heard()).toEqual([{ type: 'secret', anew: false }]);
  made.hear({ type: 'secret', clientSecret: 'lg_cs_2' });
  await read(made);
  expect(isOffered()).toBe(true);
});

describe('no payment is offered early', () => {
  it.each([
    ['on the button of the page', { payButton: 'host' }],
    ['in words of the page', { translations: { en: { pay: 'Book for {amount}' } } }],
    ['with another type of button', { buttonType: 'donate' }],
    ['while nothing may be paid', { readOnly: true }],
    ['where only the status is shown', { view: 'status' }],
  ])('%s', async (_, options) => {
    const made = await readOffer(options);
    expect(made.session?.state.peek().status).toBe('ready'); // the form continues with it
    expect([isOffered(), made.drawing?.isOffered()]).toEqual([false, false]);
  });

  it.each([
    ['of a payment that was paid', { status: 'succeeded' }],
    ['of a payment with an attempt under way', { attempt_in_progress: true }],
    ['of a payment without attempts', { attempts_left: 0 }],
    ['of a total that the schema refuses', { amount_total: -1 }],
    ['of a payment that lacks details', { missing_details: ['buyer.name'] }],
    [
      'of a payment whose last attempt failed',
      { last_payment_error: { type: 'card_error', code: 'payment_failed', message: '' } },
    ],
  ])('%s', async (_, changes) => {
    await read(offer({}, Promise.resolve(Response.json({ ...INTENT, ...changes }))));
    expect([isOffered(), total()]).toEqual([false, '']);
  });

  it.each([
    ['for an error', async () => Response.json(INTENT, { status: 500 })],
    ['without an answer', () => Promise.reject(new Error('offline'))],
  ])('%s', async (_, answer) => {
    await read(offer({}, answer()));
    expect([isOffered(), total()]).toEqual([false, '']);
  });

  it('if the page did not begin with a message of the script', () => {
    const { port1 } = new MessageChannel();
    const made = createOffer(null, null, { port: port1, sentence: '' });
    offers.push(made);
    expect([made.session, made.drawing]).toEqual([null, null]);
  });
});

describe('promises 7.3: a form that cannot be loaded', () => {
  /** Loads are answered in order: with a form or a failure. */
  const loading = (made: Offer, ...answers: readonly ('form' | 'failure')[]) => {
    const left = [...answers];
    const load = vi.fn(async () => {
      if (left.shift() !== 'form') throw new Error('not loaded');
      return 'form';
    });
    const loaded = loadForm(made, load, Promise.resolve(null));
    loaded.catch(() => undefined);
    return { load, loaded };
  };
  const notices = () => [...document.querySelectorAll('.notices p')].map(({ textContent }) => textContent);
  const hasFailed = () => expect.poll(() => button().dataset.kind).toBe('retry');
  const tryAgain = () => button().dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const press = () => {
    vi.stubGlobal('navigator', Object.assign(navigator, { userActivation: { isActive: true } }));
    tryAgain();
  };

  it('buyer and page learn that nothing was sent, and "Try again" loads it', async () => {
    const made = await readOffer();
    press();
    const { load, loaded } = loading(made, 'failure', 'form');
    await hasFailed();
    expect(notices()).toEqual(['The payment form could not load.', 'Nothing was charged from this page.']);
    expect([button().textContent, button().hasAttribute('aria-disabled')]).toEqual(['Try again', false]);
    expect(button().hasAttribute('data-early')).toBe(false); // the pointer reaches it immediately
    expect(made.heard()).toMatchObject([
      { type: 'error', error: { code: 'script_failed', charged: 'no', recovery: 'retry' } },
    ]);
    tryAgain();
    expect(await loaded).toBe('form');
    expect(load).toHaveBeenCalledTimes(2);
    // Restored for the components; only a press that was made again is carried out.
    expect([notices(), button().dataset.kind, total()]).toEqual([[], 'loading', '$12.34']);
    expect([made.drawing?.isOffered(), made.drawing?.endHolding()]).toEqual([false, null]);
  });

  it('the form is given up if "Try again" fails as well', async () => {
    const made = await readOffer();
    const { loaded } = loading(made, 'failure', 'failure');
    await hasFailed();
    tryAgain();
    await expect(loaded).rejects.toThrow('not loaded');
  });

  it('it is loaded again when the connection is back, as often as that fails', async () => {
    const made = await readOffer();
    const { loaded, load } = loading(made, 'failure', 'failure', 'form');
    await hasFailed();
    dispatchEvent(new Event('online'));
    await expect.poll(() => load).toHaveBeenCalledTimes(2);
    await hasFailed();
    expect(notices()).toHaveLength(2);
    dispatchEvent(new Event('online'));
    expect(await loaded).toBe('form');
  });

  it('of a service that does not tell of attempts: whether the buyer was charged is not known', async () => {
    const made = offer(
      {},
      Promise.resolve(
        Response.json(exampleIntent({ confirmation_attempts: null, attempt_in_progress: null })),
      ),
    );
    await read(made);
    loading(made, 'failure');
    await hasFailed();
    expect(made.heard()).toMatchObject([{ error: { charged: 'unknown' } }]);
  });

  it('with nothing to press, the form is given up at once', async () => {
    const made = await readOffer({ payButton: 'host' });
    await expect(loading(made, 'failure', 'form').loaded).rejects.toThrow('not loaded');
    expect([notices(), made.heard()]).toEqual([[], []]);
  });

  it('says so in the language of the form', async () => {
    const made = await readOffer();
    const loaded = loadForm(
      made,
      () => Promise.reject(new Error('not loaded')),
      Promise.resolve({ catalog: de, negotiated: negotiate('de', []) }),
    );
    loaded.catch(() => undefined);
    await hasFailed();
    expect([button().textContent, notices()[0]]).toEqual([de['action.try_again'], de['notice.load_failed']]);
  });
});
