/**
 * A hostile site with its own origin: pages that embed or open others, and a flood of messages that any of its windows
 * can post.
 */
import { createServer } from 'node:http';
import type { Frame } from 'playwright/test';
import { listening } from '../support/listening.ts';

/** Serves `/page?frame=<address>` and `/empty`, and nothing else. */
export const startHostileSite = async () => {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stranger.invalid');
    const inner = url.searchParams.get('frame') ?? '';
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    const frame = inner && `<iframe title="nested" src="${inner.replaceAll('"', '&quot;')}"></iframe>`;
    response.end(`<!doctype html><title>Stranger</title><link rel="icon" href="data:,">${frame}`);
  });
  return listening(server);
};

/** The target of a window's messages, and the data with which it would start its own form. */
export type Flood = {
  seed: number;
  messages: number;
  /** Seen from the posting window: the page with the form, or the form's own frame. */
  page: 'self' | 'top' | 'opened';
  publishableKey: string;
  clientSecret: string;
};

/**
 * Posts the messages to the page and to each of its frames, ending with `last:<seed>` to each. They include a good
 * hello, knock and init, with one port or another number of ports. `learned` collects everything the page or the form
 * sends to the window from then on, by message or over a port.
 */
export const flood = (window: Frame, order: Flood): Promise<void> =>
  window.evaluate(({ seed, messages, page, publishableKey, clientSecret }) => {
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return (state >>> 0) / 2 ** 32;
    };
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
    const known: unknown = Reflect.get(self, 'learned');
    const learned: unknown[] = Array.isArray(known) ? known : [];
    if (learned !== known) {
      Reflect.set(self, 'learned', learned);
      // Other strangers' messages arrive here too. Ours carry another secret or a real release.
      addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data !== 'object' || data === null) return;
        const [secret, release]: unknown[] = [
          Reflect.get(data, 'clientSecret'),
          Reflect.get(data, 'release'),
        ];
        if (typeof secret === 'string' && /^lg_cs_/.test(secret) && secret !== clientSecret)
          learned.push(data);
        if (typeof release === 'string' && /^\d+\.\d+/.test(release)) learned.push(data);
      });
    }
    const init = { channel: 'card-form', protocol: 1, publishableKey, clientSecret };
    const hello = { channel: 'card-form', type: 'hello', protocols: [1], release: 'x' };
    const knock = { channel: 'card-form' };
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    let deep: unknown = 'end';
    for (let level = 0; level < 200; level += 1) deep = { deep };
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    const junk = [
      null,
      undefined,
      Number.NaN,
      2n ** 64n,
      '',
      'init',
      '<img src=x onerror=alert(1)>',
      [],
      [hello],
      {},
      cycle,
      deep,
      sparse,
      new Map([['channel', 'card-form']]),
      new Set(['init']),
      new Date(Number.NaN),
      /(a+)+$/,
      new Error('thrown'),
      new Uint8Array(64),
      new ArrayBuffer(8),
      new Blob(['init']),
      new ImageData(1, 1),
      new DOMRect(),
      'x'.repeat(20_000),
      { includes: 5, length: -1, toString: 1, valueOf: 1 },
      JSON.parse('{"__proto__":{"polluted":true,"channel":"card-form","type":"init"}}'),
      JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
      { type: 'result', result: { outcome: 'succeeded' } },
      { type: 'ready' },
      { type: 'destroy' },
    ];
    const megabytes = 'x'.repeat(10_000_000);
    const make = (): unknown => {
      const good = pick([init, init, hello, knock]);
      switch (Math.floor(random() * 6)) {
        case 0:
          return good;
        case 1:
          return pick(junk);
        case 2:
          return JSON.parse(`{"__proto__":{"polluted":true},${JSON.stringify(good).slice(1)}`);
        case 3:
          return { ...good, extra: pick(junk) };
        default:
          return { ...good, [pick(Object.keys(good ?? {})) ?? '']: pick(junk) };
      }
    };
    const opened: unknown = Reflect.get(self, 'opened');
    const isWindow = (value: unknown): value is Window => typeof value === 'object' && value !== null;
    const host = page === 'self' ? self : page === 'top' ? top : isWindow(opened) ? opened : null;
    if (!host) throw new Error('no window to post to');
    const targets: Window[] = [host];
    for (let index = 0; index < host.length; index += 1) {
      const inner: unknown = Reflect.get(host, index);
      if (isWindow(inner) && inner !== self) targets.push(inner);
    }
    for (const target of targets) {
      for (let sent = 0; sent < messages; sent += 1) {
        const ports: MessagePort[] = [];
        for (let left = pick([0, 1, 1, 1, 2]) ?? 0; left > 0; left -= 1) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => learned.push(data);
          ports.push(port2);
        }
        target.postMessage(sent === 100 ? megabytes : make(), '*', ports);
      }
      target.postMessage(`last:${seed}`, '*');
    }
  }, order);

/** The answers that hostile windows received. */
export const learnedBy = async (window: Frame): Promise<unknown> =>
  window.evaluate(() => Reflect.get(self, 'learned'));

/** Makes a window record which floods have ended in it, and the initial state of its prototypes. */
export const listenForFloods = (window: Frame): Promise<void> =>
  window.evaluate(() => {
    const ended: unknown[] = [];
    Reflect.set(self, 'floodsEnded', ended);
    addEventListener('message', ({ data }) => {
      if (typeof data === 'string' && data.startsWith('last:')) ended.push(data);
    });
    const keys = () =>
      [Object, Array, Function, String].map(({ prototype }) => Reflect.ownKeys(prototype).map(String));
    const before = JSON.stringify(keys());
    Reflect.set(self, 'hasItsPrototypes', () => JSON.stringify(keys()) === before);
  });

/** The floods that have ended in a window, and whether its prototypes are unchanged. */
export const aftermath = (window: Frame): Promise<{ ended: readonly string[]; prototypes: unknown }> =>
  window.evaluate(() => ({
    ended: [...Reflect.get(self, 'floodsEnded')].sort(),
    prototypes: Reflect.get(self, 'hasItsPrototypes')(),
  }));
