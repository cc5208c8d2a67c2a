/**
 * Writes the styles of parts and states (`rules.ts`). CSS consists of our own numbers, colours and words, never of the
 * page's text. Each state of a part sets all of its colours, text and background together, so that any winning state
 * brings a readable pair. All rules have the same specificity, so that their order decides.
 */
import { type Colour, writeColour } from './colour.ts';
import {
  blackOrWhite,
  blendOnto,
  contrast,
  lowestContrast,
  mix,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
} from './contrast.ts';
import type { AppearanceProblem } from './given-value.ts';
import { hoverColour } from './palette.ts';
import type { Ruled } from './resolve.ts';
import { createRuleColours, opaque, px, type RuleColours } from './rule-colours.ts';
import { type PartRule, reachOf } from './rules.ts';
import type { Layout } from './tokens.ts';

/** Minimum heights of a field with an inner label and of touch targets; minimum text size in a field. In px. */
const LEAST = { floating: 50, coarse: 44, text: 16 } as const;

/** Excludes fields that look like a link (`[data-quiet]`). */
const CONTROL = '.control:not([data-quiet]:not(:focus-within) :placeholder-shown)';
const PAY = '.pay:not([data-kind="idle"], [data-kind="loading"])';

/** The selector of each rule, by name. */
const SELECTORS: Readonly<Record<string, string>> = {
  field: '.field',
  'field:hover': '.field:has(.control:hover)',
  'field:complete': '.field[data-state="complete"]',
  'field:focus': '.field:has(.control:focus-visible)',
  'field:invalid': '.field[data-state="problem"]',
  'field:disabled': '.field:has(.control:is([readonly], :disabled))',
  error: '.problem:not([data-state="doubt"], [data-state="doubt"] *)',
  button: PAY,
  'button:hover': `${PAY}:hover`,
  'button:focus': `${PAY}:focus-visible`,
  'button:disabled': '.pay[aria-disabled="true"]',
  total: '.total',
  details: '.details, .details summary',
  'details:hover': '.details summary:hover',
  'details:focus': '.details summary:focus-visible',
  notice: '.notice:not([data-tone="bad"])',
  'notice:invalid': '.notice[data-tone="bad"]',
};

/** Properties that change the colours or lines of a part. */
const PAINT = [
  ...(['color', 'placeholderColor', 'backgroundColor', 'borderColor', 'borderWidth', 'boxShadow'] as const),
  ...(['outlineColor', 'outlineWidth', 'outlineOffset'] as const),
];

/** The space that a form without rules leaves for the focus ring, in px. */
const USUAL = 3;

/** CSS, and the maximum distance that anything in it reaches beyond its box, in px. */
type Written = { css: string; reach: number };

type Surface = { background: Colour; text: Colour };

/** One rule, without properties that have no value. */
const block = (
  selector: string | undefined,
  declarations: Readonly<Record<string, string | undefined>>,
): string => {
  const written = Object.entries(declarations).flatMap(([property, value]) =>
    value === undefined ? [] : `${property}:${value}`,
  );
  return written.length === 0 || !selector ? '' : `#form :where(${selector}){${written.join(';')}}`;
};

const media = (query: string, css: string): string => css && `@media (${query}){${css}}`;

/** Keeps an edge visible in forced colours, where neither background nor shadow shows it. */
const edge = (selector: string, widths: readonly number[] | undefined): string =>
  widths && Math.max(...widths) < 1
    ? media('forced-colors:active', block(selector, { 'border-width': '1px' }))
    : '';

const length = (value: number | undefined, unit: string) =>
  value === undefined ? undefined : `${value}${unit}`;

const lettering = ({ fontWeight, letterSpacing, textTransform }: PartRule) => ({
  'font-weight': length(fontWeight, ''),
  'letter-spacing': length(letterSpacing, 'em'),
  'text-transform': textTransform,
});

/** The form's own text colour, or another one if it is not readable. */
const usualOn = (background: Colour, usual: Colour, other = blackOrWhite(background)): Colour =>
  contrast(usual, background) >= TEXT_CONTRAST ? usual : other;

/** The visible colours of a state, apart from an outline. */
type Seen = { background: Colour; border: Colour; shade: Colour; within: Colour };

/** Selectors where the focus looks as on the page: not in states with their own look. */
const AS_ON_PAGE = {
  field: '.field:not([data-state="problem"]) .control:focus-visible:not([readonly], :disabled)',
  button: '.pay:focus-visible:not([aria-disabled="true"])',
} as const;

