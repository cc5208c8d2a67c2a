/**
 * Copies the page's style sheets into one whose states can be switched: each pseudo-class of a state becomes an
 * attribute of the same specificity. The browser handles everything else: `@media`, `@supports`, `@layer`, nesting,
 * custom properties.
 */

import { unclobbered } from '../unclobbered.ts';
import { unclobberedDocument } from '../unclobbered-document.ts';
import { findMarks } from './state-names.ts';

/** The attribute that lists the states of a copied element. No page uses it. */
export const STATES = 'card-form-states';

/** Replaces `:root` for the copy of the root element. */
export const COPY_ROOT = 'card-form-root';

/** Replaces `:host` for the copies of elements with a shadow root. */
export const COPY_HOST = 'card-form-host';

const PSEUDO = /(?<!\\):(hover|focus-visible|focus-within|focus|active|user-invalid|invalid)(?![\w-])/g;

/** Returns true if this position is part of a pseudo-element's selector; pseudo-elements have no attributes. */
const isOfPseudoElement = (text: string, at: number): boolean => {
  let depth = 0;
  for (let place = at - 1; place >= 0; place -= 1) {
    const letter = text[place] ?? '';
    if (letter === ')') depth += 1;
    else if (letter === '(') depth -= 1;
    if (depth < 0) return false; // within `:is()`, which ignores invalid selectors
    if (depth === 0 && /[\s,{}>+~]/.test(letter)) return false;
    if (depth === 0 && letter === ':' && text[place - 1] === ':') return true;
  }
  return false;
};

export type Sheets = {
  /** All readable rules. */
  sheet: CSSStyleSheet;
  /** The marks that scripts may set for states, found in the sheet's selectors. */
  candidates: ReturnType<typeof findMarks>;
  /** The number of unreadable sheets, which are cross-origin. */
  unread: number;
};

/** Wraps `text` in a rule of this kind, if it has a condition. */
const within = (rule: string, condition: string | null | undefined, text: string): string =>
  condition === undefined || condition === null || condition === '' ? text : `@${rule} ${condition}{${text}}`;

/** Returns true for rules without use here: nothing is drawn, and font and animation names are document-wide. */
const isNeedless = (rule: CSSRule): boolean =>
  rule instanceof CSSFontFaceRule || rule instanceof CSSKeyframesRule || rule instanceof CSSNamespaceRule;

/** The result for the latest rules, since every change in the page reads them again. */
let latest: { text: string; sheet: CSSStyleSheet; candidates: Sheets['candidates'] } | undefined;

/** The rules of all style sheets of these documents and shadow roots, in order. */
export const readSheets = (roots: readonly (Document | ShadowRoot)[]): Sheets => {
  let unread = 0;
  const textOf = (sheet: CSSStyleSheet): string => {
    if (sheet.disabled) return '';
    let rules: CSSRuleList;
    try {
      rules = sheet.cssRules;
    } catch {
      unread += 1;
      return '';
    }
    const texts = [...rules].map((rule) => {
      if (isNeedless(rule)) return '';
      if (!(rule instanceof CSSImportRule)) return rule.cssText;
      const condition = rule.supportsText && `(${rule.supportsText})`; // imports may omit the parentheses
      const imported = within('supports', condition, rule.styleSheet ? textOf(rule.styleSheet) : '');
      return rule.layerName === null || rule.layerName === undefined
        ? imported
        : `@layer ${rule.layerName}{${imported}}`;
    });
    return within('media', sheet.media.mediaText, texts.join('\n'));
  };
  const texts = roots.map((root) => {
    const { styleSheets, adoptedStyleSheets } = root === document ? unclobberedDocument() : root;
    return [...styleSheets, ...adoptedStyleSheets].map(textOf).join('\n');
  });
  const text = texts
    .join('\n')
    .replace(PSEUDO, (found, state: string, at: number, whole: string) =>
      isOfPseudoElement(whole, at) ? found : `[${STATES}~="${state.replace('user-', '')}"]`,
    )
    .replace(/:root(?![\w-])/g, `[${COPY_ROOT}]`)
    .replace(/:host\(([^()\s,]+)\)/g, `$1[${COPY_HOST}]`) // so that state-names.ts finds classes and attributes
    .replace(/:host\(/g, `[${COPY_HOST}]:is(`)
    .replace(/:host(?![\w-])/g, `[${COPY_HOST}]`);
  if (text !== latest?.text) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    latest = { text, sheet, candidates: findMarks(text) };
  }
  return { sheet: latest.sheet, candidates: latest.candidates, unread };
};

/** The document and the shadow roots around an element. */
export const rootsAround = (element: Element): readonly (Document | ShadowRoot)[] => {
  const root = unclobbered(element).getRootNode();
  if (root instanceof ShadowRoot) return [...rootsAround(root.host), root];
  return [document];
};
