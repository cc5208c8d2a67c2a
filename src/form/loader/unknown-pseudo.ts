/**
 * Finds pseudo-elements that the look can't judge: scripts see neither their boxes nor, in most browsers, their styles.
 * One counts as a cover if a readable style sheet of the page has it for an existing element, and either its name is
 * not on this list, such as one added next year, or its style may paint where hit testing doesn't find it.
 */
import { HAIRLINE } from './readable.ts';
import { viewOf } from './strays.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** Pseudo-elements that the look judges individually (`strays.ts`), and those that paint nothing on the page. */
const JUDGED = /^(before|after|backdrop|view-transition.*)$/;

/** Others that paint no more than their element, which hit testing finds. */
const KNOWN =
  /^(-.+|check\w*|column|cue|details-content|file-selector-button|first-.+|highlight|marker|part|picker.*|placeholder|scroll-.+|selection|slotted|.+-error|.+-text)$/;

/** A rule of any kind: a style rule, a group of rules, or an import. */
type Rule = CSSRule & {
  readonly selectorText?: string;
  readonly style?: CSSStyleDeclaration;
  readonly cssRules?: CSSRuleList;
  readonly styleSheet?: CSSStyleSheet | null;
};

const REACHING = [
  'box-shadow',
  'text-shadow',
  'text-decoration',
  'outline',
  'border-image-outset',
  '-webkit-text-stroke',
  '-webkit-box-reflect',
];

/** CSS pixels per unit. A unit not listed may have any size. */
const UNITS: Readonly<Record<string, number>> = { px: 1, pt: 2, rem: 16, em: 16, '': 1, deg: 0 };

/** A shadow of a control's part that reaches further than this is not decoration, in CSS pixels. */
const FAR = 8 * HAIRLINE;

const isFar = (value: string): boolean =>
  /(var|calc|min|max|clamp|attr|env)\(/.test(value) ||
  [...value.replace(/\([^()]*\)|#\w+/g, '').matchAll(/(?<![\w-])-?([\d.]+)([a-z%]*)/g)].some(
    ([, length, unit = '']) => Number(length) * (UNITS[unit] ?? Number.POSITIVE_INFINITY) > FAR,
  );

/** Returns true if such a style may paint where hit testing of the element doesn't find it. */
const isOutOfReach = (style: CSSStyleDeclaration): boolean =>
  !/^(auto|all|inherit|)$/.test(style.pointerEvents) ||
  style.getPropertyValue('interactivity') !== '' ||
  style.visibility === 'visible' ||
  /url|drop-shadow|var/.test(style.filter) ||
  REACHING.some((name) => isFar(style.getPropertyValue(name)));

/** Returns true if the selector matches an element, ignoring its pseudo-elements. In doubt, true. */
const isUsed = (selector: string, root: ParentNode): boolean => {
  const plain = selector
    .replace(/::[\w-]+(\([^()]*\))?(:[\w-]+)*/g, '')
    .replace(/(^|[\s,>+~(])(?=$|[,)])/g, '$1*');
  try {
    return root.querySelector(plain) !== null;
  } catch {
    return true;
  }
};

/** The selectors of rules with a pseudo-element that can't be judged. */
const selectorsIn = (rules: Iterable<Rule>, outer = ''): readonly string[] =>
  [...rules].flatMap((rule) => {
    const { selectorText = outer, style, cssRules = [], styleSheet } = rule;
    const names = [...selectorText.matchAll(/::([\w-]+)/g)].map(([, name = '']) => name);
    const isUnknown = names.some(
      (name) => !JUDGED.test(name) && !(KNOWN.test(name) && !(style && isOutOfReach(style))),
    );
    return [
      ...(isUnknown ? [selectorText] : []),
      ...selectorsIn(cssRules, selectorText),
      ...(styleSheet ? read(styleSheet) : []),
    ];
  });

/** The selectors of a sheet when it had this many rules. */
const known = new WeakMap<CSSStyleSheet, { readonly count: number; readonly selectors: readonly string[] }>();

const read = (sheet: CSSStyleSheet): readonly string[] => {
  try {
    const { cssRules } = sheet;
    const found = known.get(sheet);
    if (found?.count === cssRules.length) return found.selectors;
    const selectors = selectorsIn(cssRules);
    const isWhole = ![...cssRules].some((rule) => rule instanceof CSSImportRule && !rule.styleSheet);
    if (isWhole) known.set(sheet, { count: cssRules.length, selectors });
    return selectors;
  } catch {
    return []; // cross-origin and unreadable
  }
};

/** Returns true if one is on the page, or in a shadow root of these elements. */
export const hasUnknownPseudo = (all: readonly Element[]): boolean =>
  [unclobberedDocument(), ...all.flatMap((one) => viewOf(one).shadowRoot ?? [])].some((root) =>
    [...root.styleSheets, ...root.adoptedStyleSheets]
      .flatMap(read)
      .some((selector) => isUsed(selector, root)),
  );
