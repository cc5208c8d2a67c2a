// @vitest-environment happy-dom
/** promises 1.15: a form is parked while its page is at another step. */
import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../api/clock/manual-clock.ts';
import type { FrameWindow, ReceivedMessage } from '../../channel/handshake.ts';
import { helloOf } from '../../channel/handshake.ts';
import { LONGEST_PARKING } from '../../channel/parking.ts';
import { CHANNEL } from '../../channel/protocol.ts';
import { readInit } from '../../channel/read-options.ts';
import { initMessage } from '../merchant/merchant.fixture.ts';
import { keepForm } from './keep.ts';

const SHOP = 'https://shop.example';

/** A form in a frame, whose parts record their calls. */
const openForm = () => {
  const init = initMessage({ keep: true, clientSecret: 'lg_cs_one' });
  const read = readInit(init);
  if (!read) throw new Error('init');
  const changed = {};
  const { port1, port2 } = new MessageChannel();
  const heard = vi.fn();
  port1.onmessage = heard;
  const posted = vi.spyOn(port1, 'postMessage');
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const parent = { postMessage: vi.fn() };
  const window: FrameWindow = {
    parent,
    onmessage: null,
    postMessage: () => undefined,
    greeting: { hello: helloOf('1'), heard: [] },
  };
  const clock = createManualClock();
  let slept = 0;
  const reload = vi.fn();
  const canPark = signal(true);
  const state = signal({ status: 'reloading' });
  const isRead = signal(false);
  const brokeProtocol = signal(false);
  const ending = new AbortController();
  const parts = {
    form: { clearCvc: note('clearCvc'), reset: note('reset') },
    page: {
      brokeProtocol,
      post: (message: object) => port1.postMessage(message),
      reply: (message: object) => port1.postMessage(message),
    },
    guard: { startOver: note('startOver') },
    pressHint: signal(null),
    ending,
    session: {
      state,
      isRead,
      canPark,
      isFor: (secret: string) => secret === 'lg_cs_one',
      park: (isParked: boolean) => void done.push(`park ${isParked}`),
      close: note('close'),
      swaps: { dropPresses: note('dropPresses') },
    },
    receive: ({ type }: { type: string }) => void done.push(type),
    ready: () => [{ type: 'ready' }],
    change: () => ({ type: 'change' }),
  };
  Reflect.apply(keepForm, null, [
    parts,
    { port: port1, origin: SHOP, init: read, changed },
    { window, clock, wallNow: () => clock.now() + slept, height: () => 100, reload },
  ]);
  const settle = () => clock.advance(0);
  const send = async (message: Partial<ReceivedMessage>) => {
    window.onmessage?.({ data: null, origin: SHOP, source: parent, ports: [], ...message });
    await settle();
  };
  return {
    done,
    changed,
    clock,
    canPark,
    state,
    isRead,
    brokeProtocol,
    reload,
    heard,
    posted,
    port: port1,
    sleep: (ms: number) => {
      slept = ms;
    },
    park: (message: Partial<ReceivedMessage> = {}) =>
      send({ data: { channel: CHANNEL, type: 'park' }, ...message }),
    /** The page comes back with these options. Returns its end of the port. */
    async comeBack(changes: object = {}, origin = SHOP) {
      const channel = new MessageChannel();
      ports.push(channel.port1, channel.port2);
      const post = vi.spyOn(channel.port2, 'postMessage');
      await send({ data: { ...init, ...changes }, origin, ports: [channel.port2] });
      return {
        hear: (data: object) => channel.port2.onmessage?.(new MessageEvent('message', { data })),
        post,
      };
    },
    end: () => {
      ending.abort();
      port2.close();
    },
  };
};

const ports: MessagePort[] = [];
let form: ReturnType<typeof openForm>;
beforeEach(() => {
  form = openForm();
});
afterEach(() => {
  form.end();
  for (const port of ports.splice(0)) port.close();
});

