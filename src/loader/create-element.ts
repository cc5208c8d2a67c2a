import { unclobberedDocument } from './unclobbered-document.ts';

/** An element with the given properties: no attribute a page's policy could forbid, no markup to parse. */
export const createElement = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>>,
): HTMLElementTagNameMap[Tag] => Object.assign(unclobberedDocument.createElement(tag), properties);
