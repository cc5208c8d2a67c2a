// @vitest-environment happy-dom

import nodeConsole from 'node:console';
import { MessageChannel as RealChannel, MessagePort as RealPort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FrameMessage, Init } from '../channel/messages.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import { createCardForm } from './form.ts';
import type { PageScript } from './import-verified.ts';
import type { CardFormInstance, CardFormOptions } from './types.ts';

const PAY = 'https://pay.example';
const SRC = `${PAY}/partner/v1/card-form/0.1.0-abc/frame.html`;
const options: CardFormOptions = {
  publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
  clientSecret: 'lg_cs_one',
};
const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release: '0.1.0-abc' };
/** A payment was sent. */
const SENT = { type: 'state', height: 10, classes: ['CardForm--complete'], sent: true } as const;
const error = {
  type: 'card_error',
  code: 'payment_method_declined',
  message: 'Declined.',
  charged: 'no',
  recovery: 'use_other_card',
} as const;

/** What the second file exports; undefined where it does not come. */
let second: PageScript | undefined;
const load = async (): Promise<PageScript> => {
  if (!second) throw new Error('not found');
  return second;
};
const { mount } = createCardForm(`${PAY}/partner/v1/card-form/0.1.0-abc`, '0.1.0-abc', load);
/** Stand-ins for the windows of iframes, which happy-dom does not load: what can post can be a source. */
const windows = new WeakMap<HTMLIFrameElement, MessagePort>();
const windowOf = (frame: HTMLIFrameElement | null | undefined) => {
  if (!frame?.isConnected) return null;
  const known = windows.get(frame);
  if (known) return known;
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  windows.set(frame, port1);
  return port1;
};
Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
  get(this: HTMLIFrameElement) {
    return windowOf(this);
  },
});
// As in browsers: what is not loaded yet is an empty document of the page's own origin.
Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', { get: () => document });

/** The system's preference, as `matchMedia` would tell. */
const system = Object.assign(new EventTarget(), {
  matches: false,
  turn(dark: boolean) {
    system.matches = dark;
    system.dispatchEvent(new Event('change'));
  },
});

const forms: CardFormInstance[] = [];
const ports: { close(): void }[] = [];
let container: HTMLElement;

beforeEach(() => {
  // happy-dom complains of iframes it does not load, on the process's own console.
  vi.spyOn(nodeConsole, 'error').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('origin', 'https://shop.example');
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('matchMedia', () => system);
  system.matches = false;
  vi.stubGlobal('MessageChannel', RealChannel); // happy-dom's carries nothing
  document.documentElement.lang = 'en';
  document.body.innerHTML = '<main><div id="card-form"></div></main>';
  container = document.querySelector<HTMLElement>('#card-form') ?? document.body;
});

