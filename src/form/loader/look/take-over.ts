/**
 * Reads the look of a field, a button and a label of the page for `appearance.from`, and expresses it as values of
 * `variables` and `rules`. The frame parses them like given ones, so that all ranges and guarantees apply.
 */
import { DEEPEST, FARTHEST, MOST_SHADOWS, RULE_RANGES, roundLength } from '../../channel/rule-ranges.ts';
import { unclobbered } from '../unclobbered.ts';
import { unclobberedDocument } from '../unclobbered-document.ts';
import { type BoxShadow, type Rgba, readColour, type ToSrgb, writeRgba } from './css-values.ts';
import { fills, PAINTED, type Paint, readCorners, readPaint } from './read-box.ts';
import { readSheets, rootsAround, type Sheets } from './sheets.ts';
import { createStage } from './stage.ts';
import type { LookState } from './state-names.ts';
import { createToSrgb } from './to-srgb.ts';

/** The path of a value, such as `rules.field:hover.backgroundColor`, and the value. */
export type Pair = readonly [path: string, value: string];

const NAMES = ['field', 'button', 'label'] as const;
type Name = (typeof NAMES)[number];

/** The line height of a label, in em. */
const LABEL_LINE = 1.25;

const number = (text: string): number => Number.parseFloat(text) || 0;

const clamp = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, value));

const px = (value: number): string => `${roundLength(value)}px`;

/** The element that a page names, or the reason why there is none. */
const find = (given: unknown, iframe: Element): Element | string => {
  if (given instanceof Element) return given.isConnected ? given : 'detached';
  if (typeof given !== 'string') return 'type';
  try {
    const root = iframe.getRootNode();
    const found = root instanceof ShadowRoot ? root.querySelector(given) : null;
    return found ?? unclobberedDocument().querySelector(given) ?? `missing ${given}`;
  } catch {
    return `selector ${given}`;
  }
};

/** The field within a wrapper, or the element itself. */
const controlOf = (element: Element): Element =>
  element.matches('input,select,textarea')
    ? element
    : (element.querySelector('input:not([type=hidden]),select,textarea,[contenteditable]') ?? element);

/** The innermost element that contains the whole text. */
const textOwner = (element: Element): Element => {
  const text = element.textContent?.trim();
  const inner = [...element.children].find((child) => text && child.textContent?.trim() === text);
  return inner ? textOwner(inner) : element;
};

const isRendered = (element: Element): boolean => element.getClientRects().length > 0;

/** The height of the border box, in px of its own zoom. Undefined if it is not rendered. */
const heightOf = (element: Element): number | undefined => {
  const style = getComputedStyle(element);
  if (!isRendered(element)) return;
  if (!style.height.endsWith('px')) return element.getBoundingClientRect().height;
  const around = ['padding-top', 'padding-bottom', 'border-top-width', 'border-bottom-width'];
  const more = style.boxSizing === 'border-box' ? [] : around;
  return more.reduce((sum, name) => sum + number(style.getPropertyValue(name)), number(style.height));
};

/** The factor by which the page enlarges pixels here. */
const zoomOf = (element: Element): number => {
  const width = element instanceof HTMLElement ? element.offsetWidth : 0;
  return width > 0 ? element.getBoundingClientRect().width / width : 1;
};

/** Limits how far a shadow reaches. All lengths are rounded first, since the frame adds rounded ones. */
const fit = (shadow: BoxShadow): readonly BoxShadow[] => {
  const most = shadow.isInset ? DEEPEST : FARTHEST;
  const [x, y] = [roundLength(shadow.x), roundLength(shadow.y)];
  const far = Math.max(Math.abs(x), Math.abs(y));
  if (far > most) return [];
  const spread = roundLength(Math.min(shadow.spread, most - far));
  const blur = Math.min(shadow.blur, most - far - Math.max(spread, 0));
  return [{ ...shadow, x, y, spread, blur: roundLength(blur) }];
};

const writeShadows = (shadows: readonly BoxShadow[]): string =>
  shadows
    .flatMap(fit)
    .slice(0, MOST_SHADOWS)
    .map(({ x, y, blur, spread, colour, isInset }) =>
      [isInset ? 'inset' : '', ...[x, y, blur, spread].map(px), writeRgba(colour)].filter(Boolean).join(' '),
    )
    .join(', ') || 'none';

