/** Resources that a page still holds: the browser's counters after garbage collection, and the page's own counts. */
import type { Page } from 'playwright/test';

/** Counts of the merchant's page; the form's document has a separate process. */
export type HeldResources = {
  /** Bytes. */
  heap: number;
  nodes: number;
  documents: number;
  frames: number;
  listeners: number;
  /** Timers that have neither run nor been cleared. */
  timers: number;
  /** Ports, iframes and forms that were created and not collected. */
  alive: number;
};

declare global {
  interface Window {
    gc?: () => void;
    counted: { timers: Set<unknown>; made: WeakRef<object>[] };
  }
}

/** Makes the page count timers, ports and iframes from its start. Call it before the page is opened. */
export const trackResources = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.counted = { timers: new Set(), made: [] };
    const { setTimeout: set, clearTimeout: clear, MessageChannel: Channel } = window;
    const { createElement } = Document.prototype;
    const { timers, made } = window.counted;
    const later = (run: () => void, ms?: number) => {
      const timer = set(() => {
        timers.delete(timer);
        run();
      }, ms);
      timers.add(timer);
      return timer;
    };
    Object.assign(window, {
      setTimeout: later,
      clearTimeout: (timer: number) => {
        timers.delete(timer);
        clear(timer);
      },
      MessageChannel: class extends Channel {
        constructor() {
          super();
          made.push(new WeakRef(this.port1));
        }
      },
    });
    Reflect.set(Document.prototype, 'createElement', function (this: Document, name: string) {
      const element = createElement.call(this, name);
      if (name === 'iframe') made.push(new WeakRef(element));
      return element;
    });
  });

/** The resources that the page holds after garbage collection. */
export const heldResources = async (page: Page): Promise<HeldResources> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  // Each round makes more collectable in the next.
  for (let round = 0; round < 4; round += 1) {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })));
    await session.send('HeapProfiler.collectGarbage');
  }
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  const own = await page.evaluate(() => {
    const { timers, made } = window.counted;
    return { timers: timers.size, alive: made.filter((one) => one.deref() !== undefined).length };
  });
  await session.detach();
  return {
    heap: of('JSHeapUsedSize'),
    nodes: of('Nodes'),
    documents: of('Documents'),
    frames: of('Frames'),
    listeners: of('JSEventListeners'),
    ...own,
  };
};
