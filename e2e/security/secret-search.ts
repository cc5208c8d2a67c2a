/**
 * Searches every place in a browser that could keep card data or secrets, in the merchant's page and in the frame:
 * storage and documents at rest, and messages, requests and the console over time.
 */
import type { BrowserContext, Frame, Page, Request } from 'playwright/test';

/** A value that must not be found. `isIn` also recognises parts and other spellings of it. */
export type Secret = { name: string; isIn(text: string): boolean };

/** A text, with the place and world in which it was found. */
export type Finding = { place: string; world: string; text: string };

/** The text as it is, and decoded as a URL or a form body. */
const readings = (text: string): string[] => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return [text, spaced, decodeURIComponent(spaced)];
  } catch {
    return [text, spaced]; // a lone percent sign
  }
};

const RUN = 7;

/** Any seven consecutive digits, grouped or not, and the whole in base64. Fewer digits occur by chance. */
export const cardNumber = (number: string, name = 'card number'): Secret => {
  const runs = Array.from({ length: number.length - RUN + 1 }, (_, at) => number.slice(at, at + RUN));
  return {
    name,
    isIn: (text) =>
      text.includes(btoa(number)) ||
      readings(text).some((reading) => {
        const digits = reading.replace(/(?<=\d)[\s\u00a0\-_.]+(?=\d)/g, '');
        return runs.some((run) => digits.includes(run));
      }),
  };
};

/** A few digits on their own, not part of a longer token. */
const shortNumber = (name: string, digits: string): Secret => {
  const alone = new RegExp(`(?<![\\w.:+-])${digits}(?![\\w.-])`);
  return { name, isIn: (text) => alone.test(text) };
};

export const lastFour = (number: string) => shortNumber('last four digits', number.slice(-4));
export const securityCode = (code: string) => shortNumber('security code', code);

/** The whole, or either half of its random part. */
export const clientSecret = (secret: string): Secret => {
  const drawn = secret.slice('lg_cs_'.length);
  const half = Math.floor(drawn.length / 2);
  return {
    name: 'client secret',
    isIn: (text) =>
      readings(text).some((one) => one.includes(drawn.slice(0, half)) || one.includes(drawn.slice(-half))),
  };
};

export const publishableKey = (key: string): Secret => ({
  name: 'publishable key',
  isIn: (text) => readings(text).some((reading) => reading.includes(key.slice(0, 20))),
});

/** Each secret with each place where it was found, as text; empty if none was found. */
export const search = (secrets: readonly Secret[], findings: readonly Finding[]): string[] => [
  ...new Set(
    findings.flatMap(({ place, world, text }) =>
      secrets.filter((secret) => secret.isIn(text)).map(({ name }) => `${name} in ${place} of the ${world}`),
    ),
  ),
];

/** Places that `readPlaces` reads, in both worlds. */
export const PLACES_AT_REST = [
  'address',
  'referrer',
  'title',
  'window.name',
  'history state',
  'session history',
  'local storage',
  'session storage',
  'cookies',
  'IndexedDB',
  'Cache API',
  'performance entries',
  'attributes',
  'serialised document',
  'visible text',
] as const;

/** Places that `recordTraffic` records, in both worlds. */
export const PLACES_OVER_TIME = [
  'requested addresses',
  'Referer headers',
  'other headers',
  'answers',
  'console',
  'messages',
  'passing attributes and text',
] as const;

declare global {
  interface Window {
    /** Exposed to every document by the test. */
    seen(place: string, text: string): void;
  }
}