/** A change with less contrast is not noticeable. */
const NOTICED = 1.3;

/** Returns true if the focus looks as on the page and is noticeable, so that the form's own outline isn't needed. */
const isSeenAsTaken = (
  { isWhollyTaken, sayFaint, page }: RuleColours,
  name: 'field:focus' | 'button:focus',
  seen: ReadonlyMap<string, Seen>,
  outline: Colour | null,
): boolean => {
  const [rest, focus] = [seen.get(name.replace(':focus', '')), seen.get(name)];
  if (!rest || !focus || !isWhollyTaken(name)) return false;
  const changes = (['background', 'border', 'shade', 'within'] as const).map((what) =>
    contrast(rest[what], focus[what]),
  );
  const most = Math.max(...changes, outline ? contrast(outline, page) : 1);
  if (most >= NOTICED && most < SHAPE_CONTRAST) sayFaint(name, Math.floor(most * 100) / 100);
  return most >= NOTICED;
};

/** Returns true if each text is readable throughout a transition between any two of these surfaces. */
const isReadableBetween = (surfaces: readonly Surface[]): boolean =>
  surfaces.every(({ text }) =>
    surfaces.every((from) =>
      surfaces.every(({ background }) => {
        const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => mix(from.background, background, share));
        return lowestContrast(text, steps) >= TEXT_CONTRAST;
      }),
    ),
  );

const transition = (
  selector: string,
  { transitionDuration }: PartRule,
  surfaces: readonly Surface[],
): string => {
  const colours = isReadableBetween(surfaces) ? ['background-color', 'color'] : [];
  const changes = [...colours, 'border-color', 'box-shadow'].map((name) => `${name} ${transitionDuration}ms`);
  return transitionDuration === undefined
    ? ''
    : media('prefers-reduced-motion:no-preference', block(selector, { transition: changes.join() }));
};

/** Colours and lines of the fields, as custom properties of `.field`, so that the field's content inherits them. */
const paintFields = (layout: Layout, colours: RuleColours): Written => {
  const { ruleOf, colourOf, readableOf, page } = colours;
  if (!colours.isGiven('field', PAINT)) return { css: '', reach: USUAL };
  const rest = ruleOf('field');
  const isGrouped = layout.fields === 'grouped';
  const line = blendOnto(rest.borderColor ?? opaque(colourOf('--field-line')), page);
  const off = opaque(colourOf('--ink-soft'));
  /** The look of a field in each state that no rule sets. */
  const presets: Readonly<Record<string, PartRule>> = {
    'field:hover': { borderColor: opaque(mix(line, blackOrWhite(page), 0.3)) },
    'field:focus': { borderColor: opaque(colourOf('--accent')) },
    'field:invalid': { borderColor: opaque(colourOf('--bad')) },
    'field:disabled': {
      backgroundColor: opaque(colourOf('--ground-soft')),
      color: off,
      placeholderColor: off,
    },
  };
  const surfaces: Surface[] = [];
  const shades: Colour[] = [];
  const seen = new Map<string, Seen>();
  let reach = 0;
  const states = colours.namesOf('field').map((name) => {
    const own = ruleOf(name);
    if (name === 'field:complete' && Object.keys(own).length === 0) return '';
    for (const property of ['boxShadow', 'borderWidth'] as const)
      if (isGrouped && own[property])
        colours.say(name, property, 'has no room between grouped fields. It is ignored.');
    const all: PartRule = { ...rest, ...presets[name], ...own };
    const background = blendOnto(all.backgroundColor ?? opaque(colourOf('--field')), page);
    const ink = all.color ?? usualOn(background, colourOf('--field-ink'));
    const text = readableOf(name, 'color', ink, [background], TEXT_CONTRAST);
    const soft =
      all.placeholderColor ?? usualOn(background, colourOf('--field-soft'), mix(background, text, 0.64));
    const source = own.borderColor ? name : presets[name]?.borderColor ? '' : 'field';
    const border = colours.lineOf(source, all.borderColor ?? colourOf('--field-line'), SHAPE_CONTRAST);
    const shadow = colours.shadowOf(name, (!isGrouped && all.boxShadow) || [], background);
    surfaces.push({ background, text });
    shades.push(shadow.shade);
    seen.set(name, { background, border, ...shadow });
    reach = Math.max(reach, shadow.reach);
    return block(SELECTORS[name], {
      '--field': writeColour(background),
      '--field-ink': writeColour(text),
      '--field-soft': writeColour(readableOf(name, 'placeholderColor', soft, [background], TEXT_CONTRAST)),
      '--field-line': writeColour(border),
      '--field-shadow': shadow.css,
    });
  });
  const outline = colours.outlineOf('field:focus', shades);
  const css = [
    ...states,
    block(CONTROL, {
      'border-color': 'var(--field-line)',
      'border-width': isGrouped ? undefined : rest.borderWidth?.map(px).join(' '),
      'border-radius': isGrouped ? undefined : rest.borderRadius?.map(px).join(' '),
      background: 'var(--field)',
      color: 'var(--field-ink)',
      'box-shadow': 'var(--field-shadow)',
    }),
    isGrouped ? '' : edge(CONTROL, rest.borderWidth),
    `#form ${CONTROL}::placeholder{color:var(--field-soft)}`,
    block('.chevron', { stroke: 'var(--field-soft)' }),
    block('.control:focus-visible', outline.css),
    isSeenAsTaken(colours, 'field:focus', seen, outline.ofPage)
      ? block(AS_ON_PAGE.field, outline.asOnPage)
      : '',
    transition(CONTROL, rest, surfaces),
    layout.labels === 'above'
      ? ''
      : media(
          'min-width:240px',
          block('.field:not(:has(.control:autofill)) :is(label, .field-hint)', {
            color: 'var(--field-soft)',
          }),
        ),
  ];
  return { css: css.join(''), reach: Math.max(reach, outline.reach) };
};

