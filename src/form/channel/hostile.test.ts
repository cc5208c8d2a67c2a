/**
 * Hostile messages to the frame, at each of the three places where a message can arrive. (loader/hostile.test.ts tests
 * the loader's listener.) Handshake and port are the real ones, and messages go through a structured clone, as between
 * windows: what can't be cloned can't be sent.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { type FrameWindow, greetEarly, handshake, helloOf, type ReceivedMessage } from './handshake.ts';
import {
  flood,
  ORIGINS,
  pick,
  type RequiredFields,
  SHOP,
  spoiled,
  strangers,
} from './hostile-messages.fixture.ts';
import { createFramePort } from './port.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';
import { type InitInput, readInit } from './read-options.ts';

const TEST_TIMEOUT = 120_000;

const init: InitInput = {
  channel: CHANNEL,
  protocol: PROTOCOL,
  publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
  clientSecret: 'lg_cs_abc',
};
const INIT_NEEDS: RequiredFields = ['channel', 'protocol', 'publishableKey', 'clientSecret'];
const hello = helloOf('0.1.0-abc');
const knock = { channel: CHANNEL };

const { port1: port, port2: otherPort } = new MessageChannel();

const STRANGERS = strangers(port);

/** Everything that prototype pollution could have changed. */
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

/** Starts the handshake in a fake window. */
const startHandshake = () => {
  const said: unknown[] = [];
  const parent = { postMessage: (message: unknown) => said.push(message) };
  const greeting = { hello, heard: [] };
  const window: FrameWindow = { parent, onmessage: null, greeting, postMessage: () => undefined };
  greetEarly(window, hello);
  const result = handshake(window);
  const hear = (event: Partial<ReceivedMessage>) =>
    window.onmessage?.({ data: init, origin: SHOP, source: parent, ports: [port], ...event });
  return { parent, greeting: result, said, hear, isListening: () => window.onmessage !== null };
};

describe('threat-model C3, C7, C8: the frame before the handshake', () => {
  it('ignores messages of other windows or of a parent with an opaque origin, valid ones among them, and throws nothing', {
    timeout: TEST_TIMEOUT,
  }, async () => {
    const { greeting, said, hear, parent, isListening } = startHandshake();
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

  it('accepts no invalid init of the parent, or with no port or two, and throws nothing', {
    timeout: TEST_TIMEOUT,
  }, async () => {
    const taken: unknown[] = [];
    let shaped = 0;
    const waiting = startHandshake();
    flood(
      2,
      (random) => (random() < 0.2 ? init : spoiled(init, INIT_NEEDS, random)),
      (data, random) => {
        waiting.hear({ data, ports: pick(random, [[], [port, otherPort]]) });
        if (isGood(data)) return;
        const { hear, isListening } = startHandshake();
        hear({ data });
        if (isListening()) return;
        shaped += 1; // the handshake checks the shape only; the content is read next
        const read = readInit(data);
        if (read) taken.push(read);
      },
    );
    expect(taken).toEqual([]);
    expect(shaped).toBeGreaterThan(runs(500));
    // A message without a protocol is a hello request, answered by hello, which carries no data.
    for (const word of waiting.said) expect({ ...hello, again: true }).toMatchObject(Object(word));
    waiting.hear({});
    expect((await waiting.greeting).data).toBe(init);
  });
});

/** Returns true if it is the valid message, unchanged. */
const isGood = (data: unknown) => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false;
  const keys = Object.keys(data);
  return (
    keys.length === Object.keys(init).length &&
    Object.entries(init).every(([key, value]) => Object.hasOwn(data, key) && Reflect.get(data, key) === value)
  );
};

describe('threat-model C7, C8, C9: the port', () => {
  it('acts on no invalid message: it drops them or stops receiving, and throws nothing', {
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
          { type: 'update', backdrop: 'rgb(0, 0, 0);?' },
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
    expect(violations).toBeGreaterThan(runs(500));
    holder.hear({ type: 'update', locale: 'de' });
    expect(acted).toEqual([{ type: 'update', locale: 'de' }]);
    holder.end();
  });
});
