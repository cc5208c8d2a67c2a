import { Window } from 'happy-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LANGUAGES } from '../form/i18n/languages.fixture.ts';
import { negotiate } from '../form/i18n/locale.ts';
import { requestEarly } from './request-early.ts';

const FOLDER = '/card-form/1/assets/';
const FILES = [
  'amount',
  'offer',
  'pay',
  'appearance',
  'other-language',
  ...LANGUAGES.filter((language) => language !== 'en'),
];
const MAP = { integrity: Object.fromEntries(FILES.map((name) => [`${FOLDER}${name}.js`, `sha256-${name}`])) };

describe('the scripts that the entry will import', () => {
  let window: Window;
  let frame: { requestRest?: () => void } = {};
  let timeout = () => {};
  /** What is requested at once. */
  let early: readonly string[] = [];

  beforeEach(() => {
    frame = {};
    window = new Window({ url: 'https://pay.example/' });
    window.document.documentElement.lang = 'en';
    early = FILES.slice(4);
    window.document.head.innerHTML = `<script type="importmap">${JSON.stringify(MAP)}</script><script></script>`;
  });

  afterEach(async () => {
    vi.unstubAllGlobals();
    await window.happyDOM.close();
  });

  /** The names of the requested scripts, in order. */
  const requestedFor = (languages: readonly string[], answer: () => unknown = said): string[] => {
    vi.stubGlobal('document', window.document);
    vi.stubGlobal('navigator', { languages });
    vi.stubGlobal('window', frame);
    vi.stubGlobal('setTimeout', (run: () => void, ms: number) => {
      expect(ms).toBe(100);
      timeout = run;
    });
    requestEarly(FOLDER, ['amount', 'offer'], ['pay']);
    answer();
    return requested();
  };

  /** The names of the scripts that are requested now. */
  const requested = (): string[] =>
    Array.from(window.document.querySelectorAll('link'), (link) => {
      const name = link.getAttribute('href')?.slice(FOLDER.length, -'.js'.length) ?? '';
      // happy-dom has no attributes for these
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
    ['de-AT de en', 'de other-language amount offer pay'],
    ['en-US en de', 'amount offer pay'],
    ['ca-ES es en', 'es other-language amount offer pay'],
    ['ca-ES', 'amount offer pay'],
    ['zh-TW', 'zh-Hant other-language amount offer pay'],
    ['zh-Hant-HK', 'zh-Hant other-language amount offer pay'],
    ['zh-CN', 'zh other-language amount offer pay'],
    [' _ toString', 'amount offer pay'],
  ])('for a browser in "%s" are requested in this order: %s', (languages, names) => {
    expect(requestedFor(languages.split(' ')).join(' ')).toBe(names);
  });

  it('for a browser that names no language are those of English', () => {
    expect(requestedFor([])).toEqual(['amount', 'offer', 'pay']);
  });

  it.each([
    ['the form fits', said],
    ['the page has not answered in time', late],
  ])('what is large is not requested in front of the first read, but once %s', (_, answer) => {
    expect(requestedFor(['de'], () => null)).toEqual(['de', 'other-language', 'amount', 'offer']);
    answer();
    expect(requested()).toEqual(['de', 'other-language', 'amount', 'offer', 'pay']);
    said();
    late();
    expect(requested()).toEqual(['de', 'other-language', 'amount', 'offer', 'pay']);
  });

  it('what shows and offers the total is requested at once, before there is an answer to wait for', () => {
    expect(requestedFor(['en'], () => null)).toEqual(['amount', 'offer']);
    said();
    expect(requested()).toEqual(['amount', 'offer', 'pay']);
  });

  it.each(FILES.slice(5))('the catalog is the one that the form will choose: %s', (language) => {
    expect(requestedFor([language])).toEqual([language, 'other-language', 'amount', 'offer', 'pay']);
    expect(negotiate(undefined, [language]).language).toBe(language);
  });

  it.each([
    [['de-AT', 'en'], 'de'],
    [['fr', 'en'], 'de'], // the page's own choice
    [['en-US'], 'ar'],
  ])(
    'a browser in %j waits for no catalog in a document in %s, whose catalog is requested last',
    (languages, lang) => {
      window.document.documentElement.lang = lang;
      early = [];
      expect(requestedFor(languages, () => null)).toEqual(['amount', 'offer']);
      said();
      late();
      expect(requested()).toEqual(['amount', 'offer', 'pay', lang]);
    },
  );

  it('carry the hashes of the import map, and none is requested that it does not have', () => {
    window.document.scripts[0]?.replaceChildren('{"integrity":{}}');
    expect(requestedFor(['de'])).toEqual([]);
  });
});