/** A ring of one colour around or within a box. */
const ring = (spread: number, colour: Rgba, isInset: boolean): BoxShadow => ({
  x: 0,
  y: 0,
  blur: 0,
  spread,
  colour,
  isInset,
});

/** The part of a border that is wider than at rest, drawn within the box, so that nothing moves. */
const widened = (from: readonly number[], { widths, border }: Paint): readonly BoxShadow[] => {
  const more = widths.map((width, side) => Math.max(0, width - (from[side] ?? 0)));
  const [top = 0, right = 0, bottom = 0, left = 0] = more;
  if (more.every((one) => one === top)) return top > 0 ? [ring(top, border, true)] : [];
  const places = [
    [0, top],
    [-right, 0],
    [0, -bottom],
    [left, 0],
  ] as const;
  return places.flatMap(([x, y]) => (x || y ? [{ ...ring(0, border, true), x, y }] : []));
};

const typography = (element: Element) => {
  const { fontSize, fontWeight, letterSpacing, textTransform } = getComputedStyle(element);
  const spacing = number(letterSpacing) / (number(fontSize) || 16);
  return {
    fontSize: px(clamp(number(fontSize), RULE_RANGES.fontSize)),
    fontWeight: `${clamp(number(fontWeight), RULE_RANGES.fontWeight)}`,
    letterSpacing: `${Math.round(clamp(spacing, RULE_RANGES.letterSpacing) * 1000) / 1000}em`,
    ...(/^(none|uppercase|lowercase|capitalize)$/.test(textTransform) ? { textTransform } : {}),
  };
};

const fontFamilyOf = (element: Element): string => {
  const families = getComputedStyle(element).fontFamily.split(',');
  while (families.join().length > 290) families.pop();
  return families.join();
};

/** The painting of a box in a state, as properties of a rule. `widths`: those of its border at rest. */
const ruleOf = (paint: Paint, widths: readonly number[]): Record<string, string> => {
  const { background, border, outline } = paint;
  const hasLine = Math.max(...paint.widths) > 0 && border[3] > 0;
  const line = hasLine ? border : background;
  const shadows = [...widened(widths, paint), ...paint.shadows];
  const isApart = outline !== null && outline.offset >= 0 && outline.width >= 2;
  let covered: Rgba | undefined;
  if (outline && !isApart) {
    const outer = outline.width + Math.min(outline.offset, 0);
    const inner = outline.width - Math.max(outer, 0) - Math.max(...widths);
    if (outer > 0) shadows.unshift(ring(outer, outline.colour, false));
    if (inner > 0) shadows.unshift(ring(inner, outline.colour, true));
    if (outline.offset <= -Math.max(...widths)) covered = outline.colour;
  }
  return {
    backgroundColor: writeRgba(background),
    color: writeRgba(paint.color),
    borderColor: writeRgba(covered ?? line),
    boxShadow: writeShadows(shadows),
    ...(isApart
      ? {
          outlineColor: writeRgba(outline.colour),
          outlineWidth: px(clamp(outline.width, RULE_RANGES.outlineWidth)),
          outlineOffset: px(clamp(outline.offset, RULE_RANGES.outlineOffset)),
        }
      : {}),
  };
};

type Take = { add(path: string, value: string): void; sheets: Sheets; iframe: Element; toSrgb: ToSrgb };

/** The widths of a border within the form's range. */
const widthsOf = ({ widths }: Paint): readonly number[] =>
  widths.map((width) => clamp(width, RULE_RANGES.borderWidth));