/** Sizes and letters of the fields. Elements beside a value move with it. */
const measureFields = (layout: Layout, { ruleOf, namesOf, say }: RuleColours): string => {
  const { padding: given, height, letterSpacing, fontSize, fontWeight, borderWidth } = ruleOf('field');
  const high = Math.max(height ?? 0, layout.labels === 'floating' ? LEAST.floating : 0);
  // Text must not overlap a shadow inside the field, in any state.
  const within = namesOf('field').flatMap(
    (name) => ruleOf(name).boxShadow?.filter(({ isInset }) => isInset) ?? [],
  );
  const padding = given === undefined ? undefined : Math.max(given, ...within.map(reachOf));
  const inner = padding ?? 14;
  const [top = 1, side = top] = (layout.fields !== 'grouped' && borderWidth) || [];
  const [mark, help, chevron] = [layout.brands === 'hidden' ? inner : inner + 48, 48, inner + 26].map(px);
  const isInside = layout.labels !== 'above';
  const hasRoom = layout.card !== 'row';
  if (letterSpacing !== undefined && !hasRoom)
    say('field', 'letterSpacing', 'has no room where the card is a row. It is ignored.');
  const spacing = hasRoom ? letterSpacing : undefined;
  const heightOf = (value: number) => `:root:root:root{--field-height:${px(value)}}`;
  const beside = (end: string | undefined) => ({ 'padding-inline': `${px(inner)} ${end}` });
  const padded = [
    block(CONTROL, { 'padding-inline': px(inner) }),
    block('.with-mark .control', beside(mark)),
    block('.with-help .control', beside(help)),
    block('.with-chevron .control', beside(chevron)),
    // An input for digits is left-to-right in every form, but the elements beside it are not.
    block('[dir="rtl"] .with-mark .control', { 'padding-inline': `${mark} ${px(inner)}` }),
    block('[dir="rtl"] .with-help .control', { 'padding-inline': `${help} ${px(inner)}` }),
    block('.brands, .chevron', { 'inset-inline-end': px(inner) }),
    isInside ? block('.field-head', { 'margin-inline': px(inner + side) }) : '',
    isInside ? block('.field:has(.with-mark) .field-head', { 'margin-inline-end': mark }) : '',
    isInside ? block('.field:has(.with-help) .field-head', { 'margin-inline-end': help }) : '',
    isInside ? block('.field:has(.with-chevron) .field-head', { 'margin-inline-end': chevron }) : '',
  ].join('');
  // Marks must not overlap the example of a number.
  const marks = { 'max-width': `calc(100% - ${11.1 + (spacing ?? 0) * 19}em - ${px(inner + 23)})` };
  const size = `${px(Math.max(LEAST.text, fontSize ?? 0))}`;
  return [
    fontSize === undefined ? '' : `:root:root:root{--field-size:${size}}`,
    height === undefined ? '' : heightOf(high),
    height === undefined ? '' : media('pointer:coarse', heightOf(Math.max(high, LEAST.coarse))),
    padding === undefined ? '' : media('min-width:240.1px', padded),
    padding === undefined && spacing === undefined ? '' : block('.brands', marks),
    block(CONTROL, { 'font-weight': length(fontWeight, '') }),
    media('min-width:400px', block('.control', { 'letter-spacing': length(spacing, 'em') })),
  ].join('');
};

