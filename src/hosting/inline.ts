import { createHash } from 'node:crypto';

/** Hashes as a policy names them (`sha256-…`), of what stands in a document itself. */
export type InlineHashes = { scripts: readonly string[]; styles: readonly string[] };

const SCRIPTS = /<script\b(?<attributes>[^>]*)>(?<text>[\s\S]*?)<\/script\s*>/gi;
const STYLES = /<style\b(?<attributes>[^>]*)>(?<text>[\s\S]*?)<\/style\s*>/gi;

/** Hashes every script and style that stands in this document of our own making. */
export const inlineHashes = (html: string): InlineHashes => ({
  scripts: hashesIn(html, SCRIPTS),
  styles: hashesIn(html, STYLES),
});

const hashesIn = (html: string, elements: RegExp): readonly string[] =>
  Array.from(html.matchAll(elements), ({ groups }) => groups ?? {})
    .filter(({ attributes = '' }) => !/\ssrc\s*=/i.test(attributes))
    .map(({ text = '' }) => integrityOf(text.replace(/\r\n?/g, '\n'), 'sha256')); // as a parser reads it

/** A hash as `integrity` attributes and policies write it. */
export const integrityOf = (content: string | Buffer, algorithm: 'sha256' | 'sha384' = 'sha384'): string =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
