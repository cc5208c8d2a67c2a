import { unclobberedDocument } from './unclobbered-document.ts';

/** Creates an element and sets properties rather than attributes, which a page's Content-Security-Policy could block. */
export const createElement = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>>,
): HTMLElementTagNameMap[Tag] => Object.assign(unclobberedDocument().createElement(tag), properties);
