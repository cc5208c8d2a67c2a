/** What a page still holds after forms were mounted, became ready, and were unmounted, a thousand times. */
import { type Contestant, checkout, orderOf, put } from './contestants.ts';
import { type BenchServer, PAY } from './server.ts';
import { CONDITIONS, evaluate, metricsOf, openPage } from './visit.ts';

/** How much more there is after than before; `heap` in bytes, `each` in ms per cycle. */
export type Kept = {
  heap: number;
  nodes: number;
  listeners: number;
  documents: number;
  frames: number;
  each: number;
};

const WARM_UP = 20;
const BATCH = 50;

/** Pages with a function `cycle` that mounts once, waits until it is ready, and unmounts. */
export const cyclists = async (server: BenchServer): Promise<Record<'floor' | 'loader', Contestant>> => {
  const base = { forms: 0, fields: 1, pays: false, number: null, what: 'mounted until ready, and unmounted' };
  const options = JSON.stringify({
    publishableKey: server.publishableKey,
    clientSecret: await server.createIntent(orderOf(1)),
    locale: 'en',
  });
  return {
    floor: {
      ...base,
      name: 'floor',
      path: put(
        '/cycles-floor',
        checkout(`<div id="form"></div></main><script>window.cycle = () => new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.onload = () => { frame.remove(); resolve(); };
  frame.src = 'https://floor.test/frame';
  document.getElementById('form').append(frame);
});</script>`),
      ),
    },
    loader: {
      ...base,
      name: 'loader',
      path: put(
        '/cycles-loader',
        checkout(`<div id="form"></div></main><script src="https://${PAY}/partner/v1/card-form.js"></script>
<script>window.cycle = async () => {
  const form = CardForm.mount('#form', ${options});
  form.on('change', () => {});
  await form.ready;
  form.unmount();
};</script>`),
      ),
    },
  };
};

export const countCycles = async (server: BenchServer, cyclist: Contestant, times: number): Promise<Kept> => {
  const [condition] = CONDITIONS;
  if (!condition) throw new Error('There is no condition.');
  const page = await openPage(server, cyclist, condition);
  try {
    const { page: session } = page.chromium;
    await page.go();
    await page.until('origin', 1);
    for (;;) if (await evaluate(session, 'document.readyState === "complete"')) break;
    const cycle = (count: number) =>
      evaluate(session, `(async () => { for (let i = 0; i < ${count}; i += 1) await cycle(); })()`);
    const held = async () => {
      // Objects freed in one round can make others collectable in the next.
      for (let round = 0; round < 4; round += 1) {
        await evaluate(session, 'new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }))');
        await session.send('HeapProfiler.collectGarbage');
      }
      return metricsOf(session);
    };
    await cycle(WARM_UP);
    const before = await held();
    const start = performance.now();
    for (let done = 0; done < times; done += BATCH) await cycle(Math.min(BATCH, times - done));
    const each = (performance.now() - start) / times;
    const after = await held();
    const more = (name: string) => after(name) - before(name);
    return {
      heap: more('JSHeapUsedSize'),
      nodes: more('Nodes'),
      listeners: more('JSEventListeners'),
      documents: more('Documents'),
      frames: more('Frames'),
      each,
    };
  } finally {
    await page.close();
  }
};
