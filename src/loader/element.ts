import { theDocument } from './the-document.ts';

/** An element with the given properties: no attribute a page's policy could forbid, no markup to parse. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>>,
): HTMLElementTagNameMap[Tag] => Object.assign(theDocument.createElement(tag), properties);
