/**
 * Judges the effect of styles on the form. A list of harmful styles can never be complete, since browsers add new ones
 * every month. So computed styles are compared with those of a bare element, and **every difference counts that is not
 * known to be harmless**: for elements that the form is drawn through (`isReadable`) and for elements over it
 * (`inkOf`).
 *
 * Elements of the page may be forms, whose fields can hide the properties that are read here, hence `unclobbered`.
 */
import { unclobberedDocument } from './unclobbered-document.ts';

/** Minimum share of the contrast, and minimum scale, at which the form is readable. */
export const READABLE = 0.5;

/** Maximum share of the amount that all covers together may hide, such as grain. */
export const FAINT = 0.2;

/** Thinner lines hide no digit, in CSS pixels. */
export const HAIRLINE = 5;

const names = (list: string) => new RegExp(`^(-(webkit|moz)-)?(${list})(-|$)`);

/**
 * Properties of layout or text; a trailing hyphen matches any suffix. Clipping by a box or clip path is found there.
 */
const LAYOUT = names(
  'align|alignment|anchor|animation|app|aspect|backface|background-(?!color|image)\\w+|baseline|block|border-(?!.*(width|shape)|image-source).+|bottom|box-(?!reflect|shadow)\\w+|break|buffered|caption|caret|clear|clip-path|column(?!-rule-style)|color|counter|cursor|direction|display|dominant|dynamic|empty|field|fill|flex|float|flood|font|forced|grid|height|hyphen\\w*|image|inline|inset|interest|interpolate|justify|left|letter|lighting|line-(break|height)|list|locale|margin|marker|math|max|min|object-(fit|position)|offset-(?!path)\\w+|order|orphans|osx|outline-(color|width)|overflow|overlay|overscroll|padding|page|paint|perspective-\\w+|pointer|position-(anchor|area|try)|position$|print|quotes|reading|right|row(?!-rule-style)|rtl|ruby|rule|scroll-(?!marker)\\w+|scrollbar|shape|speak|stop|stroke|tab|table|tap|text-(?!decoration-line|emphasis-style|security)\\w+|timeline|top|touch|transform-\\w+|transition|trigger|unicode|user|vertical|view-timeline|white|widows|width|window|word|writing|z-index',
);

/** Properties whose only effect is that the content is drawn as a whole. */
const APART = 'contain|container|isolation|perspective$|view-transition|will';

/** Properties that paint behind the content. */
const BEHIND =
  'accent|appearance|backdrop|background|border-(?!shape)\\w+|box-shadow|content$|column|outline-style|resize|row|text';
const PAINTED = names(BEHIND);
const HARMLESS_AROUND = names(`${BEHIND}|${APART}`);

/** Properties that only move what is painted, or take some of it away. */
const TAKEN = names(
  `${APART}|clip|content-visibility|corner.*|interactivity|mask|mix|offset|opacity|outline-offset|rotate|scale|transform|translate|visibility|zoom|box-reflect`,
);

/** The share of contrast or size that a value leaves to content drawn through it; `NaN` if unknown. */
const LEFT: Readonly<Record<string, (value: string, style: CSSStyleDeclaration) => number>> = {
  opacity: Number,
  zoom: Number,
  filter: (value) => {
    let left = 1;
    const rest = value.replace(/([a-z-]{1,20})\(((?:[^()]|\([^()]*\))*)\)/g, (_, name, given) => {
      left *= leftBy(name, given);
      return '';
    });
    return rest.trim() === '' ? left : Number.NaN;
  },
  transform: (value) => {
    const { a, b, c, d, is2D } = new DOMMatrix(value);
    // The smallest singular value: the scale in the most squeezed direction, whatever the rotation.
    const [sum, area] = [a * a + b * b + c * c + d * d, a * d - b * c];
    return is2D && area > 0
      ? Math.sqrt((sum - Math.sqrt(Math.max(0, sum * sum - 4 * area * area))) / 2)
      : Number.NaN;
  },
  scale: (value) => Math.min(...value.split(' ').map(Number)),
  rotate: (value) => (/^-?[\d.]+deg$/.test(value) ? 1 : Number.NaN),
  translate: (value) => (/^\S+( \S+)?$/.test(value) ? 1 : Number.NaN),
  'content-visibility': (value) => (value === 'auto' ? 1 : Number.NaN),
  // An inward outline is painted over the content up to its offset.
  'outline-offset': (value, { outlineStyle }) =>
    outlineStyle === 'none' || Number.parseFloat(value) > -HAIRLINE ? 1 : Number.NaN,
};

/** Corner shapes that keep more of the corner than a round one. */
const ROUND = /^(squircle|square|superellipse\(([1-9][\d.]*|infinity)\))$/;

/** The share of the contrast that a filter function leaves. */
const leftBy = (name: string, given: string): number => {
  const value = Number.parseFloat(given);
  if (name === 'brightness' && value > 1.2) return Number.NaN; // light on light
  if (/^(opacity|contrast|brightness)$/.test(name)) return Math.min(value, 1 / value);
  if (/^(grayscale|saturate|sepia)$/.test(name)) return value <= 2 ? 1 : Number.NaN;
  if (name === 'hue-rotate') return 1;
  if (name === 'invert') return Math.abs(1 - 2 * value);
  if (name === 'blur') return Math.min(1, 1 / value); // in CSS pixels
  return name === 'drop-shadow' ? 1 - alphaOf(given) : Number.NaN;
};

