// @vitest-environment happy-dom
import nodeConsole from 'node:console';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Runs the script like a page that includes it from `src`, or bundles it (null). */
const run = async (src: string | null, release = '0.1.0-abc') => {
  const script = document.createElement('script');
  if (src) script.src = src;
  vi.spyOn(Object.getPrototypeOf(document), 'currentScript', 'get').mockReturnValue(
    src === null ? null : script,
  );
  vi.stubGlobal('__RELEASE__', release);
  vi.resetModules();
  await import('./main.ts');
};

beforeEach(() => {
  // happy-dom logs to the process's console that it doesn't load iframes.
  vi.spyOn(nodeConsole, 'error').mockImplementation(() => {});
  vi.stubGlobal('origin', 'https://shop.example');
  vi.stubGlobal('isSecureContext', true);
  document.body.innerHTML = '<div id="here"></div>';
});

afterEach(() => {
  Reflect.deleteProperty(window, 'CardForm');
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const options = { publishableKey: `pk_live_${'a'.repeat(32)}`, clientSecret: 'lg_cs_x' };

describe('the script', () => {
  it('defines one global', async () => {
    const before = new Set(Object.keys(window));
    await run('https://pay.example/partner/v1/card-form.js');
    expect(Object.keys(window).filter((name) => !before.has(name))).toEqual(['CardForm']);
    expect(Object.keys(window.CardForm ?? {})).toEqual(['version', 'retrieve', 'mount']);
  });

  it('freezes it, so that no other script of the page can replace mount() (threat-model C15)', async () => {
    await run('https://pay.example/partner/v1/card-form.js');
    const api = window.CardForm;
    if (!api) throw new Error('unreachable');
    const { mount } = api;
    expect(Object.isFrozen(api)).toBe(true);
    expect(Reflect.set(api, 'mount', () => {})).toBe(false);
    expect(Reflect.defineProperty(api, 'mount', { value: () => {} })).toBe(false);
    expect(api.mount).toBe(mount);
  });

  it.each([
    ['https://pay.example/partner/v1/card-form.js', 'https://pay.example'],
    ['https://pay.example/partner/v1/card-form.js?x=1#y', 'https://pay.example'],
    ['https://pay.example/partner/v1/card-form/0.0.9-old/card-form.js', 'https://pay.example'],
    ['http://localhost:4010/partner/v1/card-form.js', 'http://localhost:4010'],
    ['https://cdn.example/under/partner/v1/card-form.js', 'https://cdn.example/under'],
  ])('from %s loads the frame of its own release from there', async (src, base) => {
    await run(src);
    const form = window.CardForm?.mount('#here', options);
    expect(document.querySelector('iframe')?.src).toBe(
      `${base}/partner/v1/card-form/${window.CardForm?.version}/frame.html`,
    );
    form?.unmount();
  });

  it.each([null, '', 'https://shop.example/assets/bundle.js'])(
    'run from %j says how to load it',
    async (src) => {
      await expect(run(src)).rejects.toMatchObject({ name: 'CardFormError', code: 'script_not_found' });
      expect('CardForm' in window).toBe(false);
    },
  );

  it('threat-model 2.1: finds its own script tag, whatever elements are named', async () => {
    const image = Object.assign(document.createElement('img'), {
      src: 'https://evil.example/v1/card-form.js',
    });
    Object.defineProperty(document, 'currentScript', { configurable: true, value: image });
    await run('https://pay.example/partner/v1/card-form.js');
    Reflect.deleteProperty(document, 'currentScript');
    const form = window.CardForm?.mount('#here', options);
    expect(document.querySelector('iframe')?.src).toMatch(/^https:\/\/pay\.example\//);
    form?.unmount();
  });

  it('keeps the first API if it is included twice', async () => {
    const src = 'https://pay.example/partner/v1/card-form.js';
    await run(src);
    const first = window.CardForm;
    await run(src);
    expect(window.CardForm).toBe(first);
    Reflect.set(window, 'CardForm', Object.freeze({ version: '0.0.9-old', mount: () => {} }));
    await run(src);
    expect(window.CardForm?.version).toBe('0.0.9-old');
  });

  it('is not misled by an element named CardForm', async () => {
    Reflect.set(window, 'CardForm', document.createElement('div'));
    await run('https://pay.example/partner/v1/card-form.js');
    expect(window.CardForm?.mount).toBeTypeOf('function');
  });
});

describe('mount', () => {
  it.each<[unknown, string]>([
    [undefined, 'target_not_found'],
    [null, 'target_not_found'],
    ['#nowhere', 'target_not_found'],
    [7, 'target_not_found'],
    [document.createElement('div'), 'target_not_found'],
  ])('for %s throws %s', async (target, code) => {
    await run('https://pay.example/partner/v1/card-form.js');
    const mount = window.CardForm?.mount;
    if (!mount) throw new Error('unreachable');
    expect(() => Reflect.apply(mount, null, [target, options])).toThrow(
      expect.objectContaining({ name: 'CardFormError', code }),
    );
  });

  it('that threw leaves no unhandled rejection if the explanation cannot be loaded', async () => {
    const importVerified = vi.fn(async () => ({ explain: () => Promise.reject(new Event('error')) }));
    vi.doMock('./import-verified.ts', () => ({ importVerified }));
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    await run('https://pay.example/partner/v1/card-form.js');
    expect(() => window.CardForm?.mount('#nowhere', options)).toThrow();
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    vi.doUnmock('./import-verified.ts');
    expect(importVerified).toHaveBeenCalledOnce();
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('that threw can be repeated', async () => {
    await run('https://pay.example/partner/v1/card-form.js');
    expect(() => window.CardForm?.mount('#here', { ...options, publishableKey: '' })).toThrow();
    window.CardForm?.mount('#here', options).unmount();
  });
});
