import { afterEach, describe, expect, it, vi } from 'vitest';
import { LARGEST_MESSAGE } from './bounds.ts';
import { createFramePort, MOST_PER_SECOND } from './port.ts';

const opened: MessagePort[] = [];
afterEach(() => {
  for (const port of opened.splice(0)) port.close();
});

const setUp = () => {
  const { port1, port2 } = new MessageChannel();
  opened.push(port1, port2);
  const clock = { time: 0 };
  const onMessage = vi.fn();
  const onViolation = vi.fn();
  const close = vi.spyOn(port1, 'close');
  const post = vi.spyOn(port1, 'postMessage');
  const framePort = createFramePort(port1, { onMessage, onViolation, now: () => clock.time });
  return {
    framePort,
    clock,
    onMessage,
    onViolation,
    close,
    post,
    loader: port2,
    hear: (data: unknown) => port1.onmessage?.(new MessageEvent('message', { data })),
  };
};

const update = { type: 'update', locale: 'de' };

describe("the frame's port", () => {
  it("passes the loader's messages on", () => {
    const { hear, onMessage } = setUp();
    hear(update);
    hear({ type: 'destroy' });
    expect(onMessage.mock.calls).toEqual([[update], [{ type: 'destroy' }]]);
  });

  it('works over a real channel, in both directions', async () => {
    const { framePort, loader, onMessage } = setUp();
    const heard = new Promise((resolve) => {
      loader.onmessage = (event) => resolve(event.data);
    });
    framePort.post({ type: 'escape' });
    expect(await heard).toEqual({ type: 'escape' });
    const said = new Promise<void>((resolve) => onMessage.mockImplementation(() => resolve()));
    loader.postMessage(update);
    await said;
    expect(onMessage).toHaveBeenCalledWith(update);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['an unknown type', { type: 'submit_twice' }],
    ['a known type with a wrong field', { type: 'focus', field: 5 }],
    ['an own __proto__', JSON.parse('{"type":"update","__proto__":{"locale":"de"}}')],
    ['a typed array', new Uint8Array([1, 2, 3])],
  ])('silently drops %s', (_, data) => {
    const { hear, onMessage, onViolation, close } = setUp();
    hear(data);
    expect(onMessage).not.toHaveBeenCalled();
    expect(onViolation).not.toHaveBeenCalled();
    expect(close).not.toHaveBeenCalled();
    hear(update);
    expect(onMessage).toHaveBeenCalledOnce();
  });

  it("threat-model 1.3: passes a page's font on unread, since bytes are no text to measure", () => {
    const { hear, onMessage, onViolation } = setUp();
    const font = { type: 'font', font: 0, bytes: new ArrayBuffer(300_000) };
    hear(font);
    expect(onMessage.mock.calls).toEqual([[{ type: 'font', answer: font }]]);
    expect(onMessage.mock.calls[0]?.[0].answer).toBe(font);
    hear(Object.create(font)); // no own property says what it is
    hear({ ...update, bytes: new ArrayBuffer(8) });
    expect(onMessage).toHaveBeenCalledOnce();
    for (let i = 0; i < MOST_PER_SECOND; i++) hear(font);
    expect(onViolation.mock.calls).toEqual([['protocol']]);
    expect(onMessage).toHaveBeenCalledTimes(MOST_PER_SECOND - 2);
  });

  it('threat-model 1.3: passes addresses that the page suggests on unparsed, but within the limits', () => {
    const { hear, onMessage, onViolation } = setUp();
    const suggestions = [{ label: 'Here', address: { line1: '12 Orchard Lane' } }];
    const answer = { type: 'search', search: 1, suggestions };
    hear(answer);
    expect(onMessage.mock.calls).toEqual([[{ type: 'search', answer }]]);
    hear({ ...answer, bytes: new ArrayBuffer(8) });
    expect(onMessage).toHaveBeenCalledOnce();
    expect(onViolation).not.toHaveBeenCalled();
    hear({ ...answer, suggestions: Array.from({ length: 500 }, () => suggestions[0]) });
    expect(onViolation.mock.calls).toEqual([['protocol']]);
    hear(answer);
    expect(onMessage).toHaveBeenCalledOnce();
  });

  const cycle: Record<string, unknown> = { type: 'update' };
  cycle.self = cycle;

  it.each<[string, unknown]>([
    ['a message too large', { type: 'update', locale: 'x'.repeat(LARGEST_MESSAGE) }],
    ['a message too deep', { type: 'update', a: { b: { c: { d: {} } } } }],
    ['a cycle', cycle],
  ])('stops receiving after %s, and still posts', async (_, data) => {
    const { framePort, loader, hear, onMessage, onViolation, close } = setUp();
    hear(data);
    expect(onViolation.mock.calls).toEqual([['protocol']]);
    hear(data);
    hear(update);
    expect(onViolation).toHaveBeenCalledOnce();
    expect(onMessage).not.toHaveBeenCalled();
    expect(close).not.toHaveBeenCalled();
    const heard = new Promise((resolve) => {
      loader.onmessage = (event) => resolve(event.data);
    });
    framePort.post({ type: 'processing', pressed: true });
    expect(await heard).toEqual({ type: 'processing', pressed: true });
  });

  it.each<[string, object]>([
    ['too large', { type: 'update', clientSecret: true, locale: 'x'.repeat(LARGEST_MESSAGE) }],
    ['the one too many in a second, and every later one', { type: 'update', clientSecret: 'lg_cs_2' }],
  ])('promises 1.9: an update() that is %s is dropped and still answered', (_, call) => {
    const { hear, onMessage } = setUp();
    const dropped = () => onMessage.mock.calls.filter(([{ type }]) => type === 'dropped').length;
    for (let i = 0; i < MOST_PER_SECOND - 1; i++) hear({ type: 'blur' });
    hear({ type: 'update', clientSecret: true });
    expect(dropped()).toBe(0);
    hear(call);
    hear({ type: 'update', clientSecret: 'lg_cs_3' });
    expect(dropped()).toBe(2);
    hear({ type: 'secret', clientSecret: 'lg_cs_3' }); // answers the form, so nobody waits for an answer to it
    hear(update); // nor to the page's look
    expect(dropped()).toBe(2);
  });

  it('threat-model C9: after a violation it receives only questions, no more of them than before', () => {
    const { hear, clock, onMessage, onViolation } = setUp();
    const diagnostics = { type: 'diagnostics', release: 'r', timeOrigin: 1, timings: { mounted: 1 } };
    hear(cycle);
    for (let i = 0; i < 1000; i++) hear(update);
    clock.time = 1000;
    hear({ type: 'validate' });
    hear({ type: 'refresh' });
    for (let i = 0; i < 1000; i++) hear(diagnostics);
    hear({ ...diagnostics, release: 'x'.repeat(LARGEST_MESSAGE) });
    expect(onMessage.mock.calls).toEqual([
      [{ type: 'validate' }],
      [{ type: 'refresh' }],
      ...Array.from({ length: MOST_PER_SECOND - 2 }, () => [diagnostics]),
    ]);
    expect(onViolation).toHaveBeenCalledOnce();
  });

  it('accepts the allowed number of messages every second', () => {
    const { hear, clock, onMessage, onViolation } = setUp();
    for (let second = 0; second < 5; second++) {
      clock.time = second * 1000;
      for (let i = 0; i < MOST_PER_SECOND; i++) hear(update);
    }
    expect(onMessage).toHaveBeenCalledTimes(5 * MOST_PER_SECOND);
    expect(onViolation).not.toHaveBeenCalled();
  });

  it('stops receiving after one message too many within a second, even if it would be dropped', () => {
    const { hear, clock, onMessage, onViolation } = setUp();
    for (let i = 0; i < MOST_PER_SECOND; i++) {
      clock.time = i;
      hear(null);
    }
    clock.time = 999;
    hear(update);
    expect(onViolation.mock.calls).toEqual([['protocol']]);
    expect(onMessage).not.toHaveBeenCalled();
  });

  it('counts no answer about covers that the form asked for, however often, and each other one', () => {
    const { framePort, hear, onViolation } = setUp();
    const answer = { type: 'covers', covers: ['none'], pointer: null };
    for (let i = 0; i < 2 * MOST_PER_SECOND; i++) framePort.post({ type: 'covers', lines: [] });
    for (let i = 0; i < 3 * MOST_PER_SECOND; i++) hear(answer);
    expect(onViolation).not.toHaveBeenCalled();
    hear(answer);
    expect(onViolation).toHaveBeenCalledOnce();
  });

  it('posts nothing once closed', () => {
    const { framePort, post, hear, onMessage } = setUp();
    framePort.post({ type: 'escape' });
    framePort.close();
    framePort.post({ type: 'escape' });
    hear(update);
    expect(onMessage).not.toHaveBeenCalled();
    expect(post).toHaveBeenCalledTimes(1);
  });
});