/** How much a colour hides of what is below it: the maximum of all colours in the value. */
export const alphaOf = (value: string): number =>
  Math.max(
    ...(value.match(/[a-z-]{1,20}\([^()]*\)/g) ?? [value]).map((colour) =>
      Number(/(?:rgba\(.*,|\/) *([\d.e-]+)\)/.exec(colour)?.[1] ?? 1),
    ),
  );

/** Returns true if the box has a background colour, however faint. */
export const paintsColour = ({ backgroundColor }: CSSStyleDeclaration): boolean =>
  alphaOf(backgroundColor) > 0;

/** All lengths in a value, as absolute CSS pixels. */
export const lengthsIn = (value: string): readonly number[] =>
  value
    .split(/[ ,()]/)
    .filter((part) => part.endsWith('px'))
    .map((part) => Math.abs(Number.parseFloat(part)));

/** Returns true if these lengths, drawn at this scale, amount to no more than hairlines. */
const isThin = (value: string, scale: number): boolean =>
  lengthsIn(value).every((length) => length * scale < HAIRLINE);

type InkOf = (value: string, style: CSSStyleDeclaration, scale: number) => number;

/** How much a value hides of what is below the box, from 0 to 1. Properties not listed hide everything. */
const INK: Readonly<Record<string, InkOf>> = {
  'background-color': alphaOf,
  // For gradients the colours decide.
  'background-image': (value) => (/url|image|element|paint|cross/.test(value) ? 1 : alphaOf(value)),
  'border-width': (value, _, scale) => (isThin(value, scale) ? 0 : 1), // matches physical and logical names
  'box-shadow': (value, _, scale) => (isThin(value, scale) ? 0 : alphaOf(value)),
  content: (value) => (/^(""|none|normal)( \/ .*)?$/.test(value) ? 0 : 1),
  'outline-style': (_, { outlineWidth }, scale) => (isThin(outlineWidth, scale) ? 0 : 1),
};

/** The computed values of an element that no style of the page reaches. */
let bare: readonly (readonly [name: string, value: string])[] = [];

/**
 * Reads them once, from an element within this iframe, where nothing is drawn. Must be called before everything else
 * here: without these values there are no differences.
 */
export const readBare = (iframe: Element): void => {
  if (bare.length > 0) return;
  const host = unclobberedDocument().createElement('div');
  const element = unclobberedDocument().createElement('div');
  element.style.all = 'initial';
  host.attachShadow({ mode: 'closed' }).append(element);
  iframe.append(host);
  const style = getComputedStyle(element);
  bare = [...style]
    .filter((name) => !name.startsWith('--') && !LAYOUT.test(name))
    .map((name) => [name, style.getPropertyValue(name)] as const);
  host.remove();
  if (bare.length === 0) throw new Error('This browser returns no computed styles here.');
};

/** The values that differ from a bare element's, except for properties matched by `harmless`. */
const differences = (style: CSSStyleDeclaration, harmless: RegExp) =>
  bare.flatMap(([name, usual]) => {
    const value = harmless.test(name) ? usual : style.getPropertyValue(name);
    return value === usual || value === '' ? [] : [[name, value] as const];
  });

/** Returns true if the box's content is drawn as a whole, as a stacking context. */
export const isDrawnApart = (style: CSSStyleDeclaration): boolean =>
  differences(style, PAINTED).some(([name]) => name !== 'outline-offset');

/** Returns true if the iframe can be read through the styles of all these elements that it is drawn through. */
export const isReadable = (iframe: HTMLElement, through: readonly Element[]): boolean => {
  let [clear, scale] = [1, 1];
  for (const one of through) {
    const styles = [getComputedStyle(one)];
    if (one instanceof HTMLDetailsElement) styles.push(getComputedStyle(one, '::details-content'));
    for (const style of styles) {
      for (const [name, value] of differences(style, HARMLESS_AROUND)) {
        if (/^corner-.*shape$/.test(name) && ROUND.test(value)) continue;
        const left = LEFT[name]?.(value, style) ?? Number.NaN;
        if (/^(opacity|filter)$/.test(name)) clear *= left;
        else scale *= left;
      }
    }
  }
  // An SVG around it may scale it without a style.
  const { width, height } = iframe.getBoundingClientRect();
  const shown = Math.min(scale, width / iframe.offsetWidth, height / iframe.offsetHeight);
  return clear * Math.min(1, shown) >= READABLE;
};

/** Returns true if a box of this style has a marker, like list items. */
export const isMarked = ({ display, listStyleType, listStyleImage }: CSSStyleDeclaration): boolean =>
  display.includes('list-item') && `${listStyleType}${listStyleImage}` !== 'nonenone';

/** How much a box of this style hides of what is below it, from 0 to 1, drawn at `scale`. */
export const inkOf = (style: CSSStyleDeclaration, scale = 1): number =>
  Number(style.opacity) *
  Math.max(
    isMarked(style) ? 1 : 0,
    ...differences(style, TAKEN).map(([name, value]) => {
      const known = INK[name.replace(/^border-.*-width$/, 'border-width')];
      return known ? known(value, style, scale) : 1;
    }),
  );
