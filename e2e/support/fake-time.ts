/** Controls the browser's clock: ten minutes pass in a second, and every request is answered on the way. */
import type { Page, Request } from 'playwright/test';

/** At most the timeout of a retrieve, which a longer step would trigger. */
const STEP_SECONDS = 5;

/** Runs ten turns of the frame's event loop without using a timer. */
const takeTurns = async () => {
  const { port1, port2 } = new MessageChannel();
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  }
};

/** Replaces the clocks of the page and its frames. Call it before opening the page. */
export const installFakeTime = async (page: Page) => {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (/\/(retrieve|release)$/.test(request.url())) open.add(request);
  });
  const ended = (request: Request) => {
    open.delete(request);
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  await page.clock.install();
  /** Playwright may never report the end of a request whose document is gone. */
  const isReading = () => [...open].some((request) => !request.frame().isDetached());

  /**
   * Resolves once no retrieve or release is open and the frame has processed the answers, which takes it a few turns.
   */
  const settled = async () => {
    for (let quiet = false; !quiet; ) {
      quiet = !isReading();
      await Promise.all(page.frames().map((frame) => frame.evaluate(takeTurns)));
      quiet &&= !isReading();
    }
  };

  return {
    /** Stops the clock a few seconds from now; after that only `pass` moves it. */
    async stop() {
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    },

    /** Jumps ahead without talking to the frame, for tests in which the frame can't answer. */
    async waitOnPage(seconds: number) {
      await page.clock.fastForward(seconds * 1000);
    },

    /** Moves the clock in steps, letting the form finish its requests after each. */
    async pass(seconds: number, step = STEP_SECONDS) {
      await settled();
      for (let left = seconds; left > 0; left -= step) {
        await page.clock.fastForward(Math.min(left, step) * 1000);
        await settled();
      }
    },
  };
};

export type FakeTime = Awaited<ReturnType<typeof installFakeTime>>;
