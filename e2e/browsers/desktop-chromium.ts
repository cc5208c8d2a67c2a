/**
 * A Chromium without Playwright's test settings: tabs can be hidden, pages frozen, and Back can restore a page from the
 * back/forward cache.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright/test';
import { findChromium } from './find-browsers.mjs';

/**
 * Starts the browser's process with a new profile and a page, with nothing attached yet. `connect` attaches Playwright;
 * `close` ends the process and removes the profile.
 */
export const startChromiumProcess = async (url: string) => {
  const found = findChromium();
  if (!found) throw new Error('There is no Chromium; node e2e/browsers/find-browsers.mjs installs one.');
  const profile = await mkdtemp(join(tmpdir(), 'card-form-chromium-'));
  const child = spawn(
    found.path,
    [
      '--headless=new',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--lang=en-US',
      '--window-size=900,1400',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      url,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
      const listening = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (listening) resolve(listening);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${found.path} ended. It said:\n${said}`)));
  });
  const ends = [
    async () => {
      child.kill();
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  ];
  return {
    async connect() {
      // Playwright's defaults would keep every page visible and focused.
      const browser = await chromium.connectOverCDP(address, { noDefaults: true });
      ends.unshift(() => browser.close());
      const [context] = browser.contexts();
      if (!context) throw new Error('Chromium has no window.');
      return { browser, context };
    },

    async close() {
      for (const end of ends) await end();
    },
  };
};

export const startDesktopChromium = async () => {
  const { connect, close } = await startChromiumProcess('about:blank');
  const { browser, context } = await connect();

  return {
    newPage: () => context.newPage(),

    /** Opens another tab in front of this one. */
    async hide(page: Page) {
      const other = await context.newPage();
      await other.bringToFront();
      await expectVisibility(page, 'hidden');
    },

    async show(page: Page) {
      await page.bringToFront();
      await expectVisibility(page, 'visible');
    },

    /** Freezes a background page, as Chromium does to save power, or resumes it. */
    async freeze(page: Page, state: 'frozen' | 'active') {
      const session = await context.newCDPSession(page);
      await session.send('Page.setWebLifecycleState', { state });
      await session.detach();
    },

    /**
     * Evaluates in the frame whose URL ends with `ending`. Playwright loses the frames of a page restored from the
     * back/forward cache, so this asks the browser directly.
     */
    async inFrame(ending: string, expression: string): Promise<unknown> {
      const session = await browser.newBrowserCDPSession();
      const { targetInfos } = await session.send('Target.getTargets');
      const frame = targetInfos.find(({ type, url }) => type === 'iframe' && url.endsWith(ending));
      if (!frame)
        throw new Error(`No frame ends in ${ending}: ${targetInfos.map(({ url }) => url).join(' ')}`);
      const { sessionId } = await session.send('Target.attachToTarget', {
        targetId: frame.targetId,
        flatten: false,
      });
      const answer = new Promise<string>((resolve) => {
        session.on('Target.receivedMessageFromTarget', ({ message }) => resolve(message));
      });
      const params = { expression, awaitPromise: true, returnByValue: true };
      const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params });
      await session.send('Target.sendMessageToTarget', { sessionId, message });
      const { result, error } = JSON.parse(await answer);
      await session.detach();
      if (error || result.exceptionDetails) throw new Error(JSON.stringify(error ?? result.exceptionDetails));
      return result.result.value;
    },

    close,
  };
};

export type DesktopChromium = Awaited<ReturnType<typeof startDesktopChromium>>;

const expectVisibility = async (page: Page, state: DocumentVisibilityState) => {
  await page.waitForFunction((wanted) => document.visibilityState === wanted, state, { polling: 100 });
};
