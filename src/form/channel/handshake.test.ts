import { describe, expect, it, vi } from 'vitest';
import { type FrameWindow, greetEarly, handshake, helloOf, type ReceivedMessage } from './handshake.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

const SHOP = 'https://shop.example';
const hello = helloOf('0.1.0-abc');
const init = { channel: CHANNEL, protocol: PROTOCOL, clientSecret: 'lg_cs_x' };
const knock = { channel: CHANNEL };
const { port1: port, port2: otherPort } = new MessageChannel();

/** A window in which no script has run. */
const NOT_GREETED = { onmessage: null, postMessage: vi.fn(), greeting: { hello, heard: [] } };

/** A frame whose document has posted hello to its page. */
const greet = () => {
  const parent = { postMessage: vi.fn() };
  const window: FrameWindow = { ...NOT_GREETED, parent };
  greetEarly(window, hello);
  const hear = (event: Partial<ReceivedMessage>) =>
    window.onmessage?.({ data: init, origin: SHOP, source: parent, ports: [port], ...event });
  return { window, parent, hear };
};

/** The same, with the frame's entry running, too. */
const setUp = () => {
  const { window, parent, hear } = greet();
  const settled = vi.fn();
  const greeting = handshake(window);
  void greeting.then(settled);
  return {
    window,
    parent,
    greeting,
    settled,
    hear: async (event: Partial<ReceivedMessage>) => {
      hear(event);
      await Promise.resolve();
    },
  };
};

describe('the greeting in the head of the document', () => {
  it('accepts a real window', () => {
    const fits = (window: Window): FrameWindow => window;
    expect(fits).toBeDefined();
  });

  it('threat-model C6: posts hello at once, with nothing but type and versions', () => {
    const { parent, window } = greet();
    expect(parent.postMessage.mock.calls).toEqual([
      [{ channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release: '0.1.0-abc' }, '*'],
    ]);
    expect(window.greeting).toEqual({ hello, heard: [] });
  });

  it('greets nobody outside a frame', () => {
    const window = { ...NOT_GREETED };
    greetEarly(Object.assign(window, { parent: window }), hello);
    expect(window.postMessage).not.toHaveBeenCalled();
    expect(window).toEqual({ ...NOT_GREETED, parent: window });
  });

  it('accepts nothing itself: the handshake judges the received messages, in order', async () => {
    const { window, parent, hear } = greet();
    hear({ source: {} });
    hear({ data: knock, ports: [] });
    hear({});
    hear({ data: { ...init, clientSecret: 'lg_cs_other' } });
    hear({ data: knock, ports: [] });
    expect(parent.postMessage).toHaveBeenCalledOnce();
    expect(await handshake(window)).toEqual({ data: init, port, origin: SHOP });
    expect(parent.postMessage.mock.calls).toEqual([
      [hello, '*'],
      [{ ...hello, again: true }, '*'],
    ]);
  });

  it('received messages are not kept, since init holds the client secret', async () => {
    const { window, hear } = greet();
    hear({});
    await handshake(window);
    expect(window.greeting.heard).toEqual([]);
  });
});

describe('handshake', () => {
  it("resolves to the parent's init, its origin and the port, and stops listening", async () => {
    const { hear, greeting, window } = setUp();
    await hear({});
    expect(await greeting).toEqual({ data: init, port, origin: SHOP });
    expect(window.onmessage).toBeNull();
  });

  it('ignores a second init', async () => {
    const { hear, greeting, settled } = setUp();
    await hear({});
    await hear({ data: { ...init, clientSecret: 'lg_cs_other' }, origin: 'https://other.example' });
    expect((await greeting).data).toEqual(init);
    expect(settled).toHaveBeenCalledOnce();
  });

  it('answers every hello request of the parent until init arrives', async () => {
    const { hear, parent } = setUp();
    await hear({ data: knock, ports: [] });
    await hear({ data: knock, ports: [] });
    expect(parent.postMessage.mock.calls).toEqual([
      [hello, '*'],
      [{ ...hello, again: true }, '*'],
      [{ ...hello, again: true }, '*'],
    ]);
    await hear({});
    await hear({ data: knock, ports: [] });
    expect(parent.postMessage).toHaveBeenCalledTimes(3);
  });

  const cycle: Record<string, unknown> = { channel: CHANNEL };
  cycle.protocol = cycle;

  it.each<[string, Partial<ReceivedMessage>]>([
    ['another window', { source: {} }],
    ['an origin that cannot be named', { origin: 'null' }],
    ['no port', { ports: [] }],
    ['two ports', { ports: [port, otherPort] }],
    ['null', { data: null }],
    ['a cycle', { data: cycle }],
    ['another channel', { data: { ...init, channel: 'chat' } }],
    ['a version of the future', { data: { ...init, protocol: PROTOCOL + 1 } }],
    ['a version in words', { data: { ...init, protocol: `${PROTOCOL}` } }],
    ['an init only inherited', { data: Object.create(init) }],
    ['an own __proto__ in its place', { data: JSON.parse(`{"__proto__":${JSON.stringify(init)}}`) }],
    ['a hello, which would be answered for ever', { data: hello, ports: [] }],
    ['a knock of another window', { data: { channel: CHANNEL }, source: {} }],
  ])('ignores %s', async (_, event) => {
    const { hear, settled, parent } = setUp();
    await hear(event);
    expect(settled).not.toHaveBeenCalled();
    expect(parent.postMessage).toHaveBeenCalledOnce();
    expect(Reflect.get({}, 'channel')).toBeUndefined();
    await hear({});
    expect(settled).toHaveBeenCalledOnce();
  });
});