describe('keepForm', () => {
  it('is told nothing by another window or origin', async () => {
    await form.park({ source: {} });
    await form.park({ origin: 'https://other.example' });
    expect(form.done).toEqual([]);
  });

  it('rests when it is parked: presses are dropped, the security code is cleared, nothing is posted and nothing is heard', async () => {
    await form.park();
    expect(form.done).toEqual(['startOver', 'dropPresses', 'park true', 'blur', 'clearCvc']);
    form.posted.mockClear();
    form.port.postMessage({ type: 'change' });
    expect(form.posted).not.toBe(form.port.postMessage);
    expect(form.posted).not.toHaveBeenCalled();
    expect(form.reload).not.toHaveBeenCalled();
  });

  it('goes on by the next port, once the intent was read: then `ready`, what was held back, and `change`', async () => {
    await form.park();
    const { hear, post } = await form.comeBack();
    expect(form.done.slice(5)).toEqual(['update', 'park false']);
    form.port.postMessage({ type: 'amountchange' });
    form.port.postMessage({ type: 'change' });
    const said = () => post.mock.calls.map(([message]) => Reflect.get(message, 'type'));
    expect(said()).not.toContain('ready');
    form.state.value = { status: 'blocked' };
    form.isRead.value = true;
    const told = ['ready', 'amountchange', 'change'];
    expect(said().filter((type) => type !== 'state')).toEqual(told);
    form.isRead.value = false;
    form.isRead.value = true;
    expect(
      said().filter((type) => type !== 'state'),
      'once',
    ).toEqual(told);
    hear({ type: 'submit' });
    expect(form.heard).toHaveBeenCalledOnce();
  });

  it('comes back with the look that was taken from the page since', async () => {
    Object.assign(form.changed, { from: [['field.padding', '4px']] });
    await form.park();
    await form.comeBack();
    expect(form.reload).not.toHaveBeenCalled();
  });

  it.each([
    ['another client secret', { clientSecret: 'lg_cs_two' }, SHOP],
    ['another key', { publishableKey: `pk_live_${'x'.repeat(32)}` }, SHOP],
    ['another origin', {}, 'https://other.example'],
    ['an option that cannot change', { autoAdvance: false }, SHOP],
    ['no `keep`', { keep: false }, SHOP],
    ['what is no init', { protocol: 1, publishableKey: '' }, SHOP],
    ['a list that `mount()` refuses: an unknown brand', { acceptedBrands: ['visa', 'vista'] }, SHOP],
    ['a list that `mount()` refuses: no country', { allowedCountries: [] }, SHOP],
  ])('forgets all and loads anew for %s', async (_, changes, origin) => {
    await form.park();
    await form.comeBack(changes, origin);
    expect(form.done.slice(5)).toEqual(['close', 'reset']);
    expect(form.reload).toHaveBeenCalledOnce();
  });

  it('forgets all after 15 minutes, also if the device slept', async () => {
    await form.park();
    await form.clock.advance(LONGEST_PARKING - 1);
    expect(form.done).toHaveLength(5);
    await form.clock.advance(1);
    expect(form.done.slice(5)).toEqual(['close', 'reset']);
    expect(form.reload).not.toHaveBeenCalled(); // the page is away
    await form.comeBack();
    expect(form.reload).toHaveBeenCalledOnce();
    form.end();
    form = openForm();
    await form.park();
    form.sleep(LONGEST_PARKING);
    await form.comeBack();
    expect(form.reload).toHaveBeenCalledOnce();
  });

  it('forgets all at once if a press may have charged', async () => {
    form.canPark.value = false;
    await form.park();
    expect(form.done).toEqual([
      'startOver',
      'dropPresses',
      'park true',
      'blur',
      'clearCvc',
      'close',
      'reset',
    ]);
    await form.comeBack();
    expect(form.reload).toHaveBeenCalledOnce();
  });

  it('threat-model C9: is not parked once the page broke a limit of the channel, also if it was told so', async () => {
    form.brokeProtocol.value = true;
    expect(form.posted.mock.lastCall).toEqual([{ type: 'update', keep: false }]);
    await form.park();
    expect(form.done.slice(5)).toEqual(['close', 'reset']);
    await form.comeBack();
    expect(form.reload).toHaveBeenCalledOnce();
  });

  it('tells the page whether it may be parked', () => {
    form.canPark.value = false;
    expect(form.posted.mock.calls.map(([message]) => message)).toEqual([
      { type: 'update', keep: true },
      { type: 'update', keep: false },
    ]);
  });
});
