// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FrameMessage } from '../../channel/messages.ts';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import { stubIntersectionObserver } from '../press/intersection-observer.fixture.ts';
import { connectExample } from './connected-form.fixture.ts';

/** The loader's request for diagnostics. */
const DIAGNOSTICS = {
  type: 'diagnostics',
  release: '0.1.0-abc',
  timeOrigin: performance.timeOrigin,
  timings: { mounted: 7 },
};

const request = vi.fn<typeof globalThis.fetch>();
/** Undone after each test: a form listens to the document until it is removed. */
const open: (() => void)[] = [];

beforeEach(() => {
  stubIntersectionObserver();
  request.mockReset();
  request.mockImplementation(async () => Response.json(exampleIntent()));
  vi.stubGlobal('fetch', request);
  vi.stubGlobal('reportError', (defect: unknown) => {
    throw defect;
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  for (const close of open.splice(0)) close();
  vi.unstubAllGlobals();
});

const setUp = (options: object | null = {}, origin?: string) => {
  const messages: FrameMessage[] = [];
  const { end, ...form } = connectExample(options, (message) => messages.push(message), origin);
  open.push(end);
  const heard = () => messages.filter(({ type }) => !['state', 'ready', 'change', 'update'].includes(type));
  return { ...form, messages, heard };
};

const isReady = ({ connection }: ReturnType<typeof setUp>) =>
  expect.poll(() => connection.view.peek()).toMatchObject({ action: { kind: 'pay' } });

const readyForm = async (options?: object) => {
  const set = setUp(options);
  await isReady(set);
  return set;
};

describe('an init that cannot be used', () => {
  it.each<[string, object | null, string]>([
    ['is not of the card-form script', null, 'invalid_init'],
    ['has a key of another form', { publishableKey: 'pk_live_short' }, 'invalid_option'],
    ['has a client secret that is too long', { clientSecret: `lg_cs_${'x'.repeat(195)}` }, 'invalid_option'],
    ['names an unknown country', { allowedCountries: ['XX'] }, 'invalid_option'],
    [
      'hides a field without a default value',
      { fields: { billingDetails: { email: 'never' } } },
      'invalid_option',
    ],
  ])('sends nothing, and reports to page and buyer, if it %s', async (_, options, code) => {
    const { connection, heard, messages } = setUp(options);
    await expect.poll(() => heard()).toHaveLength(2);
    expect(heard()).toMatchObject([
      { type: 'error', error: { code, recovery: 'fix_integration' } },
      { type: 'result', result: { outcome: 'failed', error: { code } } },
    ]);
    expect(messages.filter(({ type }) => type === 'ready')).toEqual([
      { type: 'ready', amountTotal: null, currency: null },
    ]);
    expect(connection.view.peek().screen).toBe('outcome');
    expect(connection.actions).toBeNull();
    // The prepared read was aborted before it was sent.
    expect(request.mock.calls.every(([, init]) => init?.signal?.aborted)).toBe(true);
  });
});

describe('a form that is connected', () => {
  it('contract 3.8: reads the time of the service from the first answer', async () => {
    const headers = { Date: 'Sat, 01 Jan 2033 12:00:00 GMT' };
    request.mockImplementation(async () => Response.json(exampleIntent(), { headers }));
    const set = await readyForm();
    expect(set.time.thisMonth()).toEqual({ year: 2033, month: 1 });
  });

  it('reads the intent and offers to pay its total', async () => {
    const set = await readyForm();
    expect(request).toHaveBeenCalledOnce();
    expect(set.heard()).toEqual([]);
  });

  it('asks once for its backdrop when it can be paid, and again after each answer', async () => {
    const set = setUp();
    const asked = () => set.messages.filter(({ type }) => type === 'update').length;
    expect(asked()).toBe(0);
    await isReady(set);
    expect(asked()).toBe(1);
    set.hear({ type: 'update', backdrop: 'rgb(0, 0, 0);?' });
    set.hear({ type: 'update', locale: 'de' });
    expect(asked()).toBe(2);
  });

  it('offers nothing to pay while the page has set readOnly', async () => {
    const set = await readyForm();
    set.hear({ type: 'update', readOnly: true });
    expect(set.connection.view.peek()).toMatchObject({ locked: true, action: { kind: 'idle' } });
  });

  it('submit() reports why it did not pay, but only a page with its own button can call it', async () => {
    const frame = await readyForm();
    frame.hear({ type: 'submit' });
    const host = await readyForm({ payButton: 'host' });
    host.hear({ type: 'submit' });
    await expect.poll(() => host.heard()).toMatchObject([{ type: 'error', error: { code: 'incomplete' } }]);
    expect(frame.heard()).toEqual([]);
  });

  it('promises 1.7: submit() during a payment causes no error, which would look like its end', async () => {
    request.mockImplementation(async () => Response.json(exampleIntent({ status: 'processing' })));
    const set = setUp({ payButton: 'host' });
    await expect.poll(() => set.heard()).toMatchObject([{ type: 'processing' }]);
    set.hear({ type: 'submit' });
    set.hear({ type: 'validate' });
    await expect.poll(() => set.messages.at(-1)).toMatchObject({ type: 'validate' });
    expect(set.heard().map(({ type }) => type)).toEqual(['processing', 'validate']);
    expect(set.messages.filter(({ type }) => type === 'state').at(-1)).toMatchObject({ sent: true });
  });

  it('clear() empties the form, but not while a payment is under way under readOnly', async () => {
    const set = await readyForm();
    set.form.fields.number.type('4242');
    set.hear({ type: 'update', readOnly: true });
    set.hear({ type: 'clear' });
    expect(set.form.fields.number.text.peek()).toBe('');

    request.mockImplementation(async () => Response.json(exampleIntent({ status: 'processing' })));
    const paying = setUp();
    await expect.poll(() => paying.heard()).toMatchObject([{ type: 'processing' }]);
    paying.form.fields.email.type('ada@example.com');
    paying.hear({ type: 'update', readOnly: true });
    paying.hear({ type: 'clear' });
    expect(paying.form.fields.email.text.peek()).toBe('ada@example.com');
  });

  it('sends one error to a page that broke a limit of the channel, and stops listening to it', async () => {
    const set = await readyForm();
    for (let count = 0; count <= 20; count += 1) set.hear({ type: 'blur' });
    expect(set.heard()).toMatchObject([{ type: 'error', error: { code: 'protocol', charged: 'no' } }]);
  });

  it('sends the error once the running read has shown whether the buyer was charged', async () => {
    vi.useFakeTimers();
    const set = setUp();
    await vi.advanceTimersByTimeAsync(1000);
    for (let count = 0; count <= 20; count += 1) set.hear({ type: 'refresh' });
    expect(set.heard()).toEqual([]);
    await vi.advanceTimersByTimeAsync(5000); // reads are seconds apart
    const unasked = set.heard().filter(({ type }) => type !== 'refresh');
    expect(unasked).toMatchObject([{ type: 'error', error: { code: 'protocol', charged: 'no' } }]);
    expect(set.heard().length - unasked.length).toBe(20); // the one beyond the limit was not received
    vi.useRealTimers();
  });

  it('answers diagnostics() with the events that the page received', async () => {
    const set = await readyForm();
    set.hear({ type: 'update', publishableKey: 'x' });
    set.hear(DIAGNOSTICS);
    expect(set.heard().at(-1)).toMatchObject({
      type: 'diagnostics',
      diagnostics: {
        release: '0.1.0-abc',
        timings: { mounted: 7, typeable: expect.any(Number), payable: expect.any(Number) },
        entries: [
          { event: 'opened' },
          { event: 'ready' },
          { event: 'warning', what: expect.stringContaining('publishableKey') },
        ],
      },
    });
  });

  it('counts in diagnostics() why presses were refused', async () => {
    const set = await readyForm({ payButton: 'host' });
    set.hear({ type: 'submit' });
    await expect.poll(() => set.heard()).toMatchObject([{ error: { code: 'incomplete' } }]);
    set.hear(DIAGNOSTICS);
    expect(set.heard().at(-1)).toMatchObject({
      diagnostics: { presses: { incomplete: 1 }, troubles: {} },
    });
  });

  it('counts failures in diagnostics(), and answers even a page that broke a limit', async () => {
    const refusal = { error: { type: 'authentication_error', code: 'invalid_api_key', message: '' } };
    request.mockImplementation(async () => Response.json(refusal, { status: 401 }));
    const set = setUp();
    await expect.poll(() => set.heard()[0]).toMatchObject({ error: { code: 'invalid_api_key' } });
    for (let count = 0; count <= 20; count += 1) set.hear({ type: 'blur' });
    expect(set.heard().at(-1)).toMatchObject({ error: { code: 'protocol' } });
    const soon = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
    set.hear(DIAGNOSTICS);
    soon.mockRestore();
    expect(set.heard().at(-1)).toMatchObject({
      diagnostics: {
        timings: { mounted: 7, typeable: expect.any(Number) },
        presses: {},
        troubles: { protocol: 1, 'retrieve.401': 1 },
      },
    });
    expect(set.heard().at(-1)).not.toHaveProperty('diagnostics.timings.payable');
  });

  it('answers validate() even if the options were refused: nothing can be paid', async () => {
    const set = setUp({ allowedCountries: ['XX'] });
    set.hear({ type: 'validate' });
    await expect
      .poll(() => set.heard().at(-1))
      .toMatchObject({ type: 'validate', complete: false, canPay: false });
  });

  it('promises 1.9: answers update() with the error if the options were refused: nothing was changed', async () => {
    const set = setUp({ allowedCountries: ['XX'] });
    for (const clientSecret of ['lg_cs_2', true]) set.hear({ type: 'update', clientSecret, locale: 'de' });
    const answers = () => set.messages.filter((message) => 'updated' in message);
    const failed = { updated: { code: 'invalid_option', recovery: 'fix_integration' } };
    await expect.poll(answers).toMatchObject([failed, failed]);
  });

  it('promises 1.9: answers each update() of a page that breaks a limit', async () => {
    const set = setUp();
    await isReady(set);
    for (let count = 0; count < 30; count += 1) set.hear({ type: 'update', clientSecret: true });
    const errors = () =>
      set.messages.flatMap((message) => ('updated' in message ? [message.updated?.code] : []));
    await expect.poll(() => errors().length).toBe(30);
    expect(errors().filter(Boolean)).toEqual(Array.from({ length: 10 }, () => 'protocol'));
  });

  it('answers validate() with the missing fields, and shows them', async () => {
    const set = await readyForm();
    set.hear({ type: 'validate' });
    expect(set.heard().at(-1)).toMatchObject({ missing: expect.arrayContaining(['card']), canPay: false });
    expect(set.form.fields.email.problem.peek()).toMatchObject({ key: 'email.empty' });
  });

  it('answers diagnostics() even if the options were refused', async () => {
    const set = setUp({ allowedCountries: ['XX'] });
    set.hear(DIAGNOSTICS);
    await expect.poll(() => set.heard().at(-1)).toMatchObject({ type: 'diagnostics' });
    expect(set.heard().at(-1)).toMatchObject({
      diagnostics: {
        timings: { mounted: 7, typeable: expect.any(Number) },
        entries: [
          { event: 'opened' },
          { event: 'ready' },
          { what: 'invalid_option' },
          { event: 'result', what: 'failed' },
        ],
      },
    });
    expect(set.heard().at(-1)).not.toHaveProperty('diagnostics.timings.payable');
  });

  it('destroy ends everything: the card is forgotten, the port closed, nothing is sent', async () => {
    const set = await readyForm();
    set.form.fields.number.type('4242');
    set.hear({ type: 'destroy' });
    expect(set.form.fields.number.text.peek()).toBe('');
    expect(set.close).toHaveBeenCalled();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(request).toHaveBeenCalledOnce();
  });
});
