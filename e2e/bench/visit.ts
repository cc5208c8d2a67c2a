/** A buyer's first visit: a new browser, one page, a typed card number, and all its figures. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Chromium, type Heard, type Session, startChromium } from './chromium.ts';
import type { Contestant } from './contestants.ts';
import { type Shape, SLOW, startLink } from './link.ts';
import { type Counted, probeFor, type Said } from './probe.ts';
import { type BenchServer, SHOP } from './server.ts';
import { quantile } from './statistics.ts';

export type Condition = {
  name: 'none' | 'slow';
  /** CPU throttling: the factor by which every process of the page is slowed down. */
  cpu: number;
  shape: Shape | null;
};

export const CONDITIONS: readonly Condition[] = [
  { name: 'none', cpu: 1, shape: null },
  { name: 'slow', cpu: 4, shape: SLOW },
];

/** Times in ms from the start of the navigation. NaN if the contestant has no such figure. */
export type Measured = {
  inserted: number;
  typeable: number;
  /** The time when the total has been painted. */
  amount: number;
  payable: number;
  /** Requests until typeable, without those to the merchant's own host. */
  requestsToTypeable: number;
  requestsToPayable: number;
  requests: number;
  connections: number;
  /** Compressed bytes that had arrived when the form was payable, with headers, without the merchant's page. */
  bytesToPayable: number;
  /** The same for the whole visit; `wireBytes` is everything on the wire, including TLS. */
  bytes: number;
  wireBytes: number;
  /** Main-thread work of page and frames in ms, until half a second after payable. */
  tasks: number;
  script: number;
  /** Script time until payable. */
  scriptToPayable: number;
  longest: number;
  /** The longest of the tasks that began once the form was typeable. */
  longestLater: number;
  pageShift: number;
  frameShift: number;
  /** Bytes in use after a garbage collection. */
  pageHeap: number;
  frameHeap: number;
  keyP50: number;
  keyP95: number;
  /** The number of change events the page received while the number was typed. */
  told: number;
  /** Script time per key, in ms. */
  frameScriptPerKey: number;
  pageScriptPerKey: number;
};

export type Visit = { measured: Measured; keys: readonly number[] };

const NUMBER = '4242424242424242';
const PATIENCE_MS = 120_000;
const SETTLE_MS = 500;

/** Opens a page under a condition; `until` waits for messages of its documents. */
export const openPage = async (server: BenchServer, contestant: Contestant, condition: Condition) => {
  const link = await startLink(server.port, condition.shape);
  const said: Said[] = [];
  const requests = new Map<
    string,
    { url: string; at: number; sinceEpoch: number; ended: number; bytes: number }
  >();
  let wake = () => {};

  const hear = ({ session, method, params }: Heard) => {
    switch (method) {
      case 'Runtime.bindingCalled':
        said.push(JSON.parse(params.payload));
        return wake();
      case 'Network.requestWillBeSent': {
        const { requestId, request, timestamp, wallTime } = params;
        if (!request.url.startsWith('https:')) return;
        requests.set(`${requestId}`, {
          url: request.url,
          at: timestamp,
          sinceEpoch: wallTime - timestamp,
          ended: Number.NaN,
          bytes: 0,
        });
        return;
      }
      case 'Network.loadingFinished': {
        const request = requests.get(params.requestId);
        if (request) Object.assign(request, { ended: params.timestamp, bytes: params.encodedDataLength });
        return;
      }
      default:
        // The throttling of a process ends when one of its frames is removed.
        void session.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu }).catch(() => undefined);
    }
  };
  const chromium: Chromium = await startChromium({
    port: link.port,
    trust: server.trust,
    hosts: server.hosts(),
    language: 'en-US',
    hear,
    prepare: ({ send, kind }) => [
      send('Runtime.enable'),
      send('Runtime.addBinding', { name: 'benchSays' }),
      send('Performance.enable'),
      send('Network.enable'),
      send('Page.enable'),
      send('Page.addScriptToEvaluateOnNewDocument', {
        source: probeFor(contestant.fields, contestant.forms === 1),
      }),
      send('Emulation.setCPUThrottlingRate', { rate: condition.cpu }),
      ...(kind === 'page' ? [send('Emulation.setFocusEmulationEnabled', { enabled: true })] : []),
    ],
  });

  const times = (name: Said['name']) => said.filter((one) => one.name === name).map(({ at }) => at);
  return {
    chromium,
    link,
    requests,
    times,
    go: () => chromium.page.send('Page.navigate', { url: `https://${SHOP}${contestant.path}` }),
    /** Resolves when this many documents have reported `name`. */
    until: async (name: Said['name'], count: number): Promise<void> => {
      const late = pause(PATIENCE_MS).then(() => 'late');
      while (times(name).length < count) {
        const news = new Promise<void>((resolve) => {
          wake = resolve;
        });
        if ((await Promise.race([news, late])) === 'late') {
          throw new Error(
            `${contestant.name}: ${times(name).length} of ${count} documents were ${name} after ${PATIENCE_MS} ms. Requested but not served: ${server.missed.join(', ') || 'nothing'}.`,
          );
        }
      }
    },
    close: async () => {
      await chromium.close();
      await link.stop();
    },
  };
};