afterEach(() => {
  for (const form of forms.splice(0)) form.unmount();
  for (const port of ports.splice(0)) port.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const put = (target: string | Element = container, more: Partial<CardFormOptions> = {}) => {
  const form = mount(target, { ...options, ...more });
  forms.push(form);
  return form;
};

const frameIn = (element: ParentNode = container) => element.querySelector('iframe');

/** Lets the microtasks of an event run, and what they queue. */
const settle = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

/** What a test's frame says to the page, and the port that the page answers with. */
const frameOf = (element: ParentNode = container) => {
  const source = windowOf(frameIn(element));
  if (!source) throw new Error('no frame');
  const postMessage = vi.spyOn(source, 'postMessage').mockImplementation(() => {});
  let received: Init | undefined;
  let port: RealPort | undefined;
  return {
    source,
    postMessage,
    init: () => received,
    heard: () => new Promise<unknown>((resolve) => port?.once('message', resolve)),
    hello: (event: MessageEventInit = {}) => {
      window.dispatchEvent(new MessageEvent('message', { data: hello, origin: PAY, source, ...event }));
      const call: readonly unknown[] | undefined = postMessage.mock.calls.at(-1);
      if (!call) return;
      received = call[0] === undefined ? undefined : JSON.parse(JSON.stringify(call[0]));
      const transferred = call[2];
      if (Array.isArray(transferred) && transferred[0] instanceof RealPort) {
        port = transferred[0];
        ports.push(port);
      }
    },
    say: async (...messages: FrameMessage[]) => {
      for (const message of messages) port?.postMessage(message);
      // A port delivers in a task of its own.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      await settle();
    },
  };
};

describe('mounting', () => {
  it('puts one titled, sandboxed iframe of the release into the container, without name or secret', () => {
    put('#card-form');
    const frame = frameIn();
    expect(frame?.src).toBe(SRC);
    expect(frame?.title).toBe('Secure card form');
    expect(frame?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms allow-modals');
    expect(frame?.getAttribute('referrerpolicy')).toBe('origin');
    expect(frame?.getAttribute('loading')).toBeNull();
    expect(frame?.getAttribute('name')).toBeNull();
    expect(frame?.allow).toBe('');
    expect(frame?.style.width).toBe('100%');
    expect(frame?.style.display).toBe('block');
    expect(document.documentElement.outerHTML).not.toMatch(/lg_cs_|pk_live_/);
  });

  it.each([
    { known: ['camera', 'autofill'], allow: 'autofill' },
    { known: ['camera'], allow: '' },
  ])('asks for autofill only where the browser knows such a feature: $known', ({ known, allow }) => {
    const prototype = Object.getPrototypeOf(document);
    Object.defineProperty(prototype, 'featurePolicy', {
      configurable: true,
      value: { features: () => known },
    });
    put();
    expect(frameIn()?.allow).toBe(allow);
    Reflect.deleteProperty(prototype, 'featurePolicy');
  });

  it('works in a shadow root and in a dialog', () => {
    const host = document.createElement('div');
    const dialog = document.createElement('dialog');
    document.body.append(host, dialog);
    const inner = document.createElement('div');
    host.attachShadow({ mode: 'open' }).append(inner);
    put(inner, { clientSecret: 'lg_cs_shadow' });
    put(dialog, { clientSecret: 'lg_cs_dialog' });
    expect(frameIn(inner)).not.toBeNull();
    expect(frameIn(dialog)).not.toBeNull();
  });

  it('can be undone and done again at once, as StrictMode does', async () => {
    const first = put();
    first.unmount();
    expect(frameIn()).toBeNull();
    const second = put();
    expect(container.querySelectorAll('iframe')).toHaveLength(1);
    first.unmount(); // once more: must not touch the second
    expect(() => put()).toThrow(expect.objectContaining({ code: 'already_mounted' }));
    const frame = frameOf();
    frame.hello();
    await frame.say({ type: 'ready' });
    await second.ready;
    expect(await first.result).toMatchObject({ outcome: 'unknown', reason: 'unmounted' });
  });

  it('happens once for a container and once for a payment', () => {
    put();
    const other = document.createElement('div');
    document.body.append(other);
    expect(() => put(container, { clientSecret: 'lg_cs_two' })).toThrow(
      expect.objectContaining({ code: 'already_mounted' }),
    );
    expect(() => put(other)).toThrow(expect.objectContaining({ code: 'already_mounted' }));
    expect(frameIn(other)).toBeNull();
    put(other, { clientSecret: 'lg_cs_two' });
  });

  it('leaves what the page put into the container', () => {
    container.append('Loading…');
    put().unmount();
    expect(container.textContent).toBe('Loading…');
  });
});

describe('the handshake', () => {
  it("answers the frame's hello with secret and port, to exactly the service's origin", () => {
    put(container, { locale: 'de', defaultValues: { billingDetails: { name: 'Ada' } } });
    const frame = frameOf();
    frame.hello();
    expect(frame.postMessage.mock.calls).toHaveLength(1);
    const call: readonly unknown[] = frame.postMessage.mock.calls[0] ?? [];
    expect(call[0]).toEqual({
      channel: CHANNEL,
      protocol: PROTOCOL,
      ...options,
      locale: 'de',
      colorScheme: ' false',
      defaultValues: { billingDetails: { name: 'Ada' } },
    });
    expect(call[1]).toBe(PAY);
    expect(call[2]).toEqual([expect.any(RealPort)]);
  });

  const cycle: Record<string, unknown> = {};
  cycle.channel = cycle;

  it.each<[string, MessageEventInit]>([
    ['another window', { source: window }],
    ['no window', { source: null }],
    ['another origin in the frame', { origin: 'https://evil.example' }],
    ['an origin that begins alike', { origin: `${PAY}.evil.example` }],
    ['no origin', { origin: 'null' }],
    ['null', { data: null }],
    ['undefined', { data: undefined }],
    ['a word', { data: 'hello' }],
    ['a number', { data: 7 }],
    ['a Blob', { data: new Blob(['hello']) }],
    ['a typed array', { data: new Uint8Array(8) }],
    ['a cycle', { data: cycle }],
    ['ten megabytes', { data: 'x'.repeat(10_000_000) }],
    ['an own __proto__', { data: JSON.parse('{"__proto__":{"channel":"card-form"}}') }],
    ['another channel', { data: { ...hello, channel: 'chat' } }],
  ])('is not moved by %s', (_, event) => {
    put();
    const frame = frameOf();
    frame.hello(event);
    expect(frame.postMessage).not.toHaveBeenCalled();
    expect(frameIn()).not.toBeNull();
    expect(Reflect.get({}, 'channel')).toBeUndefined();
  });

  it.each([[''], ['0.1.0-other'], [undefined], [null], [7], [{}]])(
    'shows that a frame of release %j does not match',
    async (release) => {
      const form = put();
      const failed = vi.fn();
      form.on('loaderror', failed);
      const frames = [frameOf()];
      frames[0]?.hello({ data: { ...hello, release } });
      await settle();
      expect(failed).not.toHaveBeenCalled(); // tried once more
      frames.push(frameOf());
      frames[1]?.hello({ data: { ...hello, release } });
      await settle();
      expect(failed).toHaveBeenCalledWith({ reason: 'version_mismatch', message: expect.any(String) });
      for (const frame of frames) expect(frame.postMessage).not.toHaveBeenCalled();
      expect(frameIn()).toBeNull();
    },
  );

  it('takes the frame of each form for itself', () => {
    const other = document.createElement('div');
    document.body.append(other);
    put();
    put(other, { clientSecret: 'lg_cs_two' });
    const [one, two] = [frameOf(), frameOf(other)];
    one.hello();
    expect(two.postMessage).not.toHaveBeenCalled();
    two.hello();
    expect(one.init()?.clientSecret).toBe('lg_cs_one');
    expect(two.init()?.clientSecret).toBe('lg_cs_two');
    expect(one.postMessage).toHaveBeenCalledOnce();
  });

  it.each([
    ['normal', true],
    ['dark', false],
    ['light dark', true],
  ])('tells of a page that takes "%s", on a system that is dark: %s', (taken, matches) => {
    system.matches = matches;
    container.style.setProperty('color-scheme', taken);
    put();
    const frame = frameOf();
    frame.hello();
    expect(frame.init()?.colorScheme).toBe(`${taken} ${matches}`);
  });

  it('tells when the page comes to be painted otherwise, for whatever reason', async () => {
    container.style.setProperty('color-scheme', 'light dark');
    const form = put();
    const frame = frameOf();
    frame.hello();
    expect(frameIn()?.style.cssText).toContain('transition: color 1ms');
    system.matches = true;
    const heard = frame.heard();
    frameIn()?.dispatchEvent(new Event('transitionend'));
    expect(await heard).toEqual({ type: 'update', colorScheme: 'light dark true' });
    form.unmount();
  });
});

describe("an iframe in the page's own HTML", () => {
  const early = () => {
    const frame = document.createElement('iframe');
    frame.setAttribute('data-card-form-frame', '');
    frame.src = `${PAY}/partner/v1/card-form/frame`;
    container.append(frame);
    Object.defineProperty(frame, 'contentDocument', { configurable: true, value: null }); // has loaded
    const source = windowOf(frame);
    if (!source) throw new Error('no frame');
    return { frame, posted: vi.spyOn(source, 'postMessage').mockImplementation(() => {}) };
  };
  const kept = () => frameIn()?.hasAttribute('data-card-form-frame') ?? false;

  it('that has loaded is asked to say hello again, by a word that carries nothing, and is kept', () => {
    const { frame, posted } = early();
    put();
    const [[word, origin] = []]: readonly (readonly unknown[])[] = posted.mock.calls;
    expect([word, origin]).toEqual([{ channel: CHANNEL }, PAY]);
    expect(container.querySelectorAll('iframe')).toHaveLength(1);
    frameOf().hello({ data: { ...hello, again: true } });
    expect(frameOf().postMessage).toHaveBeenCalledTimes(2); // knock and init
    expect(frameIn()).toBe(frame);
  });

  it('that was heard before is not begun anew by the hello that it says again', () => {
    early();
    put();
    const frame = frameOf();
    frame.hello();
    frame.hello({ data: { ...hello, again: true } });
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
    frame.hello(); // while a reload is
    expect(frame.postMessage).toHaveBeenCalledTimes(3);
  });

  it('can be the target itself', () => {
    put(early().frame);
    frameOf().hello();
    expect(kept()).toBe(true);
  });

  it.each<[string, MessageEventInit]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another window', { source: window }],
    ['an opaque origin', { origin: 'null' }],
  ])('is told nothing where its hello comes from %s', (_, event) => {
    const { posted } = early();
    put();
    frameOf().hello(event);
    expect(posted).toHaveBeenCalledOnce(); // the knock
  });

  it("of another release is replaced by the loader's own, and hears nothing more than a knock", () => {
    const { posted } = early();
    put();
    frameOf().hello({ data: { ...hello, release: '0.0.9-old' } });
    expect(posted).toHaveBeenCalledOnce();
    expect(container.querySelectorAll('iframe')).toHaveLength(1);
    expect(frameIn()?.src).toBe(SRC);
    expect(kept()).toBe(false);
  });

  it('goes with the form', () => {
    early();
    put().unmount();
    expect(frameIn()).toBeNull();
  });
});

describe('methods', () => {
  it.each<[string, (form: CardFormInstance) => void, object]>([
    [
      'update()',
      (form) => form.update({ locale: 'fr', readOnly: true }),
      { type: 'update', locale: 'fr', readOnly: true, colorScheme: ' false' },
    ],
    ['focus(field)', (form) => form.focus('email'), { type: 'focus', field: 'email' }],
    ['focus()', (form) => form.focus(), { type: 'focus' }],
    ['blur()', (form) => form.blur(), { type: 'blur' }],
    ['clear()', (form) => form.clear(), { type: 'clear' }],
    ['submit()', (form) => form.submit(), { type: 'submit' }],
  ])('%s is said to the frame', async (_, call, message) => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    const heard = frame.heard();
    call(form);
    expect(await heard).toEqual(message);
  });

  it('update() before the frame is there, and before it is reloaded, holds for what it begins with', () => {
    const form = put(container, { locale: 'de' });
    form.update({ locale: 'fr' });
    const frame = frameOf();
    frame.hello();
    expect(frame.init()).toMatchObject({ locale: 'fr' });
  });

  it('diagnostics() fulfils with what the frame answers', async () => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    const entries = [{ at: 0, event: 'opened' }];
    await settle();
    const answer = form.diagnostics();
    await frame.say({ type: 'diagnostics', diagnostics: entries });
    expect(await answer).toEqual(entries);
  });

  it('diagnostics() fulfils without a frame, too: with what kept it from loading, or with nothing', async () => {
    const form = put();
    expect(await form.diagnostics()).toEqual([]);
    const failure = [{ at: 0, event: 'loaderror', what: `timeout: ${SRC}` }];
    vi.advanceTimersByTime(10_000);
    expect(await form.diagnostics()).toEqual(failure);
    container.querySelector('button')?.click();
    const frame = frameOf();
    frame.hello();
    await settle();
    const pending = form.diagnostics(); // and then the frame goes
    await frame.say({ type: 'loaderror' });
    expect(await pending).toEqual(failure);
    form.unmount();
    expect(await form.diagnostics()).toEqual(failure);
  });

  it('update({ clientSecret }) is not what a frame that is reloaded begins with', () => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    const fixed = { clientSecret: 'lg_cs_other', locale: 'fr' };
    form.update(fixed);
    frame.hello();
    expect(frame.init()).toMatchObject({ clientSecret: 'lg_cs_one', locale: 'fr' });
  });

  it("the container bears the form's classes beside its own, and loses them with it", async () => {
    container.className = 'mine';
    const form = put();
    const frame = frameOf();
    frame.hello();
    await frame.say({ ...SENT, classes: ['CardForm--empty', 'CardForm--focus'] });
    expect(container.className).toBe('mine CardForm--empty CardForm--focus');
    await frame.say({ ...SENT, classes: ['CardForm--complete'] });
    expect(container.className).toBe('mine CardForm--complete');
    form[Symbol.dispose]();
    expect(container.className).toBe('mine');
  });

  it('an aborted signal unmounts, and keeps mount() from beginning', async () => {
    const leaving = new AbortController();
    const form = put(container, { signal: leaving.signal });
    leaving.abort();
    expect(frameIn()).toBeNull();
    expect(await form.result).toMatchObject({ reason: 'unmounted' });
    expect(() => put(container, { signal: leaving.signal })).toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    put(); // nothing was taken
  });

  it('a document that comes without hello is called by its name two seconds later', async () => {
    const form = put();
    const failed = vi.fn();
    form.on('loaderror', failed);
    frameIn()?.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(1_999);
    expect(frameIn()).not.toBeNull();
    vi.advanceTimersByTime(1);
    await settle();
    expect(failed).toHaveBeenCalledWith({ reason: 'http', message: `http: ${SRC}` });
  });
});