const paintButton = (colours: RuleColours): Written => {
  const { ruleOf, colourOf, readableOf, page } = colours;
  if (!colours.isGiven('button', PAINT)) return { css: '', reach: 0 };
  const rest = ruleOf('button');
  const surfaces: Surface[] = [];
  const shades: Colour[] = [];
  const seen = new Map<string, Seen>();
  let reach = 0;
  const states = colours.namesOf('button').map((name) => {
    const own = ruleOf(name);
    if (name === 'button:disabled' && Object.keys(own).length === 0) return '';
    const all: PartRule = { ...rest, ...own };
    const given = all.backgroundColor ? blendOnto(all.backgroundColor, page) : colourOf('--button');
    const label = all.color ?? usualOn(given, colourOf('--on-button'));
    const isPlainHover = name === 'button:hover' && !own.backgroundColor;
    const background = isPlainHover
      ? hoverColour(given, readableOf(name, 'color', label, [given], TEXT_CONTRAST))
      : given;
    const text = readableOf(name, 'color', label, [background], TEXT_CONTRAST);
    // A button whose colour is close to the background's gets an outline.
    const isSeen = contrast(background, page) >= SHAPE_CONTRAST;
    const border = colours.lineOf(
      own.borderColor ? name : 'button',
      all.borderColor ?? background,
      isSeen ? 1 : SHAPE_CONTRAST,
    );
    const shadow = colours.shadowOf(name, all.boxShadow ?? [], background);
    surfaces.push({ background, text });
    shades.push(shadow.shade);
    seen.set(name, { background, border, ...shadow });
    reach = Math.max(reach, shadow.reach);
    return block(SELECTORS[name], {
      background: writeColour(background),
      color: writeColour(text),
      'border-color': writeColour(border),
      'box-shadow': shadow.css,
    });
  });
  const outline = colours.outlineOf('button:focus', shades);
  const css = [
    ...states,
    block('.pay:focus-visible', outline.css),
    isSeenAsTaken(colours, 'button:focus', seen, outline.ofPage)
      ? block(AS_ON_PAGE.button, outline.asOnPage)
      : '',
    transition('.pay', rest, surfaces),
  ];
  return { css: css.join(''), reach: Math.max(reach, outline.reach) };
};

/** Maximum height of the button's text line with its border, in px: a lower button gets less padding. */
const LINE = 32;

const measureButton = ({ ruleOf }: RuleColours): string => {
  const rule = ruleOf('button');
  const { height, letterSpacing, textTransform, fontSize, borderWidth, borderRadius } = rule;
  const isLettered = letterSpacing !== undefined || textTransform !== undefined;
  const tall = height && block('.pay', { 'min-height': px(Math.max(height, LEAST.coarse)) });
  return [
    block('.pay', {
      ...lettering(rule),
      'font-size': length(fontSize, 'px'),
      'border-width': borderWidth?.map(px).join(' '),
      'border-radius': borderRadius?.map(px).join(' '),
      'min-height': length(height, 'px'),
      'padding-block': height === undefined ? undefined : px(Math.min(8, Math.max(2, (height - LINE) / 2))),
    }),
    edge('.pay', borderWidth),
    media('pointer:coarse', tall || ''),
    // Amounts look the same everywhere.
    isLettered ? block('.pay [data-amount]', { 'letter-spacing': '0', 'text-transform': 'none' }) : '',
  ].join('');
};

