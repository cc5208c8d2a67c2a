/**
 * For a shop's component tests in happy-dom or jsdom: a `CardForm` on the page without a network, a service and an iframe
 * that loads. `mount()` is that of the script, and what the page hears is decided by the code that buyers use, so no test
 * sees options accepted, errors thrown or events in an order that the form would not have.
 *
 * Import it in tests alone: a page that takes payments must load the script from the service.
 */
import { TextDecoder } from 'node:util';
import { createManualClock } from '../clock/manual-clock.ts';
import { MARK } from '../form/channel/iframe-attributes.ts';
import { CHANNEL, PROTOCOL } from '../form/channel/protocol.ts';
import { createCardForm } from '../form/loader/form.ts';
import type { CardFormApi, CardFormDeclineCode, CardFormInstance } from '../form/loader/types.ts';
import { DirectChannel, ON_CLOSE } from './direct-channel.ts';
import { type FakeFrame, openFakeFrame, passWhile } from './fake-frame.ts';
import { createFakeService } from './fake-service.ts';

/** What the fake begins with. */
export type FakeOptions = {
  /** What the buyer is asked to pay, in minor units. Default: 5804. */
  amountTotal?: number | undefined;
  /** Default: `usd`. */
  currency?: 'usd' | 'eur' | undefined;
  /** The release that the script says it is, for a page that pins one. */
  version?: string | undefined;
};

/**
 * Makes things happen in the form that was mounted last. Each method waits until a form is there, and resolves when the
 * page's handlers have run. They reject if a buyer could not do this now; the message says why.
 */
export type FakeCardForm = {
  /** The form that was mounted last, or null if none is. */
  readonly form: CardFormInstance | null;
  /** The buyer fills in what is not complete. */
  fill(): Promise<void>;
  /** The buyer fills in the form and presses Pay; the service does not answer until `pay()`, `decline()` or `unknown()`. */
  press(): Promise<void>;
  /** The payment succeeds. Presses Pay if nobody has. */
  pay(): Promise<void>;
  /** The card is declined. Presses Pay if nobody has. After the fifth time no attempt is left. */
  decline(code?: CardFormDeclineCode): Promise<void>;
  /** The connection is lost for good, so that nobody learns what became of the payment. Presses Pay if nobody has. */
  unknown(): Promise<void>;
  /**
   * The shop's server changes the total, in minor units. As with the service, the form learns of it when the page calls
   * `refresh()`, or at the next press, which then charges nothing.
   */
  changeAmount(amountTotal: number): Promise<void>;
  /** Unmounts every form, and takes the fake off the page. */
  remove(): void;
};

/** Longer than a total must have been there before a press counts, in ms. */
const ARMED_AFTER = 1_000;

/** The address of the frame's files. Nothing is loaded from it. */
const FOLDER = 'https://fake.invalid/partner/v1/card-form';

type Opened = { instance: CardFormInstance; frame: FakeFrame };

/**
 * Puts the fake on the page, where `loadCardForm` and the components find it. Take it off after each test.
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
  const pageScript = import('../form/loader/page.ts'); // it listens to the page as soon as it is loaded
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

  /** The form that was mounted last, once it is there and its first read has ended. */
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

  /** Moves time until the page has been told how the press ended. */
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
 * Greets the loader from a window of this iframe, as the form's document does, and passes on what the loader answers. Later,
 * as a document that loads, so that the page has what `mount()` returned.
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
    Reflect.set(globalThis, 'MessageChannel', DirectChannel); // for the loader, which makes one while it is greeted
    const hello = Object.assign(new Event('message'), { data, origin: new URL(FOLDER).origin, source });
    window.dispatchEvent(hello);
    Reflect.set(globalThis, 'MessageChannel', MessageChannel);
  });
};

/** What a page of the shop has and a page of happy-dom or jsdom may not, until the function that is returned is called. */
const replaceGlobals = (): (() => void) => {
  const undo = [
    // As in a browser, an uncaught error: the test runner reports it.
    replace(globalThis, 'reportError', (error: unknown) => queueMicrotask(() => raise(error))),
    replace(globalThis, 'isSecureContext', true), // missing in jsdom
    replace(globalThis, 'TextDecoder', globalThis.TextDecoder ?? TextDecoder), // missing in jsdom of Jest
    replace(globalThis, 'origin', location.origin === 'null' ? 'http://localhost' : location.origin),
  ];
  // happy-dom reports on the console that it loads no iframe.
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
