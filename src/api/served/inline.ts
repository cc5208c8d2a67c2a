import { createHash } from 'node:crypto';

/** Hashes (`sha256-…`) of a document's inline scripts and styles, as listed in a Content-Security-Policy. */
export type InlineHashes = { scripts: readonly string[]; styles: readonly string[] };

const SCRIPTS = /<script\b(?<attributes>[^>]*)>(?<text>[\s\S]*?)<\/script\s*>/gi;
const STYLES = /<style\b(?<attributes>[^>]*)>(?<text>[\s\S]*?)<\/style\s*>/gi;

/** Hashes the inline scripts and styles of a document from our build. Not a parser for arbitrary HTML. */
export const inlineHashes = (html: string): InlineHashes => ({
  scripts: hashesIn(html, SCRIPTS),
  styles: hashesIn(html, STYLES),
});

const hashesIn = (html: string, elements: RegExp): readonly string[] =>
  Array.from(html.matchAll(elements), ({ groups }) => groups ?? {})
    .filter(({ attributes = '' }) => !/\ssrc\s*=/i.test(attributes))
    .map(({ text = '' }) => integrityOf(text.replace(/\r\n?/g, '\n'), 'sha256')); // HTML parsers normalise line breaks

/** A hash in the format of `integrity` attributes and policies. */
export const integrityOf = (content: string | Buffer, algorithm: 'sha256' | 'sha384' = 'sha384'): string =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
