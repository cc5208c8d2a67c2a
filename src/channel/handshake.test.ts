import { describe, expect, it, vi } from 'vitest';
import { handshake, type MessageSource, type ReceivedMessage } from './handshake.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

const SHOP = 'https://shop.example';
const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release: '0.1.0-abc' };
const init = { channel: CHANNEL, protocol: PROTOCOL, clientSecret: 'lg_cs_x' };
const { port1: port, port2: otherPort } = new MessageChannel();

const setUp = () => {
  const listeners = new Set<(event: ReceivedMessage) => void>();
  const window: MessageSource = {
    addEventListener: vi.fn((_, listener) => listeners.add(listener)),
    removeEventListener: vi.fn((_, listener) => listeners.delete(listener)),
  };
  const parent = { postMessage: vi.fn() };
  const settled = vi.fn();
  const greeting = handshake({ window, parent, release: '0.1.0-abc' });
  void greeting.then(settled);
  const hear = async (event: Partial<ReceivedMessage>) => {
    const whole = { data: init, origin: SHOP, source: parent, ports: [port], ...event };
    for (const listener of [...listeners]) listener(whole);
    await Promise.resolve();
  };
  return { window, parent, listeners, greeting, settled, hear };
};

describe('handshake', () => {
  it('accepts a real window', () => {
    const fits = (window: Window): MessageSource => window;
    expect(fits).toBeDefined();
  });

  it('threat-model C6: posts hello at once, with nothing but type and versions', () => {
    const { parent } = setUp();
    expect(parent.postMessage.mock.calls).toEqual([[hello, '*']]);
  });

  it("resolves to the parent's init, its origin and the port", async () => {
    const { hear, greeting, listeners } = setUp();
    await hear({});
    expect(await greeting).toEqual({ data: init, port, origin: SHOP });
    expect(listeners.size).toBe(0);
  });

  it('listens to messages alone, and no more after init', async () => {
    const { hear, window } = setUp();
    await hear({});
    expect(window.addEventListener).toHaveBeenCalledExactlyOnceWith('message', expect.any(Function));
    expect(window.removeEventListener).toHaveBeenCalledExactlyOnceWith('message', expect.any(Function));
  });

  it('ignores a second init', async () => {
    const { hear, greeting, settled, listeners } = setUp();
    await hear({});
    await hear({ data: { ...init, clientSecret: 'lg_cs_other' }, origin: 'https://other.example' });
    expect((await greeting).data).toEqual(init);
    expect(settled).toHaveBeenCalledOnce();
    expect(listeners.size).toBe(0);
  });

  it('answers every hello request of the parent until init arrives', async () => {
    const { hear, parent } = setUp();
    const knock = { channel: CHANNEL };
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
    ['no window', { source: null }],
    ['an origin that cannot be named', { origin: 'null' }],
    ['no port', { ports: [] }],
    ['two ports', { ports: [port, otherPort] }],
    ['null', { data: null }],
    ['undefined', { data: undefined }],
    ['a word', { data: 'init' }],
    ['a number', { data: 1 }],
    ['a Blob', { data: new Blob(['init']) }],
    ['a typed array', { data: new Uint8Array(16) }],
    ['a Map', { data: new Map(Object.entries(init)) }],
    ['a cycle', { data: cycle }],
    ['ten megabytes', { data: 'x'.repeat(10_000_000) }],
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