/** Runs in every document before its own scripts. */
const recordInDocument = () => {
  const written = (value: unknown): string => {
    const known = new Set<unknown>();
    return (
      JSON.stringify(value, (_, one) => {
        if (typeof one === 'bigint') return String(one);
        if (typeof one !== 'object' || one === null) return one;
        if (known.has(one)) return '(again)';
        known.add(one);
        if (one instanceof Map || one instanceof Set) return [...one];
        return one instanceof ArrayBuffer || ArrayBuffer.isView(one) ? new TextDecoder().decode(one) : one;
      }) ?? String(value)
    );
  };
  // Messages are recorded where they arrive: the functions of a cross-origin window cannot be wrapped.
  window.addEventListener('message', ({ data }) => window.seen('messages', written(data)), true);
  for (const { prototype } of [MessagePort, BroadcastChannel]) {
    const post = prototype.postMessage;
    prototype.postMessage = function (this: MessagePort & BroadcastChannel, ...given: unknown[]) {
      window.seen('messages', written(given[0]));
      Reflect.apply(post, this, given);
    };
  }
  new MutationObserver((changes) => {
    for (const { type, target, attributeName, oldValue, addedNodes } of changes) {
      const texts: (string | null)[] = [oldValue];
      if (type === 'attributes' && target instanceof Element) {
        texts.push(target.getAttribute(attributeName ?? ''));
      }
      if (type === 'characterData') texts.push(target.textContent);
      for (const node of addedNodes) {
        // The merchant's own script may contain the merchant's data.
        if (node instanceof HTMLScriptElement) continue;
        texts.push(node instanceof Element ? node.outerHTML : node.textContent);
      }
      window.seen('passing attributes and text', texts.filter((text) => text !== null).join('\n'));
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
    characterDataOldValue: true,
  });
};

/** Runs in a document and reads every place that could hold data. */
const everyPlace = async (): Promise<[string, string][]> => {
  const attempt = async (read: () => unknown): Promise<string> => {
    try {
      return JSON.stringify(await read()) ?? '';
    } catch (error) {
      return `(closed: ${error instanceof Error ? error.name : 'unknown'})`; // a closed storage holds nothing
    }
  };
  const entries = (storage: Storage) => ({ ...storage });
  const databases = async () => {
    const kept: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store);
        for (const request of [reading.getAll(), reading.getAllKeys()]) {
          kept.push(
            name,
            store,
            await new Promise((resolve) => {
              request.onsuccess = () => resolve(request.result);
            }),
          );
        }
      }
      database.close();
    }
    return kept;
  };
  const cached = async () => {
    const kept: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        kept.push(name, request.url, (await (await cache.match(request))?.text()) ?? '');
      }
    }
    return kept;
  };
  const documentAndShadows = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot ? documentAndShadows(element.shadowRoot) : []),
    ]);
  // The merchant's own scripts don't belong to the form.
  const elements = documentAndShadows(document).filter(({ localName }) => localName !== 'script');
  const serialised = () => {
    const copy = document.documentElement.cloneNode(true);
    if (copy instanceof Element) for (const script of copy.querySelectorAll('script')) script.remove();
    return copy instanceof Element ? copy.outerHTML : '';
  };
  return [
    ['address', location.href],
    ['referrer', document.referrer],
    ['title', document.title],
    ['window.name', window.name],
    ['history state', await attempt(() => history.state)],
    [
      'session history',
      await attempt(() => (window.navigation?.entries() ?? []).map((entry) => [entry.url, entry.getState()])),
    ],
    ['local storage', await attempt(() => entries(localStorage))],
    ['session storage', await attempt(() => entries(sessionStorage))],
    ['cookies', await attempt(() => document.cookie)],
    ['IndexedDB', await attempt(databases)],
    ['Cache API', await attempt(cached)],
    [
      'performance entries',
      await attempt(() =>
        performance.getEntries().map((entry) => [entry.name, Reflect.get(entry, 'detail')]),
      ),
    ],
    [
      'attributes',
      elements
        .flatMap((one) => [...one.attributes].map(({ name, value }) => `${name}="${value}"`))
        .join('\n'),
    ],
    ['serialised document', serialised()],
    ['visible text', document.body?.innerText ?? ''],
  ];
};

/** A request, with the parts that may contain secrets in some requests but not in others. */
export type Exchange = { request: Request; body: string; authorization: string };

/** Records traffic from now on, in every document of the context. `merchant` is the page's origin. */
export const recordTraffic = async (context: BrowserContext, merchant: string) => {
  const findings: Finding[] = [];
  const exchanges: Exchange[] = [];
  const pending: Promise<unknown>[] = [];
  const worldOf = (url: string) => (url.startsWith(merchant) ? 'page' : 'frame');
  const note = (place: (typeof PLACES_OVER_TIME)[number], world: string, text: string) =>
    findings.push({ place, world, text });

  await context.exposeBinding('seen', ({ frame }, place: (typeof PLACES_OVER_TIME)[number], text: string) => {
    note(place, worldOf(frame.url()), text);
  });
  await context.addInitScript(recordInDocument);
  const readHeaders = async (request: Request, world: string) => {
    const { referer, authorization = '', ...others } = await request.allHeaders();
    note('Referer headers', world, referer ?? '');
    note('other headers', world, JSON.stringify(others));
    exchanges.push({ request, body: request.postData() ?? '', authorization });
  };
  context.on('request', (request) => {
    const world = request.isNavigationRequest() ? worldOf(request.url()) : worldOf(request.frame().url());
    note('requested addresses', world, request.url());
    pending.push(readHeaders(request, world));
  });
  context.on('response', (response) => {
    const world = worldOf(response.url());
    const { 'content-length': _length, ...headers } = response.headers();
    note('other headers', world, JSON.stringify(headers));
    // The merchant's own files may contain the merchant's data.
    if (world === 'frame') {
      pending.push(
        response
          .text()
          .then((text) => note('answers', world, text))
          .catch(() => undefined),
      );
    }
  });
  context.on('console', (message) =>
    note('console', 'browser', `${message.text()} ${message.args().join(' ')}`),
  );
  context.on('weberror', ({ error }) => note('console', 'browser', String(error())));

  return {
    findings,
    exchanges,
    /** Resolves once everything in flight is recorded. */
    settled: async () => {
      for (let done = 0; done < pending.length; done = pending.length) await Promise.all(pending);
    },
  };
};