describe('a document in the iframe that does not say hello', () => {
  const arrives = () => frameIn()?.dispatchEvent(new Event('load'));

  it('in place of ours is shut out after two seconds, and the result is unknown', async () => {
    const form = put();
    frameOf().hello();
    arrives();
    vi.advanceTimersByTime(60_000);
    expect(frameIn()).not.toBeNull(); // one document, one hello
    arrives();
    vi.advanceTimersByTime(1_999);
    expect(frameIn()).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(frameIn()).toBeNull();
    expect(container.querySelector('[role=alert]')).not.toBeNull();
    expect(await form.result).toEqual({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
  });

  it('yet, is ours as soon as it does, whichever came first', () => {
    put();
    const frame = frameOf();
    frame.hello();
    arrives();
    arrives();
    frame.hello();
    vi.advanceTimersByTime(60_000);
    expect(frameIn()).not.toBeNull();
  });

  it('is not waited for any more when the form is gone', () => {
    const form = put();
    frameOf().hello();
    arrives();
    arrives();
    form.unmount();
    vi.advanceTimersByTime(60_000);
    expect(container.innerHTML).toBe('');
  });
});

describe('a frame that was reloaded', () => {
  it('is begun anew once, with a new port', async () => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    frame.hello();
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
    await frame.say({ type: 'ready' });
    await form.ready;
  });

  it('is given up the second time, with a sentence for the buyer and nothing to press', async () => {
    const form = put();
    const heard = vi.fn();
    form.on('result', heard);
    const frame = frameOf();
    for (let i = 0; i < 3; i++) frame.hello();
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
    expect(await form.result).toEqual({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
    expect(heard).not.toHaveBeenCalled();
    expect(container.querySelector('[role=alert]')).not.toBeNull();
    expect(container.querySelector('button')).toBeNull();
  });

  it('is given up at once with a payment on its way, which the page hears of', async () => {
    const form = put();
    const heard = vi.fn();
    form.on('result', heard);
    const frame = frameOf();
    frame.hello();
    await frame.say(SENT);
    frame.hello();
    await settle();
    expect(frame.postMessage).toHaveBeenCalledOnce();
    expect(heard).toHaveBeenCalledWith({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
    expect(frameIn()).toBeNull();
  });

  it('by one of another release is given up with a payment on its way, too', async () => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    await frame.say(SENT);
    frame.hello({ data: { ...hello, release: '0.1.0-other' } });
    expect(frameIn()).toBeNull();
    expect(container.querySelector('button')).toBeNull();
    expect(await form.result).toMatchObject({ outcome: 'unknown', reason: 'unmounted' });
  });

  it('is begun anew when the payment before had ended', async () => {
    put();
    const frame = frameOf();
    frame.hello();
    await frame.say(SENT, { ...SENT, sent: false });
    frame.hello();
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
  });
});

describe('fetchClientSecret', () => {
  /** What the frame is told next. */
  const told = async (frame: ReturnType<typeof frameOf>, ...messages: FrameMessage[]) => {
    const heard = frame.heard();
    await frame.say(...messages);
    return heard;
  };

  it('is called at once, beside the loading of the frame, and answers when the frame asks', async () => {
    const fetchClientSecret = vi.fn(async () => 'lg_cs_1');
    put(container, { clientSecret: undefined, fetchClientSecret });
    await settle();
    expect(fetchClientSecret).toHaveBeenCalledOnce();
    const frame = frameOf();
    frame.hello();
    expect(frame.init()).toMatchObject({ clientSecret: true, fetchClientSecret: true });
    expect(await told(frame, { type: 'secret', anew: false })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_1',
    });
    expect(fetchClientSecret).toHaveBeenCalledOnce();
  });

  it('beside a clientSecret is not called until that one is of no use any more', async () => {
    const fetchClientSecret = vi.fn(async () => 'lg_cs_2');
    put(container, { fetchClientSecret });
    const frame = frameOf();
    frame.hello();
    expect(frame.init()).toMatchObject({ clientSecret: options.clientSecret, fetchClientSecret: true });
    expect(fetchClientSecret).not.toHaveBeenCalled();
    expect(await told(frame, { type: 'secret', anew: true })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_2',
    });
    // A frame that is reloaded is given the second, not the first.
    const reloaded = frameOf();
    reloaded.hello();
    expect(reloaded.init()).toMatchObject({ clientSecret: true });
    expect(await told(reloaded, { type: 'secret', anew: false })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_2',
    });
    expect(fetchClientSecret).toHaveBeenCalledOnce();
  });

  it('that fails is the page`s error, and the frame is told that there is none', async () => {
    const errors: unknown[] = [];
    const listen = (reason: unknown) => errors.push(reason);
    process.on('unhandledRejection', listen);
    const failure = new Error('The shop is closed.');
    const answers = [Promise.reject(failure), Promise.resolve('lg_cs_1')];
    answers[0]?.catch(() => {});
    put(container, { clientSecret: undefined, fetchClientSecret: async () => (await answers.shift()) ?? '' });
    const frame = frameOf();
    frame.hello();
    expect(await told(frame, { type: 'secret', anew: false })).toEqual({ type: 'secret' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(errors).toContain(failure);
    expect(await told(frame, { type: 'secret', anew: true })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_1',
    });
  });

  it('lets two forms stand on a page: what they are given is not known yet', () => {
    container.innerHTML = '<div></div><div></div>';
    for (const place of container.children) {
      put(place, { clientSecret: undefined, fetchClientSecret: async () => 'lg_cs_1' });
    }
    expect(container.querySelectorAll('iframe')).toHaveLength(2);
  });
});

describe('refresh()', () => {
  it('tells the frame to look, and nothing where there is none yet', async () => {
    const form = put();
    form.refresh();
    const frame = frameOf();
    frame.hello();
    const heard = frame.heard();
    form.refresh();
    expect(await heard).toEqual({ type: 'refresh' });
    form.unmount();
    form.refresh();
  });
});

describe('what the press guard asks of the page', () => {
  const LINE = { left: 0, top: 0.5, length: 1 };
  const ask = async () => {
    put();
    const frame = frameOf();
    frame.hello();
    const heard = frame.heard();
    await frame.say({ type: 'covers', lines: [LINE] });
    return heard;
  };
  afterEach(() => {
    second = undefined;
  });

  it('is answered by the second file, of the iframe and the lines', async () => {
    const checkCovers = vi.fn(() => ({ covers: ['over' as const], pointer: null }));
    second = { checkCovers, start: () => undefined };
    expect(await ask()).toEqual({ type: 'covers', covers: ['over'], pointer: null });
    expect(checkCovers).toHaveBeenCalledExactlyOnceWith(frameIn(), [LINE]);
  });

  it('a page that cannot look says so: it keeps no buyer from paying', async () => {
    expect(await ask()).toEqual({ type: 'covers' });
  });

  it('nor does one in which looking fails', async () => {
    second = {
      checkCovers: () => {
        throw new Error('no such thing');
      },
      start: () => undefined,
    };
    expect(await ask()).toEqual({ type: 'covers' });
  });
});

describe('what the frame says', () => {
  it('sets the height without a jump of its own', async () => {
    put();
    const frame = frameOf();
    frame.hello();
    await frame.say({ ...SENT, height: 612 });
    expect(frameIn()?.style.height).toBe('612px');
  });

  it('becomes events, in order', async () => {
    const form = put();
    const heard: unknown[] = [];
    form.on('ready', () => heard.push('ready'));
    form.on('change', ({ complete, empty, brand }) => heard.push([complete, empty, brand]));
    form.on('amountchange', ({ previous, current, currency }) => heard.push([previous, current, currency]));
    form.on('processing', () => heard.push('processing'));
    form.on('decline', ({ error: { code } }) => heard.push(code));
    form.on('error', ({ code }) => heard.push(`error ${code}`));
    form.on('result', ({ outcome }) => heard.push(outcome));
    const frame = frameOf();
    frame.hello();
    const result = { outcome: 'failed', error } as const;
    await frame.say(
      { type: 'ready' },
      { type: 'change', complete: true, empty: false, brand: 'visa' },
      { type: 'amountchange', previous: 100, current: 200, currency: 'usd' },
      { type: 'processing', pressed: true },
      { type: 'decline', error },
      { type: 'error', error },
      { type: 'result', result },
    );
    expect(heard).toEqual([
      'ready',
      [true, false, 'visa'],
      [100, 200, 'usd'],
      'processing',
      error.code,
      `error ${error.code}`,
      'failed',
    ]);
    await form.ready;
    expect(await form.result).toEqual(result);
  });

  it('of which nothing is known moves nothing', async () => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    const later: FrameMessage = JSON.parse('{"type":"tomorrow","retryAfter":5}');
    await frame.say(SENT, later);
    const heard = vi.fn();
    form.on('result', heard);
    form.unmount();
    await settle();
    expect(heard).toHaveBeenCalledOnce(); // still on its way
  });
});

describe('handlers', () => {
  it('come and go', async () => {
    const form = put();
    const [always, once, gone, off] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
    form.on('processing', always);
    form.once('processing', once);
    form.on('processing', gone)();
    form.once('processing', off)();
    form.off('ready', always); // another event's: nothing happens
    form.once('processing', off);
    form.off('processing', off);
    const frame = frameOf();
    frame.hello();
    await frame.say({ type: 'processing', pressed: true }, { type: 'processing', pressed: true });
    expect(always).toHaveBeenCalledTimes(2);
    expect(once).toHaveBeenCalledOnce();
    expect(gone).not.toHaveBeenCalled();
    expect(off).not.toHaveBeenCalled();
  });

  it('that throw keep no other from hearing, and are reported', async () => {
    const thrown: unknown[] = [];
    const queue = queueMicrotask;
    vi.stubGlobal('queueMicrotask', (task: () => void) =>
      queue(() => {
        try {
          task();
        } catch (mistake) {
          thrown.push(mistake);
        }
      }),
    );
    const form = put();
    const after = vi.fn();
    form.on('processing', () => {
      throw new Error("the shop's");
    });
    form.on('processing', after);
    const frame = frameOf();
    frame.hello();
    await frame.say({ type: 'processing', pressed: true });
    expect(after).toHaveBeenCalledOnce();
    expect(thrown).toEqual([new Error("the shop's")]);
  });
});

describe('a frame that does not come', () => {
  const failing = () => {
    const form = put();
    const failed = vi.fn();
    form.on('loaderror', failed);
    return failed;
  };

  it('is given ten seconds', async () => {
    const failed = failing();
    vi.advanceTimersByTime(9_999);
    expect(frameIn()).not.toBeNull();
    vi.advanceTimersByTime(1);
    await settle();
    expect(frameIn()).toBeNull();
    expect(failed.mock.calls).toEqual([[{ reason: 'timeout', message: expect.any(String) }]]);
    expect(container.querySelector('[role=alert]')?.textContent).toContain('Card form does not load.');
  });

  it('is explained by being offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const failed = failing();
    vi.advanceTimersByTime(10_000);
    await settle();
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ reason: 'offline' }));
  });

  it('as a whole is told of at once, and can be tried again', async () => {
    const failed = failing();
    const frame = frameOf();
    frame.hello();
    await frame.say({ type: 'loaderror' });
    expect(failed.mock.calls).toMatchObject([[{ reason: 'timeout' }]]);
    expect(frameIn()).toBeNull();
    container.querySelector('button')?.click();
    expect(frameIn()).not.toBeNull();
  });

  it('threat-model 2.3: says that a script was altered, and which, but not during a payment', async () => {
    const failed = failing();
    const frame = frameOf();
    frame.hello();
    const file = 'https://pay.example/partner/v1/card-form/0.1.0-abc/assets/de.js';
    await frame.say(SENT);
    await frame.say({ type: 'loaderror', reason: 'integrity', file });
    expect(frameIn()).not.toBeNull();
    await frame.say({ ...SENT, sent: false });
    await frame.say({ type: 'loaderror', reason: 'integrity', file });
    expect(failed.mock.calls).toEqual([[{ reason: 'integrity', message: `integrity: ${file}` }]]);
    expect(container.textContent).toBe('Card form does not load. (integrity) Try again');
    expect(frameIn()).toBeNull();
  });

  it('can be tried again by the buyer, as often as it takes', async () => {
    const failed = failing();
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(10_000);
      const button = container.querySelector('button');
      expect(button?.type).toBe('button');
      expect(button?.textContent).toBe('Try again');
      button?.click();
      expect(container.querySelector('[role=alert]')).toBeNull();
    }
    const frame = frameOf();
    frame.hello();
    expect(frame.init()?.clientSecret).toBe('lg_cs_one');
    vi.advanceTimersByTime(60_000);
    await settle();
    expect(failed).toHaveBeenCalledTimes(2);
    expect(frameIn()).not.toBeNull();
  });

  const violate = (violation: Record<string, string>) =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        disposition: 'enforce',
        violatedDirective: 'frame-src',
        blockedURI: SRC,
        ...violation,
      }),
    );

  it.each([
    {},
    { violatedDirective: 'child-src' },
    { violatedDirective: 'default-src' },
    { blockedURI: PAY },
  ])("is explained at once by the page's policy, with what to add to it: %o", async (violation) => {
    const failed = failing();
    violate(violation);
    await settle();
    const { violatedDirective } = { violatedDirective: 'frame-src', ...violation };
    expect(failed.mock.calls).toEqual([[{ reason: 'csp', message: `csp: ${violatedDirective} ${PAY}` }]]);
    expect(frameIn()).toBeNull();
  });

  it.each([{ disposition: 'report' }, { blockedURI: 'https://ads.example/frame' }, { blockedURI: 'inline' }])(
    'is still waited for when the policy says %o',
    (violation) => {
      failing();
      violate(violation);
      expect(frameIn()).not.toBeNull();
    },
  );

  it('has come when it said hello, whatever the policy says later', () => {
    failing();
    frameOf().hello();
    violate({});
    expect(frameIn()).not.toBeNull();
  });
});