/** Takes over the painting of a box at rest and in its states. */
const takePaint = (
  name: 'field' | 'button',
  box: Element,
  control: Element,
  states: readonly LookState[],
  { add, sheets, iframe, toSrgb }: Take,
): { paint: Paint; widths: readonly number[]; invalid?: Paint | undefined } | null => {
  const stage = createStage(iframe, box, name === 'button' ? box : control, sheets);
  const boxes = [box, ...stage.inner.filter((one) => one !== box && fills(one, box))];
  const elements = [...new Set([...boxes, control])];
  const paintAt = (moment: LookState | 'rest') =>
    readPaint(boxes, control, stage.at(moment, elements, PAINTED), toSrgb);
  const paint = paintAt('rest');
  const isBare = paint.background[3] < 0.01 && paint.border[3] < 0.01 && paint.shadows.length === 0;
  if (isBare && name === 'field') {
    add('problem.field', 'bare');
    stage.leave();
    return null;
  }
  const widths = widthsOf(paint);
  const addRule = (rule: string, properties: Readonly<Record<string, string>>) => {
    for (const [property, value] of Object.entries(properties)) add(`rules.${rule}.${property}`, value);
  };
  const { outlineColor, outlineWidth, outlineOffset, ...rest } = ruleOf(paint, widths);
  addRule(name, { ...rest, borderWidth: widths.map(px).join(' ') });
  if (name === 'field') add('rules.field.placeholderColor', writeRgba(paint.placeholder));
  const before = JSON.stringify(paint);
  let invalid: Paint | undefined;
  for (const state of states) {
    const then = paintAt(state);
    const isChanged = JSON.stringify(then) !== before;
    // Without a rule for a state the look stays, if every rule could be read; otherwise the form chooses its own.
    if (!isChanged && (sheets.unread > 0 || state === 'invalid')) continue;
    if (state === 'invalid') invalid = then;
    addRule(`${name}:${state}`, ruleOf(then, widths));
    if (name === 'field' && state !== 'hover' && writeRgba(then.placeholder) !== writeRgba(paint.placeholder))
      add(`rules.field:${state}.placeholderColor`, writeRgba(then.placeholder));
  }
  stage.leave();
  return { paint, widths, invalid };
};

const cornersOf = (boxes: readonly Element[]): readonly number[] =>
  readCorners(boxes).map((corner) => clamp(corner, RULE_RANGES.borderRadius));

const takeSize = (name: 'field' | 'button', box: Element, { add }: Take) => {
  const height = heightOf(box);
  if (height === undefined) add(`problem.${name}`, 'hidden');
  else add(`rules.${name}.height`, px(clamp(height, RULE_RANGES.height)));
  const within = [...box.querySelectorAll(':scope *')].slice(0, 80).filter((one) => fills(one, box));
  const corners = cornersOf([box, ...within]);
  add(`rules.${name}.borderRadius`, corners.map(px).join(' '));
  const [variable, most] = name === 'field' ? ['borderRadius', 24] : ['buttonBorderRadius', 32];
  add(`variables.${variable}`, px(Math.min(Math.max(...corners), Number(most))));
};

/** The smallest distance of the text from the border. */
const paddingOf = (box: Element, control: Element, [, right = 0, , left = 0]: readonly number[]): number => {
  const [outer, inner, style] = [
    box.getBoundingClientRect(),
    control.getBoundingClientRect(),
    getComputedStyle(control),
  ];
  const zoom = zoomOf(control);
  const own = (side: 'left' | 'right') =>
    number(style.getPropertyValue(`padding-${side}`)) +
    number(style.getPropertyValue(`border-${side}-width`));
  const start = (inner.left - outer.left) / zoom + own('left') - left;
  const end = (outer.right - inner.right) / zoom + own('right') - right;
  return Math.min(start, end);
};

/** The gap below a field: a margin of the field or of something around it, or a grid's gap. */
const gapBelow = (field: Element): number | undefined => {
  let node: Element | null = field;
  for (let level = 0; node && level < 4; level += 1) {
    const margin = number(getComputedStyle(node).marginBottom);
    node = unclobbered(node).parentElement; // may be a form
    const around: CSSStyleDeclaration | undefined = node ? getComputedStyle(node) : undefined;
    const gap = /flex|grid/.test(around?.display ?? '') ? number(around?.rowGap ?? '') : 0;
    const found = Math.max(margin, gap);
    if (found >= 7 && found <= 40) return found;
  }
  return;
};

