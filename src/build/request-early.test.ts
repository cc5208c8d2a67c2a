import { Window } from 'happy-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestEarly } from './request-early.ts';

const FOLDER = '/card-form/1/assets/';
const FILES = ['payment', 'form', 'appearance', 'other-language'];
const MAP = { integrity: Object.fromEntries(FILES.map((name) => [`${FOLDER}${name}.js`, `sha256-${name}`])) };

describe('the scripts that the entry will import', () => {
  let window: Window;
  let frame: { requestRest?: () => void } = {};
  let timeout = () => {};
  /** Names requested immediately. */
  let early: readonly string[] = [];

  beforeEach(() => {
    frame = {};
    window = new Window({ url: 'https://pay.example/' });
    window.document.documentElement.lang = 'en';
    early = FILES.slice(3);
    window.document.head.innerHTML = `<script type="importmap">${JSON.stringify(MAP)}</script><script></script>`;
  });

  afterEach(async () => {
    vi.unstubAllGlobals();
    await window.happyDOM.close();
  });

  /** Names of the requested scripts, in order. */
  const requestedFor = (language: string | undefined, answer: () => unknown = said): string[] => {
    vi.stubGlobal('document', window.document);
    vi.stubGlobal('navigator', { language });
    vi.stubGlobal('window', frame);
    vi.stubGlobal('setTimeout', (run: () => void, ms: number) => {
      expect(ms).toBe(100);
      timeout = run;
    });
    requestEarly(FOLDER, ['payment'], ['form']);
    answer();
    return requested();
  };

  /** Names of the scripts requested so far. */
  const requested = (): string[] =>
    Array.from(window.document.querySelectorAll('link'), (link) => {
      const name = link.getAttribute('href')?.slice(FOLDER.length, -'.js'.length) ?? '';
      // happy-dom has no properties for these
      expect([link.rel, Reflect.get(link, 'integrity'), Reflect.get(link, 'fetchPriority')]).toEqual([
        'modulepreload',
        `sha256-${name}`,
        early.includes(name) ? 'auto' : 'low',
      ]);
      return name;
    });

  const said = () => frame.requestRest?.();
  const late = () => timeout();

  it.each([
    ['de-AT', 'other-language payment form'],
    ['zh-Hant-HK', 'other-language payment form'],
    ['en-US', 'payment form'],
    [undefined, 'other-language payment form'],
  ])('for a browser in "%s" are requested in this order: %s', (language, names) => {
    expect(requestedFor(language).join(' ')).toBe(names);
  });

  it.each([
    ['the form fits', said],
    ['the page has not answered in time', late],
  ])('large scripts are not requested before the first read, but once %s', (_, answer) => {
    expect(requestedFor('de', () => null)).toEqual(['other-language', 'payment']);
    answer();
    expect(requested()).toEqual(['other-language', 'payment', 'form']);
    said();
    late();
    expect(requested()).toEqual(['other-language', 'payment', 'form']);
  });

  it.each([
    ['de-AT', 'de'],
    ['fr', 'de'], // the page's own choice
    ['en-US', 'ar'],
  ])('a browser in %s loads no other language for a document in %s', (language, lang) => {
    window.document.documentElement.lang = lang;
    early = [];
    expect(requestedFor(language)).toEqual(['payment', 'form']);
  });

  it('have the hashes of the import map, and a script without one is not requested', () => {
    window.document.scripts[0]?.replaceChildren('{"integrity":{}}');
    expect(requestedFor('de')).toEqual([]);
  });
});
