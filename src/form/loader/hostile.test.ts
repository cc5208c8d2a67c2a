// @vitest-environment happy-dom
/**
 * Hostile messages to the loader's listener, in a page with a form. The messages go through a structured clone, as
 * between windows. What can't be cloned never leaves its sender.
 */
import nodeConsole from 'node:console';
import { MessageChannel as RealChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import {
  flood,
  misshapen,
  ORIGINS,
  PAY,
  pick,
  SHOP,
  spoiled,
  strangers,
} from '../channel/hostile-messages.fixture.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import { createCardForm } from './form.ts';

const TEST_TIMEOUT = 120_000;

const options = { publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`, clientSecret: 'lg_cs_abc' };
const init = { ...options, channel: CHANNEL, protocol: PROTOCOL, backdrop: expect.any(String) };
const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release: '0.1.0-abc' };

const { port1: port, port2: otherPort } = new MessageChannel();

const STRANGERS = strangers(port);

/** Messages posted to the frame's window, each with its target origin. */
const said: unknown[] = [];
const ends: { close(): void }[] = [];
const source = {
  postMessage(message: unknown, targetOrigin: string, [end]: readonly [{ close(): void }]) {
    said.push([message, targetOrigin]);
    ends.push(end);
  },
};
// happy-dom loads no iframes: all share one window, and the empty document that they begin with.
Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', { get: () => source });
Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', { get: () => document });

type Heard = { data: unknown; origin: string; source: unknown; ports: readonly unknown[] };

beforeEach(() => {
  // happy-dom logs to the process's console that it doesn't load iframes.
  vi.spyOn(nodeConsole, 'error').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('origin', SHOP);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('MessageChannel', RealChannel); // happy-dom's transfers nothing
  document.body.innerHTML = '<div id="card-form"></div>';
  said.length = 0;
});

afterEach(() => {
  for (const end of ends.splice(0)) end.close();
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A form, and a function that passes events to its listeners. */
const listen = () => {
  const listeners: ((event: Heard) => void)[] = [];
  vi.stubGlobal('addEventListener', (type: string, listener: (event: Heard) => void) => {
    if (type === 'message') listeners.push(listener);
  });
  const form = createCardForm(
    `${PAY}/partner/v1/card-form/0.1.0-abc`,
    '0.1.0-abc',
    async () => import('./page.ts'),
  ).mount('#card-form', options);
  expect(listeners).toHaveLength(1);
  return {
    form,
    hear(event: Partial<Heard>) {
      for (const listener of listeners) listener({ data: hello, origin: PAY, source, ports: [], ...event });
    },
  };
};

describe("threat-model C1, C2, C7, C8: the loader's listener", () => {
  it('ignores messages of other windows or other origins, valid hellos among them, and throws nothing', {
    timeout: TEST_TIMEOUT,
  }, () => {
    const { form, hear } = listen();
    const frame = document.querySelector('iframe');
    flood(
      4,
      (random) => (random() < 0.3 ? hello : spoiled(hello, ['channel', 'release'], random)),
      (data, random) => {
        const stranger = random() < 0.6;
        const origin = pick(
          random,
          stranger ? ORIGINS : [SHOP, 'null', '', `${PAY}.evil.example`, `${PAY}:444`],
        );
        hear({ data, source: stranger ? pick(random, STRANGERS) : source, origin, ports: [otherPort] });
      },
    );
    expect(said).toEqual([]);
    expect(document.querySelector('iframe')).toBe(frame);
    hear({});
    expect(said).toEqual([[init, PAY]]);
    form.unmount();
  });

  it("answers no misshapen hello of the frame's own window and origin with a secret, and throws nothing", {
    timeout: TEST_TIMEOUT,
  }, () => {
    const { form, hear } = listen();
    let refused = 0;
    flood(
      5,
      (random) => misshapen(hello, ['channel', 'release'], random),
      (data) => {
        hear({ data });
        const retry = document.querySelector('button');
        if (retry) refused += 1; // a frame of another version, which is reported to the page
        retry?.click();
      },
    );
    expect(said).toEqual([]);
    expect(refused).toBeGreaterThan(runs(250)); // the first is retried automatically
    hear({});
    expect(said).toEqual([[init, PAY]]);
    form.unmount();
  });
});
