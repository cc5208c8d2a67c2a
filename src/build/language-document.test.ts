// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { inlineHashes } from '../api/served/inline.ts';
import { languageAsked } from '../api/served/language-documents.ts';
import { writeForm } from '../form/frame/first/other-language.ts';
import { insertStaticForm } from '../form/frame/prerender.tsx';
import { catalogOf } from '../form/i18n/catalogs.ts';
import { en } from '../form/i18n/en.ts';
import { hashAttribute, LANGUAGES } from '../form/i18n/languages.ts';
import { direction, negotiate } from '../form/i18n/locale.ts';
import { integrityPlaceholder } from './integrity.ts';
import { inLanguage } from './language-document.ts';

const KEYED = insertStaticForm(
  '<!doctype html><html lang="en" dir="ltr"><head><title>frame.title</title><script>a>total<b</script><style>a>secure<b{}</style></head><body><div id="form" hidden></div></body></html>',
);
const ENGLISH = inLanguage(KEYED, 'en', en);

const open = (html: string) => {
  document.body.innerHTML = html.slice(html.indexOf('<body>') + '<body>'.length, html.indexOf('</body>'));
  const root = document.getElementById('form');
  if (!root) throw new Error('There is no form.');
  return { root, markup: () => document.body.innerHTML };
};

describe('the document in each language', () => {
  it.each(LANGUAGES)('in %s has its words from the start, and no other difference', async (language) => {
    const catalog = await catalogOf(language);
    const html = inLanguage(KEYED, language, catalog);
    expect(html).toContain(`<html lang="${language}" dir="${direction(language)}"`);
    expect(html).toContain(`<title>${catalog['frame.title']}</title>`);
    expect(inlineHashes(html), 'one set of headers').toEqual(inlineHashes(KEYED));
    const expected = open(html).markup();
    expect(expected).not.toMatch(/\b(field|section|notice)\.[a-z]/);
    const { root, markup } = open(ENGLISH);
    writeForm(root, catalog);
    expect(markup(), 'what the English one becomes').toBe(expected);
  });

  it.each(LANGUAGES)('threat-model 2.3: in %s has only the hash of its own catalog', async (language) => {
    const html = inLanguage(KEYED, language, await catalogOf(language));
    const { documentElement } = new DOMParser().parseFromString(html, 'text/html');
    const hash = documentElement.getAttribute(hashAttribute(language));
    expect(hash).toBe(language === 'en' ? null : integrityPlaceholder(`assets/${language}.json`));
    expect(documentElement.getAttributeNames().filter((name) => name.startsWith('data-'))).toHaveLength(
      language === 'en' ? 0 : 1,
    );
  });

  it('shows texts as text, whatever characters they contain', () => {
    const { root } = open(inLanguage(KEYED, 'en', { ...en, total: '<b>"&$1', 'placeholder.cvc': '"><i>' }));
    expect(root.querySelector('.total-label')?.textContent).toBe('<b>"&$1');
    expect(root.querySelector('#field-cvc')?.getAttribute('placeholder')).toBe('"><i>');
  });

  it.each(['<html lang="en" dir="ltr">', '<p>total</p>'])('cannot be built from %s', (html) => {
    expect(() => inLanguage(html, 'en', en)).toThrow('expected to have');
  });

  it.each([
    ...LANGUAGES,
    ...'de-AT de_CH pt-BR es-419 no nn-NO nb-NO zh-CN zh-TW zh-HK zh-MO zh-Hant-HK'.split(' '),
    ...'zh-Hans-SG yue iw cmn ga en-GB x'.split(' '),
    '',
  ])('chosen by a host for %j is in the language that the form will use, or English', (tag) => {
    const chosen = languageAsked(
      tag,
      (one) => one !== 'en' && LANGUAGES.some((language) => language === one),
    );
    const { language } = negotiate(tag, []);
    if (['iw', 'cmn'].includes(tag))
      expect(chosen).toBeNull(); // outdated codes that only `Intl` knows
    else expect(chosen ?? 'en').toBe(language);
  });
});
