import { describe, expect, it } from 'vitest';
import { documentFile, languageAsked, languageRules, languagesAmong } from './language-documents.ts';

const LANGUAGES = ['ar', 'de', 'nb', 'zh', 'zh-Hant'];

/** Chooses like nginx and Caddy: the last matching rule wins. */
const byRules = (query: string): string | null =>
  languageRules(LANGUAGES).reduce<string | null>((found, { pattern, language }) => {
    const match = new RegExp(pattern).exec(query);
    return match ? (language ?? match[1] ?? null) : found;
  }, null);

describe('the document that a query asks for', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['de_AT', 'de'],
    ['de-AT-u-nu-arab', 'de'],
    ['de&v=1', 'de'],
    ['ar-EG', 'ar'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['nb-NO', 'nb'],
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans-TW', 'zh'],
    ['zh-TW', 'zh-Hant'],
    ['zh_HK', 'zh-Hant'],
    ['zh-Hant-MO', 'zh-Hant'],
    ['yue', 'zh-Hant'],
    ['en-US', null],
    ['fr', null], // there is none
    ['deu', null],
    ['DE', null],
    ['xde', null],
    ['', null],
    ['auto', null],
    ['../de', null],
    ['de/../../secret', 'de'],
    ['toString', null],
  ])('%j is %j, for JavaScript and for servers', (query, language) => {
    expect(languageAsked(query, (one) => LANGUAGES.includes(one))).toBe(language);
    expect(byRules(query)).toBe(language);
  });

  it('needs no expression that Go lacks, and no brace, which Caddy would take for a placeholder', () => {
    for (const { pattern } of languageRules(LANGUAGES)) expect(pattern).not.toMatch(/\(\?[=!<]|[{}"\\ ]/);
  });

  it('has no rule for a language without a document', () => {
    expect(languageRules(['de']).map(({ pattern }) => pattern)).toEqual(['^(de)(?:[^A-Za-z]|$)']);
  });

  it('is found only among the addresses of its release', () => {
    const folder = '/partner/v1/card-form/1.0.0-a/';
    const files = ['frame.html', documentFile('de'), documentFile('zh-Hant'), 'frame.js', 'assets/de.js'];
    expect(
      languagesAmong([...files.map((file) => folder + file), '/other/frame.fr.html'], '1.0.0-a'),
    ).toEqual(['de', 'zh-Hant']);
  });
});
