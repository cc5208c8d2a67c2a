import type { BrowserContext, Page } from 'playwright/test';

/**
 * Drops the timers of top-level pages that last `from` ms or longer, so that the form's script never gives up on a
 * frame. Call it before the page is opened.
 */
export const dropTimers = (target: BrowserContext | Page, from: number): Promise<unknown> =>
  target.addInitScript((longest) => {
    const { setTimeout } = window;
    if (self === top)
      Object.assign(window, {
        setTimeout: (run: TimerHandler, ms = 0) => (ms < longest ? setTimeout(run, ms) : 0),
      });
  }, from);
