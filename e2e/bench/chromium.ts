/**
 * A Chromium with an empty profile, driven over a pipe. It can throttle and observe every process of a page before the
 * process runs anything; Playwright can't, because it hides processes.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright/test';
import { findChromium } from '../browsers/find-browsers.mjs';

/** One process's view of a page: the page itself, or an iframe in a separate process. */
export type Session = {
  id: string;
  kind: 'page' | 'iframe';
  send: CDPSession['send'];
};

/** Protocol events of a page's processes that the benchmark uses. Network times are in seconds. */
export type Heard = { session: Session } & (
  | { method: 'Runtime.bindingCalled'; params: { payload: string } }
  | {
      method: 'Network.requestWillBeSent';
      params: { requestId: string; request: { url: string }; timestamp: number; wallTime: number };
    }
  | {
      method: 'Network.responseReceived';
      params: {
        requestId: string;
        response: { timing?: { requestTime: number; connectStart: number; sendStart: number } };
      };
    }
  | {
      method: 'Network.loadingFinished';
      params: { requestId: string; timestamp: number; encodedDataLength: number };
    }
  | { method: 'Target.attachedToTarget' | 'Target.detachedFromTarget'; params: object }
);

/** Commands to send to each process before the page runs there. */
export type Prepare = (session: Session) => readonly Promise<unknown>[];

/**
 * In ms. In some visits a freshly started browser opens its first connection twice, which costs two round trips that
 * are not the page's fault: the floor was typeable after 1,060 to 1,424 ms, and after 1,049 to 1,075 with this pause.
 */
const SETTLES_WITHIN = 1000;

export const startChromium = async (options: {
  /**
   * These hosts resolve to this port and all others to nothing, so that the browser's own requests use no bandwidth.
   */
  port: number;
  hosts: readonly string[];
  trust: string;
  /** The buyer's language, a BCP 47 tag: `navigator.languages`. */
  language: string;
  prepare: Prepare;
  hear: (heard: Heard) => void;
}) => {
  const found = findChromium();
  if (!found) throw new Error('There is no Chromium; node e2e/browsers/find-browsers.mjs installs one.');
  const profile = await mkdtemp(join(tmpdir(), 'card-form-bench-'));
  const names = options.hosts.map((host) => `MAP ${host} 127.0.0.1:${options.port}`).join(', ');
  const child = spawn(
    found.path,
    [
      '--headless=new',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-extensions',
      '--lang=en-US',
      `--accept-lang=${options.language}`,
      '--window-size=900,1400',
      `--host-resolver-rules=${names}, MAP * ~NOTFOUND`,
      `--ignore-certificate-errors-spki-list=${options.trust}`,
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const [, , , toBrowser, fromBrowser] = child.stdio;
  if (!isWritable(toBrowser) || !isReadable(fromBrowser)) throw new Error('Chromium has no pipe.');

  const answers = new Map<number, (reply: string) => void>();
  const sessions = new Map<string, Session>();
  let number = 0;
  const sendTo =
    (sessionId: string | undefined): CDPSession['send'] =>
    (method, params) =>
      new Promise((resolve, reject) => {
        number += 1;
        answers.set(number, (reply) => {
          const { result, error } = JSON.parse(reply);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result);
        });
        toBrowser.write(`${JSON.stringify({ id: number, method, params, sessionId })}\0`);
      });
  const send = sendTo(undefined);

  const attach = (id: string, kind: Session['kind']): Session => {
    const session: Session = { id, kind, send: sendTo(id) };
    sessions.set(id, session);
    return session;
  };
  /**
   * Sends all commands at the same time: the process waits for the last one. A frame removed meanwhile answers none.
   */
  const begin = (session: Session) =>
    Promise.allSettled([
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      ...options.prepare(session),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);

  const receive = (text: string) => {
    const { id, method, params, sessionId } = JSON.parse(text);
    const waiting = answers.get(id);
    if (waiting) {
      answers.delete(id);
      waiting(text);
      return;
    }
    if (method === 'Target.attachedToTarget' && sessionId !== undefined) {
      const kind = params.targetInfo.type;
      if (kind === 'iframe') void begin(attach(params.sessionId, kind));
      else void sendTo(params.sessionId)('Runtime.runIfWaitingForDebugger').catch(() => undefined);
    }
    if (method === 'Target.detachedFromTarget') sessions.delete(params.sessionId);
    const session = sessions.get(sessionId);
    if (session) options.hear({ session, method, params });
  };
  let rest = '';
  fromBrowser.setEncoding('utf8');
  fromBrowser.on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) receive(message);
  });
  void gone.then(() => {
    for (const reply of answers.values()) reply('{"error":{"message":"Chromium has ended."}}');
  });

  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = attach(sessionId, 'page');
  const failed = (await begin(page)).find((outcome) => outcome.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  await pause(SETTLES_WITHIN);

  return {
    page,
    browser: send,
    frames: () => [...sessions.values()].filter(({ kind }) => kind === 'iframe'),
    async close() {
      await send('Browser.close').catch(() => undefined);
      const killing = setTimeout(() => child.kill('SIGKILL'), 5000);
      await gone;
      clearTimeout(killing);
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
};

export type Chromium = Awaited<ReturnType<typeof startChromium>>;

const isWritable = (stream: unknown): stream is Writable =>
  typeof stream === 'object' && stream !== null && 'write' in stream;
const isReadable = (stream: unknown): stream is Readable =>
  typeof stream === 'object' && stream !== null && 'setEncoding' in stream;
