/** The browser's time in the hands of a test: ten minutes pass in a second, with every request answered on the way. */
import type { Page, Request } from 'playwright/test';

/** No step is longer than what a reading request may take. */
const STEP_SECONDS = 5;

/** Lets the frame do ten times whatever is due, without a timer. */
const takeTurns = async () => {
  const { port1, port2 } = new MessageChannel();
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  }
};

/** Takes over the clocks of the page and its frames; before the page is opened. */
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
  /** A request of a document that is gone may never be told to have ended. */
  const isReading = () => [...open].some((request) => !request.frame().isDetached());

  /** Until nothing is being read, and what was read has been taken in: a body takes a frame a few turns. */
  const settled = async () => {
    for (let quiet = false; !quiet; ) {
      quiet = !isReading();
      await Promise.all(page.frames().map((frame) => frame.evaluate(takeTurns)));
      quiet &&= !isReading();
    }
  };

  return {
    /** From a few seconds from now on no time passes but by `pass`. */
    async stop() {
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    },

    /** Lets so much time pass while a frame cannot be spoken with. */
    async waitOnPage(seconds: number) {
      await page.clock.fastForward(seconds * 1000);
    },

    /** Lets so much time pass, in steps in which the form can do what it does at its own pace. */
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
