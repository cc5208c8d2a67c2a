/**
 * The frame's document in each language. The query of the frame's address is a language tag, and a host that knows
 * these rules answers with the document in that language. Any other query, and any other host, gets the English one,
 * which then loads its language's texts. So the rules need only be right for tags that browsers and pages use.
 *
 * Written as expressions for JavaScript, PCRE (nginx) and RE2 (Caddy).
 */
import { STATIC_ROUTES } from '../routes.ts';

/** The English document, at the frame's address without a query. */
export const FRAME_FILE = 'frame.html';

/** File name of the document in a language, beside the English one. */
export const documentFile = (language: string): string => `frame.${language}.html`;

/** Pattern of their names in `headers.json`. */
export const DOCUMENT_FILES = documentFile('*');

/** The path of the document in a requested language, whose name a variable of the server has after a dot. */
export const pathInLanguage = (path: string, languages: readonly string[], variable: string): string =>
  languages.length > 0 ? path.replace(/\.html$/, `${variable}.html`) : path;

/** Tags that get the document of a language with a different name. */
const OTHER_TAGS: Readonly<Record<string, string>> = {
  nb: 'no|nn',
  'zh-Hant': 'zh[-_](?:Hant|TW|HK|MO)|yue',
};

/** Maps queries to languages; the last match wins. */
export type LanguageRule = {
  /** A regular expression. Its first group is the language if the rule names none. */
  pattern: string;
  language: string | null;
};

/** The rules for documents in these languages. */
export const languageRules = (languages: readonly string[]): readonly LanguageRule[] => [
  {
    pattern: tagged(`(${languages.filter((language) => /^[a-z]+$/.test(language)).join('|')})`),
    language: null,
  },
  ...Object.entries(OTHER_TAGS)
    .filter(([language]) => languages.includes(language))
    .map(([language, tags]) => ({ pattern: tagged(`(?:${tags})`), language })),
];

const tagged = (tags: string): string => `^${tags}(?:[^A-Za-z]|$)`;

/** The document language that this query (`de-AT`) selects, by the same rules; null for English. */
export const languageAsked = (query: string, hasDocument: (language: string) => boolean): string | null => {
  const asks = (tags: string) => new RegExp(tagged(tags)).exec(query);
  const [other] = Object.entries(OTHER_TAGS).find(([, tags]) => asks(`(?:${tags})`)) ?? [];
  const language = [other, asks('([a-z]+)')?.[1]].find((one) => one !== undefined && hasDocument(one));
  return language ?? null;
};

/** Languages that have a document among these addresses of a release, in their order. */
export const languagesAmong = (addresses: readonly string[], release: string): readonly string[] => {
  const [before = '', after = ''] = DOCUMENT_FILES.split('*');
  const start = STATIC_ROUTES.release(release) + before;
  return addresses
    .filter(
      (address) =>
        address.startsWith(start) && address.endsWith(after) && address.length > start.length + after.length,
    )
    .map((address) => address.slice(start.length, -after.length));
};
