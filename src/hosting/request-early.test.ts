import { Window } from 'happy-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LANGUAGES } from '../i18n/languages.fixture.ts';
import { negotiate } from '../i18n/locale.ts';
import { requestEarly } from './request-early.ts';

const FOLDER = '/card-form/1/assets/';
const FILES = ['pay', 'appearance', ...LANGUAGES.filter((language) => language !== 'en')];
const MAP = { integrity: Object.fromEntries(FILES.map((name) => [`${FOLDER}${name}.js`, `sha256-${name}`])) };

describe('the scripts that the entry will import', () => {
  let window: Window;

  beforeEach(() => {
    window = new Window({ url: 'https://pay.example/' });
    window.document.head.innerHTML = `<script type="importmap">${JSON.stringify(MAP)}</script><script></script>`;
  });

  afterEach(async () => {
    vi.unstubAllGlobals();
    await window.happyDOM.close();
  });

  /** The names of the requested scripts, in order. */
  const requestedFor = (languages: readonly string[]): string[] => {
    vi.stubGlobal('document', window.document);
    vi.stubGlobal('navigator', { languages });
    requestEarly(FOLDER, ['pay']);
    return Array.from(window.document.querySelectorAll('link'), (link) => {
      const name = link.getAttribute('href')?.slice(FOLDER.length, -'.js'.length) ?? '';
      // happy-dom has no attribute for it
      expect([link.rel, Reflect.get(link, 'integrity')]).toEqual(['modulepreload', `sha256-${name}`]);
      return name;
    });
  };

  it.each([
    [
      ['de-AT', 'de', 'en'],
      ['de', 'pay'],
    ],
    [['en-US', 'en', 'de'], ['pay']],
    [
      ['ca-ES', 'es', 'en'],
      ['es', 'pay'],
    ],
    [['ca-ES'], ['pay']],
    [['zh-TW'], ['zh-Hant', 'pay']],
    [['zh-Hant-HK'], ['zh-Hant', 'pay']],
    [['zh-CN'], ['zh', 'pay']],
    [['', '_', 'toString'], ['pay']],
    [[], ['pay']],
  ])('for a browser in %j are requested in this order: %j', (languages, names) => {
    expect(requestedFor(languages)).toEqual(names);
  });

  it.each(FILES.slice(2))('the catalog is the one that the form will choose: %s', (language) => {
    expect(requestedFor([language])).toEqual([language, 'pay']);
    expect(negotiate(undefined, [language]).language).toBe(language);
  });

  it('carry the hashes of the import map, and none is requested that it does not have', () => {
    window.document.scripts[0]?.replaceChildren('{"integrity":{}}');
    expect(requestedFor(['de'])).toEqual([]);
  });
});
