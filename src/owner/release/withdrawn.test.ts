// @vitest-environment happy-dom
/** The document of a withdrawn release, run as a browser runs it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LANGUAGES } from '../../form/i18n/languages.ts';
import { withdrawnDocument } from './withdrawn.ts';
import { WITHDRAWN_TEXTS } from './withdrawn-texts.ts';

const text = withdrawnDocument('1.0.0-abc');
const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? '';

/** Runs the document for a browser with these languages. */
const show = (languages: readonly string[]) => {
  vi.stubGlobal('navigator', { languages });
  document.documentElement.removeAttribute('dir');
  document.documentElement.lang = 'en';
  const paragraph = document.createElement('p');
  paragraph.textContent = WITHDRAWN_TEXTS.en;
  document.body.replaceChildren(paragraph);
  new Function(script)();
  const { lang, dir } = document.documentElement;
  return { lang, dir, text: paragraph.textContent };
};

beforeEach(() => vi.stubGlobal('parent', window));
afterEach(() => vi.unstubAllGlobals());

it.each(Object.entries(WITHDRAWN_TEXTS))(
  'says in %s that the form is out of service',
  (language, expected) => {
    const shown = show([language]);
    expect(shown.text).toBe(expected);
    expect(shown.lang).toBe(language);
    expect(shown.dir).toBe(['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
  },
);

it('every language of the form has its own text', () => {
  expect(Object.keys(WITHDRAWN_TEXTS).sort()).toEqual([...LANGUAGES].sort());
  expect(new Set(Object.values(WITHDRAWN_TEXTS)).size).toBe(LANGUAGES.length);
});

it.each([
  [['xx', 'de-AT', 'fr'], 'de'],
  [['nn-NO'], 'nb'],
  [['zh-HK'], 'zh-Hant'],
  [['zh-CN'], 'zh'],
  [['yue'], 'zh-Hant'],
  [['constructor', '', '%'], 'en'],
  [[], 'en'],
])('the first of the languages %j that the form has is %s', (languages, language) => {
  expect(show(languages)).toMatchObject({ lang: language });
});

it('is one small file that loads nothing', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(8000);
  expect(text).not.toMatch(/src=|href=|fetch|import|https?:/);
});