/** Texts on the form's backgrounds. `reach`: how far anything reaches out of a field, in px. */
const writeTexts = (
  layout: Layout,
  reach: number,
  { ruleOf, colourOf, readableOf, namesOf, say, page }: RuleColours,
): string => {
  const write = (name: string, selector: string | undefined, backgrounds: readonly [Colour, ...Colour[]]) => {
    const rule = ruleOf(name);
    const colour = rule.color && readableOf(name, 'color', rule.color, backgrounds, TEXT_CONTRAST);
    return block(selector, { ...lettering(rule), color: colour && writeColour(colour) });
  };
  const soft = colourOf('--ground-soft');
  const isAbove = layout.labels === 'above';
  const labels = namesOf('label').map((name) => {
    const { color, ...others } = ruleOf(name);
    if (isAbove) return write(name, `${SELECTORS[name.replace('label', 'field')]} .field-head label`, [page]);
    if (color)
      say(name, 'color', 'is placeholderColor of the field while the label stands in it. It is ignored.');
    return block('.field-head label', lettering(others));
  });
  const { fontSize, gap } = ruleOf('label');
  return [
    ...labels,
    block('.field-head label', { 'font-size': length(fontSize, 'px') }),
    isAbove
      ? block('.field-head', {
          '--small-line': fontSize === undefined ? undefined : px(fontSize * 1.25),
          'line-height': fontSize === undefined ? undefined : px(fontSize * 1.25),
          'margin-bottom': gap === undefined && reach <= USUAL ? undefined : px(Math.max(gap ?? 0, reach)),
        })
      : '',
    write('hint', isAbove ? '.field-hint, .secure' : '.secure', [page]),
    write('error', SELECTORS.error, [page]),
    write('total', SELECTORS.total, [soft, colourOf('--info-ground')]),
    ...namesOf('details').map((name) => write(name, SELECTORS[name], [soft])),
  ].join('');
};

const writeNotices = (colours: RuleColours): Written => {
  const { ruleOf, colourOf, page } = colours;
  let reach = 0;
  const states = colours.namesOf('notice').map((name) => {
    const own = ruleOf(name);
    if (Object.keys(own).length === 0) return '';
    const [ground, ink] =
      name === 'notice' ? (['--info-ground', '--ink'] as const) : (['--bad-ground', '--bad'] as const);
    const background = blendOnto(own.backgroundColor ?? opaque(colourOf(ground)), page);
    const text = writeColour(
      colours.readableOf(name, 'color', own.color ?? colourOf(ink), [background], TEXT_CONTRAST),
    );
    const shadow = colours.shadowOf(name, own.boxShadow ?? [], background);
    reach = Math.max(reach, shadow.reach);
    return block(SELECTORS[name], {
      background: writeColour(background),
      color: text,
      '--accent': text, // the notice's mark
      border: own.borderColor && `1px solid ${writeColour(blendOnto(own.borderColor, page))}`,
      'box-shadow': shadow.css,
    });
  });
  const { padding, ...rule } = ruleOf('notice');
  return {
    css: [...states, block('.notice', { ...lettering(rule), padding: length(padding, 'px') })].join(''),
    reach,
  };
};

/** Adds space for what reaches beyond fields, button and notices, so that it overlaps no text. */
const roomFor = (reach: number, layout: Layout): string => {
  if (reach <= USUAL) return '';
  const far = px(reach);
  const gap = `max(var(--space) * 2.5, ${far})`;
  return [
    `#form:not([hidden]):not([hidden]){--inset:calc(max(var(--padding), ${far}) - var(--ring-room));padding-block:max(var(--padding), ${far})}`,
    block('fieldset', { gap: `max(var(--space) * 2, ${far})` }),
    block('.problem', { 'margin-top': `max(5px, ${far})` }),
    block('.secure', { 'margin-top': `max(var(--space) * -6, ${far} - var(--space) * 7)` }),
    layout.fields === 'grouped'
      ? ''
      : block('.fields', { 'row-gap': gap }) +
        block('[data-quiet]:not(:focus-within)', { 'margin-top': `max(var(--space) * -2, ${far} - ${gap})` }),
  ].join('');
};

/** `style` is the loader's reading of the page's style. `css` is empty if the rules set nothing. */
export const writeRules = (
  ruled: Ruled,
  style?: unknown,
): { css: string; problems: readonly AppearanceProblem[] } => {
  const { layout } = ruled;
  const colours = createRuleColours(ruled, style);
  const [fields, button, notices] = [
    paintFields(layout, colours),
    paintButton(colours),
    writeNotices(colours),
  ];
  const written = [
    fields.css,
    measureFields(layout, colours),
    writeTexts(layout, fields.reach, colours),
    button.css,
    measureButton(colours),
    notices.css,
    roomFor(Math.max(fields.reach, button.reach, notices.reach), layout),
  ].join('');
  return { css: written && `@media screen{${written}}`, problems: colours.problems };
};
