/**
 * Puts a `CardForm` without a network, a service or a loading iframe on the page, for a shop's component tests in
 * happy-dom or jsdom. `mount()` is the script's own, and production code decides what the page is notified of. So a
 * test never sees the fake accept options, throw errors or order events in a way that the form would not.
 *
 * Import it in tests only: a page that takes payments must load the script from the service.
 */
import { TextDecoder } from 'node:util';
import { createManualClock } from '../../api/clock/manual-clock.ts';
import { MARK } from '../../form/channel/iframe-attributes.ts';
import { CHANNEL, PROTOCOL } from '../../form/channel/protocol.ts';
import { createCardForm } from '../../form/loader/form.ts';
import type { CardFormApi, CardFormDeclineCode, CardFormInstance } from '../../form/loader/types.ts';
import { DirectChannel, ON_CLOSE } from './direct-channel.ts';
import { type FakeFrame, openFakeFrame, passWhile } from './fake-frame.ts';
import { createFakeService } from './fake-service.ts';

/** Initial state of the fake. */
export type FakeOptions = {
  /** The amount that the buyer is asked to pay, in minor units. Default: 5804. */
  amountTotal?: number | undefined;
  /** Default: `usd`. */
  currency?: 'usd' | 'eur' | undefined;
  /** The release that the script reports, for a page that pins one. */
  version?: string | undefined;
};

/**
 * Controls the form that was mounted last. Each method waits until a form is there, and resolves when the page's
 * handlers have run. It rejects if a buyer could not do this now; the message says why.
 */
export type FakeCardForm = {
  /** The form that was mounted last, or null if none is. */
  readonly form: CardFormInstance | null;
  /** The buyer fills in the incomplete fields. */
  fill(): Promise<void>;
  /**
   * The buyer fills in the form and presses Pay. The service does not answer until `pay()`, `decline()` or `unknown()`.
   */
  press(): Promise<void>;
  /** The payment succeeds. Presses Pay first if necessary. */
  pay(): Promise<void>;
  /** The card is declined. Presses Pay first if necessary. After the fifth decline no attempts are left. */
  decline(code?: CardFormDeclineCode): Promise<void>;
  /**
   * The connection is lost for good, so that the outcome of the payment stays unknown. Presses Pay first if necessary.
   */
  unknown(): Promise<void>;
  /**
   * The shop's server changes the total, in minor units. As with the real service, the form notices when the page calls
   * `refresh()`, or at the next press, which then charges nothing.
   */
  changeAmount(amountTotal: number): Promise<void>;
  /** Unmounts every form and removes the fake from the page. */
  remove(): void;
};

/** Longer than a total must have been shown before a press counts, in ms. */
const ARMED_AFTER = 1_000;

/** The base URL of the frame's files. Nothing is loaded from it. */
const FOLDER = 'https://fake.invalid/partner/v1/card-form';

type Opened = { instance: CardFormInstance; frame: FakeFrame };

/**
 * Puts the fake on the page, where `loadCardForm` and the components find it. Remove it after each test.
 *
 * @example
 * const fake = fakeCardForm({ amountTotal: 5804 });
 * render(<Checkout />);
 * await fake.decline('insufficient_funds');
 * await fake.pay();
 * fake.remove();
 */