export type OpenPage = Awaited<ReturnType<typeof openPage>>;

/** The JSON value of `expression` in a document. */
export const evaluate = async ({ send }: Session, expression: string) => {
  const { result, exceptionDetails } = await send('Runtime.evaluate', {
    expression,
    returnByValue: true,
    awaitPromise: true,
    userGesture: true,
  });
  if (exceptionDetails)
    throw new Error(`${exceptionDetails.text} ${exceptionDetails.exception?.description}`);
  return result.value;
};

/** The time that scripts have taken so far in these documents, in ms. */
const scriptTime = async (documents: readonly Session[]): Promise<number> => {
  const metrics = await Promise.all(documents.map(metricsOf));
  return sum(metrics.map((of) => of('ScriptDuration'))) * 1000;
};

/** The metrics of one process, by the browser's names. */
export const metricsOf = async ({ send }: Session): Promise<(name: string) => number> => {
  const { metrics } = await send('Performance.getMetrics');
  return (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
};

export type VisitOptions = {
  typing?: boolean;
};

export const visit = async (
  server: BenchServer,
  contestant: Contestant,
  condition: Condition,
  { typing = true }: VisitOptions = {},
): Promise<Visit> => {
  const page = await openPage(server, contestant, condition);
  const { chromium, link, times, until } = page;
  try {
    await page.go();
    await until('typeable', contestant.forms);
    if (contestant.pays) await until('payable', contestant.forms);
    const scriptToPayable = contestant.pays
      ? await scriptTime([chromium.page, ...chromium.frames()])
      : Number.NaN;
    await pause(SETTLE_MS);

    const [origin = Number.NaN] = times('origin');
    const since = (name: Said['name']) =>
      times(name).length > 0 ? Math.max(...times(name)) - origin : Number.NaN;
    const typeable = since('typeable');
    const payable = contestant.pays ? since('payable') : Number.NaN;
    const amount = contestant.pays ? since('amount') : Number.NaN;
    const theirs = [...page.requests.values()]
      .filter(({ url }) => new URL(url).host !== SHOP)
      .map(({ url, at, sinceEpoch, ended, bytes }) => {
        const after = (seconds: number) => (seconds + sinceEpoch) * 1000 - origin;
        return { url, bytes, asked: after(at), ended: after(ended) };
      });
    const frames = chromium.frames();
    const script = await scriptTime([chromium.page, ...frames]);
    const load = {
      page: await metricsOf(chromium.page),
      frames: await Promise.all(frames.map(metricsOf)),
    };
    const counted: Counted[] = await Promise.all(
      [chromium.page, ...frames].map((session) => evaluate(session, 'window.benchCounted')),
    );
    const longTasks = counted.flatMap((document) => document.longTasks);
    const { connections, bytesDown, bytesUp } = link.counted();

    const typed =
      typing && contestant.number
        ? await type(chromium, contestant.number)
        : { keys: [], told: Number.NaN, frameScriptPerKey: Number.NaN, pageScriptPerKey: Number.NaN };
    const heaps = await Promise.all([chromium.page, ...frames].map(heapOf));
    const [pageHeap = Number.NaN, ...frameHeaps] = heaps;
    const known = server.hosts();
    server.missed.push(...theirs.map(({ url }) => url).filter((url) => !known.includes(new URL(url).host)));
    if (server.missed.length > 0) throw new Error(`Requested but not served: ${server.missed.join(', ')}.`);

    return {
      measured: {
        inserted: since('inserted'),
        typeable,
        amount,
        payable,
        requestsToTypeable: theirs.filter(({ asked }) => asked <= typeable).length,
        requestsToPayable: contestant.pays
          ? theirs.filter(({ asked }) => asked <= payable).length
          : Number.NaN,
        requests: theirs.length,
        connections,
        bytesToPayable: contestant.pays
          ? sum(theirs.filter(({ ended }) => ended <= payable).map(({ bytes }) => bytes))
          : Number.NaN,
        bytes: sum(theirs.map(({ bytes }) => bytes)),
        wireBytes: bytesDown + bytesUp,
        // Frames of one site share a main thread, and each reports all its tasks.
        tasks:
          (load.page('TaskDuration') + Math.max(0, ...load.frames.map((of) => of('TaskDuration')))) * 1000,
        script,
        scriptToPayable,
        longest: longestOf(longTasks),
        longestLater: longestOf(longTasks.filter(({ at }) => at >= origin + typeable)),
        pageShift: counted[0]?.shift ?? Number.NaN,
        frameShift: Math.max(0, ...counted.slice(1).map(({ shift }) => shift)),
        pageHeap,
        // As above: frames of one site share a heap.
        frameHeap: Math.max(0, ...frameHeaps),
        keyP50: typed.keys.length > 0 ? quantile(typed.keys, 0.5) : Number.NaN,
        keyP95: typed.keys.length > 0 ? quantile(typed.keys, 0.95) : Number.NaN,
        told: typed.told,
        frameScriptPerKey: typed.frameScriptPerKey,
        pageScriptPerKey: typed.pageScriptPerKey,
      },
      keys: typed.keys,
    };
  } finally {
    await page.close();
  }
};

/** In ms; 0 if there was none. */
const longestOf = (tasks: Counted['longTasks']): number =>
  Math.max(0, ...tasks.map(({ duration }) => duration));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Types a card number like a person: each key is down for 20 ms, and the next follows 130 ms later. */
const type = async (chromium: Chromium, number: string) => {
  const [frame] = chromium.frames();
  if (!frame) throw new Error('There is no frame to type in.');
  await evaluate(frame, `document.querySelector(${JSON.stringify(number)}).focus()`);
  await pause(200);
  const told = (): Promise<number> => evaluate(chromium.page, 'window.told ?? 0');
  const toldBefore = await told();
  const before = { frame: await metricsOf(frame), page: await metricsOf(chromium.page) };
  for (const digit of NUMBER) {
    const key = { key: digit, code: `Digit${digit}`, windowsVirtualKeyCode: digit.charCodeAt(0) };
    const down = chromium.page.send('Input.dispatchKeyEvent', { type: 'keyDown', text: digit, ...key });
    await pause(20);
    const up = chromium.page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    await pause(130);
    await Promise.all([down, up]);
  }
  const after = { frame: await metricsOf(frame), page: await metricsOf(chromium.page) };
  const value: string = await evaluate(frame, `document.querySelector(${JSON.stringify(number)}).value`);
  if (value.replace(/\D/g, '') !== NUMBER)
    throw new Error(`The field has "${value}" after ${NUMBER} was typed.`);
  const { keys }: Counted = await evaluate(frame, 'window.benchCounted');
  if (keys.length !== NUMBER.length)
    throw new Error(`${keys.length} of ${NUMBER.length} keys were seen to be painted.`);
  const script = (of: typeof before) => ({
    frame: of.frame('ScriptDuration'),
    page: of.page('ScriptDuration'),
  });
  return {
    keys,
    told: (await told()) - toldBefore,
    frameScriptPerKey: ((script(after).frame - script(before).frame) * 1000) / NUMBER.length,
    pageScriptPerKey: ((script(after).page - script(before).page) * 1000) / NUMBER.length,
  };
};

const heapOf = async (session: Session): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await metricsOf(session))('JSHeapUsedSize');
};
