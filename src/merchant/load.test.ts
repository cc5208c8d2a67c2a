// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const SERVICE = 'https://pay.example';
const LOADER = `${SERVICE}/partner/v1/card-form.js`;
const RELEASE = '0.1.0-5504ff6e62fb';
const API = { version: RELEASE, mount: () => undefined };

/** The scripts in the page, and what a browser would do with them. */
const scripts = () => [...document.querySelectorAll('script')];
const arrive = (api: object | null = API) => {
  if (api) Reflect.set(window, 'CardForm', api);
  scripts().at(-1)?.dispatchEvent(new Event('load'));
};
const miss = async () => {
  scripts().at(-1)?.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(0);
};
const pause = () => vi.advanceTimersByTimeAsync(1000);

const missTwice = async () => {
  await miss();
  await pause();
  await miss();
};

const load = async (...args: Parameters<typeof import('./load.ts').loadCardForm>) =>
  (await import('./load.ts')).loadCardForm(...args);

/** Captures a rejection. Attached before anything happens, so that no rejection is unhandled. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'it did not reject',
    ({ name, code, message }: Error & { code?: string }) => ({ name, code, message }),
  );

/** Begins to load, and waits for the script. */
const begin = async (...args: Parameters<typeof load>) => {
  const loaded = load(...args);
  const failed = failureOf(loaded);
  await expect.poll(() => scripts()).toHaveLength(1);
  return { loaded, failed };
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  // happy-dom would request them.
  vi.spyOn(document.head, 'append').mockImplementation((node) => {
    if (node instanceof HTMLScriptElement) {
      const { src } = node;
      node.removeAttribute('src');
      document.body.append(node);
      Reflect.defineProperty(node, 'src', { value: src });
    }
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(window, 'CardForm');
  Reflect.deleteProperty(window, 'trustedTypes');
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('loadCardForm', () => {
  it('threat-model 2.8: takes no release from a polluted prototype', async () => {
    Reflect.set(Object.prototype, 'version', '9.9.9-evil');
    const loaded = load(SERVICE);
    await expect.poll(() => scripts().map(({ src }) => src)).toEqual([LOADER]);
    arrive();
    expect(await loaded).toBe(API);
    Reflect.deleteProperty(Object.prototype, 'version');
  });

  it("inserts the service's script and resolves to CardForm", async () => {
    const loaded = load(`${SERVICE}/`);
    await expect.poll(() => scripts().map(({ src }) => src)).toEqual([LOADER]);
    arrive();
    expect(await loaded).toBe(API);
    expect(scripts()).toHaveLength(1);
  });

  it('loads the script once for concurrent calls, and not at all if CardForm exists', async () => {
    const both = Promise.all([load(SERVICE), load(SERVICE)]);
    await expect.poll(() => scripts()).toHaveLength(1);
    arrive();
    expect(await both).toEqual([API, API]);
    expect(await load(SERVICE)).toBe(API);
    expect(await load('https://other.example')).toBe(API);
    expect(scripts()).toHaveLength(1);
  });

  it('tries a script that does not load a second time', async () => {
    const { loaded } = await begin(SERVICE);
    await miss();
    expect(scripts()).toHaveLength(0);
    await pause();
    expect(scripts()).toHaveLength(1);
    arrive();
    expect(await loaded).toBe(API);
  });

  it('starts again after a load that failed twice', async () => {
    const { failed } = await begin(SERVICE);
    await missTwice();
    expect(await failed).toMatchObject({ name: 'CardFormLoadError', code: 'blocked' });
    expect(scripts()).toHaveLength(0);
    await pause();
    expect(scripts()).toHaveLength(0);

    const { loaded } = await begin(SERVICE);
    arrive();
    expect(await loaded).toBe(API);
  });

  it.each([
    ['offline', 'the browser is offline', () => vi.stubGlobal('navigator', { onLine: false })],
    ['blocked', 'Check the address', () => {}],
  ])('rejects with %s', async (code, words, given) => {
    given();
    const { failed } = await begin(SERVICE);
    await missTwice();
    expect(await failed).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it('rejects with timeout after twenty seconds for each attempt', async () => {
    const { failed } = await begin(SERVICE);
    const first = scripts()[0];
    await vi.advanceTimersByTimeAsync(20_000);
    await pause();
    expect(scripts()).toHaveLength(1);
    expect(scripts()[0]).not.toBe(first);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await failed).toMatchObject({ code: 'timeout', message: expect.stringContaining(LOADER) });
    expect(scripts()).toHaveLength(0);
  });

  it('rejects with csp without a second attempt, even if the violation is reported after the error', async () => {
    const violate = (blockedURI: string, disposition: string) =>
      document.dispatchEvent(
        Object.assign(new Event('securitypolicyviolation'), {
          blockedURI,
          disposition,
          effectiveDirective: 'script-src-elem',
        }),
      );
    const { failed } = await begin(SERVICE);
    violate('https://stranger.example/x.js', 'enforce');
    violate(LOADER, 'report');
    expect(scripts()).toHaveLength(1);
    scripts()[0]?.dispatchEvent(new Event('error'));
    violate(LOADER, 'enforce');
    expect(await failed).toMatchObject({
      code: 'csp',
      message: `The page's Content-Security-Policy forbids ${LOADER}. Add it to script-src-elem.`,
    });
    await pause();
    expect(scripts()).toHaveLength(0);
  });

  it('rejects with unexpected_script without a second attempt', async () => {
    const { failed } = await begin(SERVICE);
    arrive(null);
    expect(await failed).toMatchObject({ code: 'unexpected_script' });
    await pause();
    expect(scripts()).toHaveLength(0);
  });

  it('does not mistake an element named CardForm for the API', async () => {
    Reflect.set(window, 'CardForm', document.createElement('form'));
    const { loaded } = await begin(SERVICE);
    arrive();
    expect(await loaded).toBe(API);
  });

  it('pins a release, with its hash and a nonce', async () => {
    const { loaded } = await begin(SERVICE, { version: RELEASE, integrity: 'sha384-abc', nonce: 'n0' });
    const [script] = scripts();
    expect(script).toMatchObject({
      src: `${SERVICE}/partner/v1/card-form/${RELEASE}/card-form.js`,
      integrity: 'sha384-abc',
      crossOrigin: 'anonymous',
      nonce: 'n0',
    });
    arrive();
    expect(await loaded).toBe(API);
  });

  it('threat-model 2.4: accepts every release that a key has signed', async () => {
    const { loaded } = await begin(SERVICE, { integrity: 'ed25519-abc=' });
    const [script] = scripts();
    expect(script).toMatchObject({
      src: `${SERVICE}/partner/v1/card-form.js`,
      integrity: 'ed25519-abc=',
      crossOrigin: 'anonymous',
    });
    arrive();
    expect(await loaded).toBe(API);
  });

  it('rejects if the page has already loaded another release', async () => {
    arrive();
    expect(await failureOf(load(SERVICE, { version: '0.2.0-abc' }))).toMatchObject({
      code: 'version_mismatch',
      message: expect.stringMatching(`0.2.0-abc, but the page has already loaded release ${RELEASE}`),
    });
    expect(await load(SERVICE, { version: RELEASE })).toBe(API);
  });

  it('uses its own Trusted Types policy if the browser has Trusted Types', async () => {
    const made: string[] = [];
    const createPolicy = vi.fn(
      (name: string, { createScriptURL }: { createScriptURL(url: string): string }) => {
        made.push(name);
        return { createScriptURL: (url: string) => `${createScriptURL(url)}#trusted` };
      },
    );
    Reflect.set(window, 'trustedTypes', { createPolicy });
    const loaded = load(SERVICE);
    await expect.poll(() => scripts().map(({ src }) => src)).toEqual([`${LOADER}#trusted`]);
    arrive();
    await loaded;
    expect(made).toEqual(['card-form']);
  });

  it('names the directive if the page forbids that policy', async () => {
    Reflect.set(window, 'trustedTypes', {
      createPolicy: () => {
        throw new TypeError('disallowed');
      },
    });
    expect(await failureOf(load(SERVICE))).toMatchObject({
      code: 'csp',
      message: expect.stringContaining('Add card-form to trusted-types'),
    });
  });

  it('reports it even in a browser without URL.canParse', async () => {
    const { canParse } = URL;
    Reflect.deleteProperty(URL, 'canParse');
    const failed = await failureOf(load('pay.example'));
    URL.canParse = canParse;
    expect(failed).toMatchObject({ code: 'invalid_option' });
  });

  it.each([
    ['pay.example', 'such as https://pay.example; got "pay.example"'],
    ['', 'got ""'],
    ['javascript:alert(1)', 'baseUrl must be'],
    [LOADER, 'without anything after it'],
    [`${SERVICE}/partner/v1`, 'without anything after it'],
    [`${SERVICE}?a=b`, 'without anything after it'],
  ])('rejects %j as baseUrl', async (baseUrl, words) => {
    expect(await failureOf(load(baseUrl))).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(words),
    });
    expect(scripts()).toEqual([]);
  });

  it.each([
    [{ integrity: 'sha384-abc' }, 'integrity requires version'],
    [{ version: '../../evil' }, 'version must be the name of a release'],
    [{ version: 'latest' }, 'got "latest"'],
  ])('rejects %j', async (options, words) => {
    expect(await failureOf(load(SERVICE, options))).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(words),
    });
  });

  it('resolves to null on a server, whatever the arguments', async () => {
    const { loadCardForm } = await import('./load.ts');
    vi.stubGlobal('window', undefined);
    expect(await loadCardForm(SERVICE)).toBeNull();
    vi.unstubAllGlobals();
    vi.stubGlobal('document', undefined);
    expect(await loadCardForm(SERVICE)).toBeNull();
  });
});
