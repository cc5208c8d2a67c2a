/**
 * Copies the page's style sheets into one whose states can be switched: each pseudo-class of a state becomes an attribute of the same
 * specificity. Everything else is left to the browser: `@media`, `@supports`, `@layer`, nesting, custom properties.
 */

import { unclobbered } from '../unclobbered.ts';
import { unclobberedDocument } from '../unclobbered-document.ts';
import { findMarks } from './state-names.ts';

/** Lists the states that a copied element is in. No page has it. */
export const STATES = 'card-form-states';

/** What the copy of the root element has in place of `:root`. */
export const COPY_ROOT = 'card-form-root';

const PSEUDO = /(?<!\\):(hover|focus-visible|focus-within|focus|active|user-invalid|invalid)(?![\w-])/g;

/** Whether what stands here is said of a pseudo-element, which has no attributes. */
const isOfPseudoElement = (text: string, at: number): boolean => {
  let depth = 0;
  for (let place = at - 1; place >= 0; place -= 1) {
    const letter = text[place] ?? '';
    if (letter === ')') depth += 1;
    else if (letter === '(') depth -= 1;
    if (depth < 0) return false; // within `:is()`, which forgives
    if (depth === 0 && /[\s,{}>+~]/.test(letter)) return false;
    if (depth === 0 && letter === ':' && text[place - 1] === ':') return true;
  }
  return false;
};

export type Sheets = {
  /** All rules that could be read. */
  sheet: CSSStyleSheet;
  /** What scripts set for states, as its selectors name it. */
  candidates: ReturnType<typeof findMarks>;
  /** How many sheets could not be read, being of another origin. */
  unread: number;
};

/** `text` within a rule of this kind, if it has a condition. */
const within = (rule: string, condition: string | null | undefined, text: string): string =>
  condition === undefined || condition === null || condition === '' ? text : `@${rule} ${condition}{${text}}`;

/** Needless here: nothing is drawn, and names of fonts and animations belong to the whole document. */
const isNeedless = (rule: CSSRule): boolean =>
  rule instanceof CSSFontFaceRule || rule instanceof CSSKeyframesRule || rule instanceof CSSNamespaceRule;

/** What was made of the rules as they were last: a page reads them each time that something changes in it. */
let latest: { text: string; sheet: CSSStyleSheet; candidates: Sheets['candidates'] } | undefined;

/** The rules of all style sheets of these documents and shadow roots, in their order. */
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
      const condition = rule.supportsText && `(${rule.supportsText})`; // a declaration may stand without in an import
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
    .replace(/:host(?![\w-])/g, ':where(*)');
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
