/**
 * Thirty thousand hostile messages to the frame: ten thousand to each of the three places where one can arrive (to the
 * loader's listener come as many each, loader/hostile.test.ts). Handshake and port are the real ones; the messages went
 * through a structured clone, as between windows. What can't be cloned never leaves its sender.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handshake, type MessageSource, type ReceivedMessage } from './handshake.ts';
import { flood, type Needed, ORIGINS, pick, SHOP, spoiled, strangers } from './hostile-messages.fixture.ts';
import { type InitInput, readInit } from './messages.ts';
import { createFramePort } from './port.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

const TEST_TIMEOUT = 120_000;

const init: InitInput = {
  channel: CHANNEL,
  protocol: PROTOCOL,
  publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
  clientSecret: 'lg_cs_abc',
};
const INIT_NEEDS: Needed = ['channel', 'protocol', 'publishableKey', 'clientSecret'];
const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release: '0.1.0-abc' };
const knock = { channel: CHANNEL };

const { port1: port, port2: otherPort } = new MessageChannel();

const STRANGERS = strangers(port);

/** Everything that an assignment through a `__proto__` or a `constructor` could have changed. */
const prototypes = () =>
  [Object, Array, Function, String, Number, Map, Error, Promise].map(({ prototype }) => [
    Object.getPrototypeOf(prototype) === null || Object.getPrototypeOf(prototype) === Object.prototype,
    ...Reflect.ownKeys(prototype),
  ]);

let before: unknown;
beforeEach(() => {
  before = prototypes();
});
afterEach(() => {
  expect(prototypes()).toEqual(before);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  vi.unstubAllGlobals();
});

/** The handshake in a window that is one for the test. */
const greetIn = () => {
  const listeners = new Set<(event: ReceivedMessage) => void>();
  const window: MessageSource = {
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  };
  const said: unknown[] = [];
  const parent = { postMessage: (message: unknown) => said.push(message) };
  const greeting = handshake({ window, parent, release: '0.1.0-abc' });
  const hear = (event: Partial<ReceivedMessage>) => {
    const whole = { data: init, origin: SHOP, source: parent, ports: [port], ...event };
    for (const listener of [...listeners]) listener(whole);
  };
  return { parent, greeting, said, hear, isListening: () => listeners.size > 0 };
};

describe('threat-model C3, C7, C8: the frame before it knows who holds it', () => {
  it('10,000 messages of other windows, or of a parent without an origin, good ones among them: none is heard, answered or thrown at', {
    timeout: TEST_TIMEOUT,
  }, async () => {
    const { greeting, said, hear, parent, isListening } = greetIn();
    flood(
      1,
      (random) =>
        random() < 0.3 ? pick<unknown>(random, [init, knock, hello]) : spoiled(init, INIT_NEEDS, random),
      (data, random) => {
        const stranger = random() < 0.8;
        const source = stranger ? pick(random, STRANGERS) : parent;
        const origin = stranger ? pick(random, ORIGINS) : 'null';
        hear({ data, source, origin, ports: pick(random, [[], [port], [port, otherPort]]) });
      },
    );
    expect(isListening()).toBe(true);
    expect(said).toEqual([hello]);
    hear({});
    expect(await greeting).toEqual({ data: init, port, origin: SHOP });
  });

  it('10,000 inits of the parent itself, spoiled or with no port or two: none becomes an init, none is thrown at', {
    timeout: TEST_TIMEOUT,
  }, async () => {
    const taken: unknown[] = [];
    let shaped = 0;
    const waiting = greetIn();
    flood(
      2,
      (random) => (random() < 0.2 ? init : spoiled(init, INIT_NEEDS, random)),
      (data, random) => {
        waiting.hear({ data, ports: pick(random, [[], [port, otherPort]]) });
        if (isGood(data)) return;
        const { hear, isListening } = greetIn();
        hear({ data });
        if (isListening()) return;
        shaped += 1; // the handshake goes by the shape alone; what is in it is read next
        const read = readInit(data);
        if (read) taken.push(read);
      },
    );
    expect(taken).toEqual([]);
    expect(shaped).toBeGreaterThan(500);
    // What lost its protocol is a knock: answered by hello, which carries nothing.
    for (const word of waiting.said) expect({ ...hello, again: true }).toMatchObject(Object(word));
    waiting.hear({});
    expect((await waiting.greeting).data).toBe(init);
  });
});

/** Whether it is the good one, unspoiled. */
const isGood = (data: unknown) => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  const keys = Object.keys(data);
  return (
    keys.length === Object.keys(init).length &&
    Object.entries(init).every(([key, value]) => Object.hasOwn(data, key) && Reflect.get(data, key) === value)
  );
};

describe('threat-model C7, C8, C9: the port', () => {
  it('10,000 messages of its holder that are none: dropped, or the port listens no more; none acted on, none thrown at', {
    timeout: TEST_TIMEOUT,
  }, () => {
    const acted: unknown[] = [];
    let violations = 0;
    const open = () => {
      const { port1, port2 } = new MessageChannel();
      let time = 0;
      const before = violations;
      createFramePort(port1, {
        onMessage: (message) => acted.push(message),
        onViolation: () => {
          violations += 1;
        },
        now: () => time,
      });
      return {
        hear(data: unknown) {
          time += 1000;
          port1.onmessage?.(new MessageEvent('message', { data }));
        },
        isDeaf: () => violations > before,
        end() {
          port1.close();
          port2.close();
        },
      };
    };
    let holder = open();
    flood(
      3,
      (random) => {
        const good = pick<object>(random, [
          { type: 'update', locale: 'de' },
          { type: 'update', colorScheme: 'dark false' },
          { type: 'refresh' },
          { type: 'secret', clientSecret: 'lg_cs_2' },
          { type: 'destroy' },
        ]);
        return spoiled(good, ['type'], random);
      },
      (data) => {
        holder.hear(data);
        if (!holder.isDeaf()) return;
        holder.hear({ type: 'destroy' });
        holder.end();
        holder = open();
      },
    );
    expect(acted).toEqual([]);
    expect(violations).toBeGreaterThan(500);
    holder.hear({ type: 'update', locale: 'de' });
    expect(acted).toEqual([{ type: 'update', locale: 'de' }]);
    holder.end();
  });
});