describe('a page that must not be given a secret', () => {
  it.each([
    ['null', true, 'opaque_parent'],
    ['null', false, 'opaque_parent'],
    ['http://shop.example', false, 'insecure_context'],
  ])('of origin %s is refused in words', async (origin, secure, reason) => {
    vi.stubGlobal('origin', origin);
    vi.stubGlobal('isSecureContext', secure);
    const form = put();
    const failed = vi.fn();
    form.on('loaderror', failed); // attached after mount, and heard
    await settle();
    expect(failed.mock.calls).toEqual([[{ reason, message: expect.any(String) }]]);
    expect(frameIn()).toBeNull();
    expect(container.querySelector('[role=alert]')).not.toBeNull();
    expect(container.querySelector('button')).toBeNull();
    form.unmount();
    expect(container.childElementCount).toBe(0);
  });
});

describe('unmounting', () => {
  it('settles the result at once, and says so as an event only with a payment on its way', async () => {
    const form = put();
    const heard = vi.fn();
    form.on('result', heard);
    form.unmount();
    expect(await form.result).toEqual({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
    expect(heard).not.toHaveBeenCalled();
  });

  it.each<[string, FrameMessage | null, number]>([
    ['nothing', null, 1],
    ['the word that it has ended', { ...SENT, sent: false }, 0],
    ['a change in a field', { type: 'change', complete: true, empty: false, brand: null }, 1],
    ['another height', { ...SENT, height: 20 }, 1],
  ])('with a payment on its way and then %s', async (_, then, times) => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    await frame.say(SENT);
    if (then) await frame.say(then);
    const heard = vi.fn();
    form.on('result', heard);
    form.unmount();
    await settle();
    expect(heard).toHaveBeenCalledTimes(times);
  });

  it('keeps a result that was there', async () => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    await frame.say({ type: 'result', result: { outcome: 'failed', error } });
    form.unmount();
    expect(await form.result).toMatchObject({ outcome: 'failed' });
  });

  it.each<[string, () => void]>([
    ['the iframe', () => frameIn()?.remove()],
    ['the container', () => container.remove()],
    ['what holds the container', () => document.querySelector('main')?.remove()],
    ['everything', () => document.body.replaceChildren()],
  ])('happens when the page removes %s', async (_, remove) => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    await frame.say(SENT);
    const heard = vi.fn();
    form.on('result', heard);
    remove();
    expect(await form.result).toMatchObject({ outcome: 'unknown' });
    await settle();
    expect(heard).toHaveBeenCalledOnce();
    document.body.append(container);
    put();
  });

  it('happens when the host of a shadow root goes, however deep the form is', async () => {
    const [outer, inner, place] = ['div', 'div', 'div'].map((tag) => document.createElement(tag));
    if (!outer || !inner || !place) throw new Error('unreachable');
    document.body.append(outer);
    outer.attachShadow({ mode: 'open' }).append(inner);
    inner.attachShadow({ mode: 'open' }).append(place);
    const form = put(place);
    inner.remove();
    expect(await form.result).toMatchObject({ outcome: 'unknown' });
  });

  it('does not happen when the container is only moved', async () => {
    const form = put();
    const settled = vi.fn();
    void form.result.then(settled);
    const aside = document.createElement('aside');
    document.body.append(aside);
    aside.append(container);
    await settle();
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).not.toHaveBeenCalled();
    expect(frameIn(aside)).not.toBeNull();
  });

  it('leaves no frame, timer, listener, observer or port behind, a hundred times', async () => {
    const added = vi.spyOn(window, 'addEventListener');
    const observed = vi.spyOn(MutationObserver.prototype, 'observe');
    const disconnected = vi.spyOn(MutationObserver.prototype, 'disconnect');
    const closed = vi.spyOn(RealPort.prototype, 'close');
    for (let i = 0; i < 100; i++) {
      const form = put();
      frameOf().hello();
      form.unmount();
    }
    expect(container.childElementCount).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(observed).toHaveBeenCalledTimes(100);
    expect(disconnected).toHaveBeenCalledTimes(100);
    expect(closed).toHaveBeenCalledTimes(100); // one for each init
    for (const [, , listening] of added.mock.calls) {
      expect(listening).toMatchObject({ signal: { aborted: true } });
    }
  });

  it('hears no hello any more', () => {
    const form = put();
    const frame = frameOf();
    form.unmount();
    frame.hello();
    expect(frame.postMessage).not.toHaveBeenCalled();
  });
});