const takeField = (field: Element, take: Take) => {
  const { add, iframe } = take;
  const control = controlOf(field);
  const seen = takePaint('field', field, control, ['hover', 'focus', 'invalid'], take);
  takeSize('field', field, take);
  const { textTransform, ...letters } = typography(control);
  for (const [property, value] of Object.entries(letters)) add(`rules.field.${property}`, value);
  if (isRendered(control))
    add('rules.field.padding', px(clamp(paddingOf(field, control, seen?.widths ?? []), RULE_RANGES.padding)));
  add('variables.fontFamily', fontFamilyOf(control));
  add('variables.fontSizeBase', px(clamp(number(getComputedStyle(control).fontSize), [14, 20])));
  add(
    'variables.colorText',
    writeRgba(readColour(getComputedStyle(iframe.parentElement ?? iframe).color, take.toSrgb)),
  );
  if (seen && seen.paint.background[3] > 0.01)
    add('variables.colorFieldBackground', writeRgba(seen.paint.background));
  if (seen) add('variables.colorTextPlaceholder', writeRgba(seen.paint.placeholder));
  if (
    seen?.invalid &&
    seen.invalid.border[3] > 0 &&
    writeRgba(seen.invalid.border) !== writeRgba(seen.paint.border)
  )
    add('variables.colorDanger', writeRgba(seen.invalid.border));
  const gap = gapBelow(field);
  if (gap !== undefined) add('variables.spacingUnit', px(clamp(gap / 2.5, [3, 6])));
};

const takeLabel = (label: Element, field: Element | undefined, { add, toSrgb }: Take) => {
  const { color, fontSize } = getComputedStyle(label);
  add('rules.label.color', writeRgba(readColour(color, toSrgb)));
  for (const [property, value] of Object.entries(typography(label))) add(`rules.label.${property}`, value);
  if (!field || !isRendered(label) || !isRendered(field)) return;
  const [above, below] = [label.getBoundingClientRect(), field.getBoundingClientRect()];
  const zoom = zoomOf(label);
  const middle = (below.top - (above.top + above.bottom) / 2) / zoom;
  if (middle > 0)
    add('rules.label.gap', px(clamp(middle - (number(fontSize) * LABEL_LINE) / 2, RULE_RANGES.gap)));
};

const takeButton = (button: Element, take: Take) => {
  const { add } = take;
  const text = textOwner(button);
  const seen = takePaint('button', button, text, ['hover', 'focus'], take);
  takeSize('button', button, take);
  for (const [property, value] of Object.entries(typography(text))) add(`rules.button.${property}`, value);
  if (!seen) return;
  const { background, color } = seen.paint;
  const isFilled = background[3] > 0.5;
  add('variables.colorPrimary', writeRgba(isFilled ? background : color));
  add('variables.buttonColorBackground', writeRgba(background));
  add('variables.buttonColorText', writeRgba(color));
};

/** The label of a field, if it is above it. */
const labelOf = (field: Element): Element | undefined => {
  const control = controlOf(field);
  const label =
    control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.labels?.[0] : null;
  if (!label || label.contains(control) || !isRendered(label)) return;
  return label.getBoundingClientRect().bottom <= field.getBoundingClientRect().top + 1 ? label : undefined;
};

/** Everything that was read, and `problem.…` for what could not be. */
export const readLook = (from: unknown, iframe: Element): readonly Pair[] => {
  const pairs: Pair[] = [];
  const add = (path: string, value: string) => {
    pairs.push([path, value]);
  };
  if (typeof from !== 'object' || from === null || Array.isArray(from)) return [['problem', 'object']];
  const found = new Map<Name, Element>();
  for (const [key, given] of Object.entries(from)) {
    const name = NAMES.find((one) => one === key);
    if (!name) add(`problem.${key}`, 'unknown');
    else if (given !== undefined) {
      const element = find(given, iframe);
      if (typeof element === 'string') add(`problem.${name}`, element);
      else found.set(name, element);
    }
  }
  const [field, button] = [found.get('field'), found.get('button')];
  const roots = [...new Set([...found.values()].flatMap(rootsAround))];
  const sheets = readSheets(roots);
  if (sheets.unread > 0 && (field || button)) add('problem', `unread ${sheets.unread}`);
  const take: Take = { add, sheets, iframe, toSrgb: createToSrgb(iframe) };
  if (button) takeButton(button, take);
  if (field) takeField(field, take);
  const label = found.get('label') ?? (field && labelOf(field));
  if (label) takeLabel(label, field, take);
  return pairs;
};