export const fakeCardForm = ({
  amountTotal = 5804,
  currency = 'usd',
  version = '0.0.0-fake',
}: FakeOptions = {}): FakeCardForm => {
  const clock = createManualClock(3);
  const service = createFakeService({ amount: amountTotal, currency });
  const restore = replaceGlobals();
  const pageScript = import('../../form/loader/page.ts'); // it listens to the page once loaded
  const real = createCardForm(`${FOLDER}/${version}`, version, () => pageScript);
  const mounted: CardFormInstance[] = [];
  let opened: Opened[] = [];
  let isThere = () => {};
  const waitForForm = () =>
    new Promise<void>((resolve) => {
      isThere = resolve;
    });
  let arrival = waitForForm();

  const mount: CardFormApi['mount'] = (target, options) => {
    const instance = real.mount(target, options);
    const element = typeof target === 'string' ? document.querySelector(target) : target;
    const iframe = element?.closest(':not(iframe)')?.querySelector(`iframe[${MARK}]`);
    if (iframe) sayHello(iframe, version, (init, port) => open(instance, init, port));
    mounted.push(instance);
    return instance;
  };

  const open = (instance: CardFormInstance, init: unknown, port: MessagePort) => {
    const frame = openFakeFrame(init, port, { service, clock });
    const entry = { instance, frame };
    opened.push(entry);
    Reflect.set(port, ON_CLOSE, () => {
      opened = opened.filter((one) => one !== entry);
      if (opened.length === 0) arrival = waitForForm();
      frame.close();
    });
    isThere();
  };

  /** Returns the frame of the form that was mounted last, once the form exists and its first read has ended. */
  const latest = async (): Promise<FakeFrame> => {
    await arrival;
    await pageScript;
    await clock.advance(0);
    const last = opened.at(-1);
    if (!last) return latest();
    await passWhile(clock, last.frame.isReading);
    await clock.advance(ARMED_AFTER);
    return last.frame;
  };

  const fillAndPress = async (frame: FakeFrame) => {
    if (frame.isPaying()) return;
    if (!frame.payable())
      throw new Error(`The form has nothing to pay now: its state is "${frame.status()}".`);
    await frame.fill();
    await clock.advance(0);
    await frame.press();
    await clock.advance(0);
  };

  /** Moves time until the page knows how the press ended. */
  const finish = async (frame: FakeFrame) => {
    await clock.advance(0);
    await passWhile(clock, frame.isPaying);
  };

  const settle = async (outcome: Parameters<typeof service.decide>[0]) => {
    const frame = await latest();
    await fillAndPress(frame);
    if (frame.isPaying()) service.decide(outcome);
    await finish(frame);
  };

  Reflect.set(window, 'CardForm', Object.freeze({ version, mount, retrieve: real.retrieve }));
  return {
    get form() {
      return opened.at(-1)?.instance ?? null;
    },
    async fill() {
      await (await latest()).fill();
      await clock.advance(0);
    },
    press: async () => fillAndPress(await latest()),
    pay: () => settle({ kind: 'succeeded' }),
    decline: (declineCode = 'generic_decline') => settle({ kind: 'declined', declineCode }),
    unknown: () => settle({ kind: 'silent' }),
    async changeAmount(total) {
      service.changeAmount(total);
      await clock.advance(0);
    },
    remove() {
      for (const instance of mounted) instance.unmount();
      restore();
    },
  };
};

/**
 * Sends the greeting to the loader from this iframe's window, as the form's document does, and passes on the loader's
 * answer. It does so asynchronously, like a document that loads, so that `mount()` has returned by then.
 */
const sayHello = (
  iframe: Element,
  release: string,
  receive: (init: unknown, port: MessagePort) => void,
): void => {
  const source = {
    postMessage: (init: unknown, _: string, [port]: readonly MessagePort[] = []) =>
      port && receive(init, port),
  };
  Reflect.defineProperty(iframe, 'contentWindow', { value: source, configurable: true });
  const data = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release };
  queueMicrotask(() => {
    const { MessageChannel } = globalThis;
    Reflect.set(globalThis, 'MessageChannel', DirectChannel); // for the loader, which creates one during the greeting
    const hello = Object.assign(new Event('message'), { data, origin: new URL(FOLDER).origin, source });
    window.dispatchEvent(hello);
    Reflect.set(globalThis, 'MessageChannel', MessageChannel);
  });
};

/** Adds globals that a real page has and a happy-dom or jsdom page may lack. Returns a function that restores them. */
const replaceGlobals = (): (() => void) => {
  const undo = [
    // An uncaught error, as in a browser, so that the test runner reports it.
    replace(globalThis, 'reportError', (error: unknown) => queueMicrotask(() => raise(error))),
    replace(globalThis, 'isSecureContext', true), // missing in jsdom
    replace(globalThis, 'TextDecoder', globalThis.TextDecoder ?? TextDecoder), // missing in jsdom in Jest
    replace(globalThis, 'origin', location.origin === 'null' ? 'http://localhost' : location.origin),
  ];
  // happy-dom logs to the console that it loads no iframes.
  const { prototype } = HTMLIFrameElement;
  for (const symbol of Object.getOwnPropertySymbols(prototype))
    if (symbol.description === 'connectedToDocument') undo.push(replace(prototype, symbol, () => undefined));
  return () => {
    Reflect.deleteProperty(window, 'CardForm');
    for (const one of undo) one();
  };
};

const raise = (error: unknown) => {
  throw error;
};

const replace = (object: object, name: string | symbol, value: unknown): (() => void) => {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return () => {
    if (before) Object.defineProperty(object, name, before);
    else Reflect.deleteProperty(object, name);
  };
};
