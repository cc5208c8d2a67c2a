/**
 * A small client of the WebDriver protocol (W3C, "WebDriver", level 2), limited to a buyer's needs. Nothing here knows
 * the product.
 */

/** A reference to an element of the document that was current when it was found. */
export type Element = { readonly id: string };

/** In CSS pixels of the viewport. */
export type Spot = { readonly x: number; readonly y: number };

/** An error from the driver; `code` is the protocol's, such as `no such element`. */
export class WebDriverError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'WebDriverError';
    this.code = code;
  }
}

/** The key that the protocol uses for a reference to an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** How long one command may take, in ms. Opening a browser takes longest. */
const COMMAND_TIMEOUT = 30_000;

const KEYS = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Shift: '\uE008',
  Control: '\uE009',
} as const;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const textOf = (value: unknown, what: string): string => {
  if (typeof value === 'string') return value;
  throw new WebDriverError('bad answer', `${what} must be answered with text; got ${JSON.stringify(value)}`);
};

const elementOf = (value: unknown): Element => ({ id: textOf(field(value, ELEMENT), 'Finding an element') });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Sends one command to a driver and returns the `value` of its answer. */
const command = async (address: string, method: string, path: string, body?: object): Promise<unknown> => {
  const asked = `${method} ${path.replace(/^\/session\/[^/]+/, '')}`;
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`${address}${path}`, {
      method,
      signal: AbortSignal.timeout(COMMAND_TIMEOUT),
      ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
    });
    answer = await response.json();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const why = cause instanceof Error ? cause.message : `${error}`;
    throw new WebDriverError('no answer', `The driver gave no answer to ${asked}: ${why}`);
  }
  const value = field(answer, 'value');
  if (response.ok) return value;
  const code = `${field(value, 'error') ?? response.status}`;
  throw new WebDriverError(
    code,
    `${asked}: ${code}: ${field(value, 'message') ?? 'the driver says no more'}`,
  );
};

/** True if the driver at this address would open a session. */
export const isReady = async (address: string): Promise<boolean> => {
  try {
    return field(await command(address, 'GET', '/status'), 'ready') === true;
  } catch {
    return false;
  }
};

/** Opens a browser with these capabilities. */
export const openSession = async (address: string, capabilities: object) => {
  const opened = await command(address, 'POST', '/session', { capabilities: { alwaysMatch: capabilities } });
  const session = `/session/${textOf(field(opened, 'sessionId'), 'A new session')}`;
  const get = (path: string) => command(address, 'GET', `${session}${path}`);
  const post = (path: string, body: object = {}) => command(address, 'POST', `${session}${path}`, body);

  /** Presses key by key; `held` stays down throughout. */
  const keys = async (keys: readonly string[], held?: string) => {
    const strokes = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    const actions = held
      ? [{ type: 'keyDown', value: held }, ...strokes, { type: 'keyUp', value: held }]
      : strokes;
    await post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  };

  return {
    navigate: (url: string) => post('/url', { url }),
    reload: () => post('/refresh'),
    /** In CSS pixels, including the browser's own interface around the page. */
    resize: (width: number, height: number) => post('/window/rect', { x: 0, y: 0, width, height }),

    /** Sends the next commands to the page itself. */
    toPage: () => post('/frame', { id: null }),
    /** Sends the next commands to the document in this frame. */
    toFrame: (frame: Element) => post('/frame', { id: { [ELEMENT]: frame.id } }),

    /** All elements of the current document that match, in its order. */
    findAll: async (selector: string): Promise<readonly Element[]> =>
      listOf(await post('/elements', { using: 'css selector', value: selector })).map(elementOf),
    /** The focused element of the current document; WebKitGTK's own command finds nothing inside a frame. */
    active: async () =>
      elementOf(await post('/execute/sync', { script: 'return document.activeElement', args: [] })),

    text: async ({ id }: Element) => textOf(await get(`/element/${id}/text`), 'Text'),
    /** The accessible name, as the engine computes it. */
    label: async ({ id }: Element) => textOf(await get(`/element/${id}/computedlabel`), 'A label'),
    property: ({ id }: Element, name: string) => get(`/element/${id}/property/${name}`),

    /** Scrolls to the element and clicks its middle with the pointer. */
    click: ({ id }: Element) => post(`/element/${id}/click`),
    /** Presses keys, one after another, wherever the focus is. */
    press: (key: 'Tab' | 'Enter' | 'Escape') => keys([KEYS[key]]),
    /** Presses a key while holding another. */
    hold: (held: 'Shift' | 'Control', key: string) => keys([key === 'Tab' ? KEYS.Tab : key], KEYS[held]),
    write: (text: string) => keys([...text]),
    /**
     * Moves to a place in the current document, then presses and releases once for each list, moving through its spots.
     */
    point: (pointerType: 'mouse' | 'touch', at: Spot, downs: readonly (readonly Spot[])[]) => {
      const move = ({ x, y }: Spot) => ({
        type: 'pointerMove',
        duration: 10,
        x: Math.round(x),
        y: Math.round(y),
      });
      const actions = [
        move(at),
        ...downs.flatMap((through) => [
          { type: 'pointerDown', button: 0 },
          ...through.map(move),
          { type: 'pointerUp', button: 0 },
        ]),
      ];
      return post('/actions', {
        actions: [{ type: 'pointer', id: pointerType, parameters: { pointerType }, actions }],
      });
    },

    /** Runs the body of a function in the current document. */
    run: (script: string, ...args: readonly unknown[]) => post('/execute/sync', { script, args }),

    /** Closes the browser. */
    close: () => command(address, 'DELETE', session),
  };
};

export type Session = Awaited<ReturnType<typeof openSession>>;
