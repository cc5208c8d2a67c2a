/**
 * The script that observes a page from the inside. It runs in every document of every contestant, including the
 * baseline, so that its cost is the same for all.
 */

/** Messages from a document; times in ms since 1970. */
export type Said = {
  name: 'origin' | 'inserted' | 'typeable' | 'amount' | 'payable';
  at: number;
  top: boolean;
};

/** The figures of a document. */
export type Counted = {
  /** Tasks over 50 ms: the start of each, in ms since 1970, and its duration, in ms. */
  longTasks: { at: number; duration: number }[];
  /** Sum of the layout shifts. */
  shift: number;
  /** From each key down to the next frame, in ms. */
  keys: number[];
};

declare global {
  interface Window {
    /** Receives the messages; installed by the driver. */
    benchSays?: (text: string) => void;
    benchCounted?: Counted;
  }
}

/**
 * Runs in the page, so it must not use anything from this module. A document is typeable once all its fields, at least
 * `fields` of them, are visible and enabled and a frame with them has been painted; payable once the same is true of a
 * submit button with an amount. The amount itself may be painted earlier.
 */
const watch = (fields: number, isPainted: boolean): void => {
  if (location.protocol !== 'https:') return;
  const top = window === window.top;
  const counted: Counted = { longTasks: [], shift: 0, keys: [] };
  window.benchCounted = counted;
  const now = () => performance.timeOrigin + performance.now();
  const say = (name: Said['name'], at = now()) => window.benchSays?.(JSON.stringify({ name, at, top }));
  if (top) say('origin', performance.timeOrigin);

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      counted.longTasks.push({ at: performance.timeOrigin + startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) counted.shift += 'value' in entry ? Number(entry.value) : 0;
  }).observe({ type: 'layout-shift', buffered: true });

  /** Runs after the current animation frame has been painted. */
  const afterPaint = (run: () => void) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      run();
    };
    port2.postMessage(null);
  };
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const areThere = () => {
    const controls = [...document.querySelectorAll('input:not([type=hidden]), select')].filter(isSeen);
    return controls.length >= fields && controls.every((control) => !control.matches(':disabled'));
  };
  const isPayable = () =>
    [...document.querySelectorAll('button:not([aria-disabled]):not(:disabled)')].some(
      (button) => /\d/.test(button.textContent ?? '') && isSeen(button),
    );

  const hasAmount = () =>
    [...document.querySelectorAll('[data-amount], button')].some(
      (element) => /\d/.test(element.textContent ?? '') && isSeen(element),
    );

  const said = { inserted: false, typeable: false, amount: false, payable: false };
  const look = () => {
    if (!said.typeable && areThere()) {
      said.typeable = true;
      afterPaint(() => say('typeable'));
    }
    if (said.typeable && !said.amount && hasAmount()) {
      said.amount = true;
      afterPaint(() => say('amount'));
    }
    if (said.typeable && !said.payable && isPayable()) {
      said.payable = true;
      afterPaint(() => say('payable'));
    }
    if (said.payable) observer.disconnect();
  };
  let isDue = false;
  const changed = () => {
    if (top) {
      if (said.inserted || !document.querySelector('iframe')) return;
      said.inserted = true;
      return say('inserted');
    }
    // Only in an animation frame: reading earlier would force an extra layout.
    if (!isPainted) return look();
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      look();
    });
  };
  const observer = new MutationObserver(changed);
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  addEventListener('DOMContentLoaded', changed);

  addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() => afterPaint(() => counted.keys.push(performance.now() - timeStamp))),
    true,
  );
};

/**
 * The script's source, for documents with at least `fields` fields; `isPainted` says that all of them are on the
 * screen.
 */
export const probeFor = (fields: number, isPainted: boolean): string => `(${watch})(${fields}, ${isPainted})`;