export type Recording = Awaited<ReturnType<typeof recordTraffic>>;

/** Reads every place at rest of the page and its frames. */
export const readPlaces = async (page: Page): Promise<Finding[]> => {
  const inFrame = async (frame: Frame): Promise<Finding[]> => {
    const world = frame === page.mainFrame() ? 'page' : 'frame';
    return (await frame.evaluate(everyPlace)).map(([place, text]) => ({ place, world, text }));
  };
  const all = await Promise.all(page.frames().map(inFrame));
  const cookies = JSON.stringify(await page.context().cookies());
  return [...all.flat(), { place: 'cookies', world: 'browser', text: cookies }];
};

/**
 * All strings in the heap of a frame or page after garbage collection, and the names of its properties and variables.
 * Chromium only.
 */
export const memoryOf = async (of: Page | Frame): Promise<string> => {
  const context = 'context' in of ? of.context() : of.page().context();
  const session = await context.newCDPSession(of);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return stringsOf(JSON.parse(chunks.join(''))).join('\n');
};

/** The browser's format: nodes and edges are sequences of numbers, which `meta` explains. */
type HeapSnapshot = {
  snapshot: {
    meta: {
      node_fields: readonly string[];
      node_types: readonly [readonly string[], ...unknown[]];
      edge_fields: readonly string[];
      edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  nodes: readonly number[];
  edges: readonly number[];
  strings: readonly string[];
};

/**
 * The snapshot's string table also has numbers that belong to the browser: table indices as names of internal edges,
 * and the start and end of functions in their scripts, as strings of digits that no script can reach. Any of these
 * could equal a security code, so they are left out.
 */
const stringsOf = ({ snapshot: { meta }, nodes, edges, strings }: HeapSnapshot): string[] => {
  const [nodeSize, edgeSize] = [meta.node_fields.length, meta.edge_fields.length];
  const [nodeType, nodeName, edgeCount] = ['type', 'name', 'edge_count'].map((field) =>
    meta.node_fields.indexOf(field),
  ) as [number, number, number];
  const [edgeType, edgeName, edgeTo] = ['type', 'name_or_index', 'to_node'].map((field) =>
    meta.edge_fields.indexOf(field),
  ) as [number, number, number];
  const named = ['property', 'context', 'shortcut'].map((type) => meta.edge_types[0].indexOf(type));
  const [number, internal] = [meta.node_types[0].indexOf('number'), meta.edge_types[0].indexOf('internal')];
  const used = new Set<number | undefined>();
  /** Nodes, by index in the list, that something other than the browser's own numbers points to. */
  const reached = new Set<number | undefined>();
  for (let node = 0, edge = 0; node < nodes.length; node += nodeSize) {
    const isNumber = nodes[node + nodeType] === number;
    for (const end = edge + (nodes[node + edgeCount] ?? 0) * edgeSize; edge < end; edge += edgeSize) {
      const type = edges[edge + edgeType] ?? -1;
      const to = edges[edge + edgeTo] ?? 0;
      if (named.includes(type)) used.add(edges[edge + edgeName]);
      if (type !== internal || (!isNumber && nodes[to + nodeType] !== number)) reached.add(to);
    }
  }
  for (let node = 0; node < nodes.length; node += nodeSize)
    if (reached.has(node)) used.add(nodes[node + nodeName]);
  return strings.filter((_, index) => used.has(index));
};

/** The accessibility tree. Chromium only. */
export const accessibilityTreeOf = async (of: Page | Frame): Promise<string> => {
  const context = 'context' in of ? of.context() : of.page().context();
  const session = await context.newCDPSession(of);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return JSON.stringify(nodes.map(({ role, name, description, value }) => [role, name, description, value]));
};

/** The browser's session history. Chromium only. */
export const sessionHistoryOf = async (page: Page): Promise<Finding> => {
  const session = await page.context().newCDPSession(page);
  const history = await session.send('Page.getNavigationHistory');
  await session.detach();
  return { place: 'session history', world: 'browser', text: JSON.stringify(history) };
};
