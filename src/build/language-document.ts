/** The frame's document in each language. All share the same scripts and styles, and therefore the same headers. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentFile, FRAME_FILE } from '../api/served/language-documents.ts';
import { catalogOf } from '../form/i18n/catalogs.ts';
import { type Catalog, en, type MessageKey } from '../form/i18n/en.ts';
import { hashAttribute, LANGUAGES, type Language } from '../form/i18n/languages.ts';
import { direction } from '../form/i18n/locale.ts';
import { integrityPlaceholder } from './integrity.ts';

/** Scripts and styles, which stay unchanged. */
const CODE = /(<(script|style)\b[\s\S]*?<\/\2>)/;

/** A text's key in the document: an element's entire text, or a placeholder. A text may begin with a space. */
const KEYS = /(>\s?|\splaceholder=")([a-z0-9_.]+)(?=[<"])/g;

const isKey = (text: string): text is MessageKey => Object.hasOwn(en, text);

/**
 * The document in a language. `html` is the prerendered document, which has keys instead of texts. Throws if its root
 * has no language, or no text is found.
 */
export const inLanguage = (html: string, language: Language, catalog: Catalog): string => {
  let count = 0;
  const written = html
    .split(CODE)
    .filter((_, index) => index % 3 !== 2) // the element's name
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(KEYS, (whole, before: string, key: string) => {
            if (!isKey(key)) return whole;
            count += 1;
            return before + escaped(catalog[key]);
          }),
    )
    .join('');
  const root = /<html lang="[^"]*" dir="[^"]*">/;
  if (!root.test(written) || count === 0)
    throw new Error("The frame's document was expected to have a language and the keys of its texts.");
  const hash = language === 'en' ? '' : ` ${hashAttribute(language)}="${catalogPlaceholder(language)}"`;
  return written.replace(root, `<html lang="${language}" dir="${direction(language)}"${hash}>`);
};

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** File with a language's catalog, whose hash is in its documents and in the scripts. */
const catalogFile = (language: Language): string => `assets/${language}.json`;

const catalogPlaceholder = (language: Language): string => integrityPlaceholder(catalogFile(language));

/** Placeholders for the hashes of all catalogs, in the order of `LANGUAGES`; empty for English. */
export const CATALOG_PLACEHOLDERS: string = LANGUAGES.map((language) =>
  language === 'en' ? '' : catalogPlaceholder(language),
).join(' ');

/** Writes each language's document and catalog into this folder; the English document replaces the existing one. */
export const writeLanguages = async (folder: string): Promise<void> => {
  const html = await readFile(join(folder, FRAME_FILE), 'utf8');
  for (const language of LANGUAGES) {
    const catalog = await catalogOf(language);
    const file = language === 'en' ? FRAME_FILE : documentFile(language);
    await writeFile(join(folder, file), inLanguage(html, language, catalog));
    if (language !== 'en') await writeFile(join(folder, catalogFile(language)), JSON.stringify(catalog));
  }
};
