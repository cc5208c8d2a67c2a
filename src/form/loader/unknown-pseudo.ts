/**
 * Pseudo-elements that the look cannot judge: scripts see neither their boxes nor, in most browsers, their styles. One
 * counts as a cover if a style sheet of the page that can be read has it, for an element that there is, and its name is
 * not on this list, as next year's may not be, or its style may paint where pointing does not find it.
 */
import { HAIRLINE } from './readable.ts';
import { viewOf } from './strays.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** Those that the look judges by themselves (`strays.ts`), and those that paint nothing that is on the page. */
const JUDGED = /^(before|after|backdrop|view-transition.*)$/;

/** Others that paint no more than the element that they are in, which is found by pointing at it. */
const KNOWN =
  /^(-.+|check\w*|column|cue|details-content|file-selector-button|first-.+|highlight|marker|part|picker.*|placeholder|scroll-.+|selection|slotted|.+-error|.+-text)$/;

/** A rule of any kind: of styles, a group of others, or an import. */
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

/** How many CSS pixels a unit has. What is not here may have any. */
const UNITS: Readonly<Record<string, number>> = { px: 1, pt: 2, rem: 16, em: 16, '': 1, deg: 0 };

/** A shadow of a control's part that reaches further is no decoration, in CSS pixels. */
const FAR = 8 * HAIRLINE;

const isFar = (value: string): boolean =>
  /(var|calc|min|max|clamp|attr|env)\(/.test(value) ||
  [...value.replace(/\([^()]*\)|#\w+/g, '').matchAll(/(?<![\w-])-?([\d.]+)([a-z%]*)/g)].some(
    ([, length, unit = '']) => Number(length) * (UNITS[unit] ?? Number.POSITIVE_INFINITY) > FAR,
  );

/** Whether such a style may paint where pointing at the element does not find it. */
const isOutOfReach = (style: CSSStyleDeclaration): boolean =>
  !/^(auto|all|inherit|)$/.test(style.pointerEvents) ||
  style.getPropertyValue('interactivity') !== '' ||
  style.visibility === 'visible' ||
  /url|drop-shadow|var/.test(style.filter) ||
  REACHING.some((name) => isFar(style.getPropertyValue(name)));

/** Whether there is an element for such a selector, whatever its pseudo-elements. In doubt there is. */
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

/** The selectors of such rules. */
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

/** What a sheet had when it had so many rules. */
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
    return []; // of another origin: nobody can read it
  }
};

/** Whether one is on the page, or in a shadow root of these elements. */
export const hasUnknownPseudo = (all: readonly Element[]): boolean =>
  [unclobberedDocument(), ...all.flatMap((one) => viewOf(one).shadowRoot ?? [])].some((root) =>
    [...root.styleSheets, ...root.adoptedStyleSheets]
      .flatMap(read)
      .some((selector) => isUsed(selector, root)),
  );
