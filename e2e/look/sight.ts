/**
 * The visible content of a form: the texts, values and pictures that are really painted, with their colours, measured
 * by comparing a screenshot with one of the same form without them. It knows no style class, only what a person sees.
 */
import type { Form } from '../support/form-states.ts';
import { painted } from '../support/painted.ts';
import {
  type Box,
  type Colour,
  contrast,
  distance,
  type Picture,
  pixelsIn,
  readPicture,
} from '../support/pixels.ts';

/** One line of text, a value, an example in an empty field, or a picture, from the document. */
type Part = { kind: 'text' | 'value' | 'example' | 'picture'; text: string; id: string; box: Box };

export type Item = Part & {
  /** Where it is painted; null if it is not. */
  ink: Box | null;
  contrast: number;
  hue: '' | 'red' | 'green' | 'blue';
  /** A line through or below it, or its own background. */
  mark: '' | '~~' | '__' | '==';
};

export type Control = {
  id: string;
  box: Box;
  isFocused: boolean;
  isInvalid: boolean;
  isReadOnly: boolean;
  isOff: boolean;
  /** An optional field that looks like a link until it is used. */
  isQuiet: boolean;
  describedBy: string | null;
};

export type Sight = {
  items: readonly Item[];
  controls: readonly Control[];
  isRtl: boolean;
  /** The colour at a place in CSS pixels: `at` of everything, `bare` without texts and pictures. */
  at: (x: number, y: number) => Colour;
  bare: (x: number, y: number) => Colour;
  width: number;
  height: number;
};

const BARE = `*, ::placeholder, ::selection {
  -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important;
  animation: none !important; transition: none !important;
}
::selection { color: transparent !important }
svg, .spinner { visibility: hidden !important }
summary::after { opacity: 0 !important }`;

/** Adopts a style sheet in a form's document, and returns a function that removes it. */
export const wear = async ({ root }: Form, css: string): Promise<() => Promise<void>> => {
  const mark = `--worn-${Math.random().toString(36).slice(2)}`;
  await root.evaluate(
    (_, [text, name]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`${text} :root { ${name}: 1 }`);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    },
    [css, mark] as const,
  );
  return () =>
    root.evaluate((_, name) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
        ({ cssRules }) => ![...cssRules].some(({ cssText }) => cssText.includes(name)),
      );
    }, mark);
};

/** Runs in the form: every rendered text, value and picture, line by line, in document order. */
const partsOf = () => {
  type Part = { kind: 'text' | 'value' | 'example' | 'picture'; text: string; id: string; box: DOMRect };
  const parts: Part[] = [];
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    // Texts for screen readers only, and a label that serves as its field's example.
    !element.closest(
      '.unseen, [data-kind=loading] > :last-child, option, [data-quiet]:not(:focus-within) .field-head, .form:has(.fields:empty) legend',
    );
  const placeOf = (element: Element) =>
    element.closest('label')
      ? `label of ${element.closest('label')?.htmlFor}`
      : (element.closest('.total, .notice, .pay, .hint')?.classList[0] ??
        element.closest('[id]:not(#form)')?.id ??
        '');
  const add = (kind: Part['kind'], text: string, element: Element, box: DOMRect) =>
    parts.push({ kind, text, id: placeOf(element), box: box.toJSON() });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element) {
      if (!isShown(node)) continue;
      const box = node.getBoundingClientRect();
      if (node instanceof HTMLInputElement) {
        const isExample = node.value === '';
        if (isExample && getComputedStyle(node, '::placeholder').opacity === '0') continue;
        const text = node.value || node.placeholder.trim();
        if (text) add(isExample ? 'example' : 'value', text, node, box);
      } else if (node instanceof HTMLSelectElement) {
        const text = node.selectedOptions[0]?.text ?? '';
        if (text) add('value', text, node, box);
      } else if (node.matches('svg, .spinner')) {
        const around = node.parentElement?.closest('[class]');
        const name = node.getAttribute('data-brand') ?? node.getAttribute('class') ?? around?.className;
        // Marks without room wrap out of sight.
        const room = node.closest('.brands')?.getBoundingClientRect();
        if (box.width && !(room && box.top >= room.bottom)) add('picture', `${name}`, node, box);
      } else if (node.matches('summary') && getComputedStyle(node, '::after').content !== 'none') {
        add('picture', 'arrow', node, box);
      }
      continue;
    }
    const element = node.parentElement;
    const text = node.nodeValue?.trim();
    if (!text || !element || !isShown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // One box for each line: a text with several directions has several boxes on a line.
    const lines: DOMRect[] = [];
    for (const { x, y, width, height } of range.getClientRects()) {
      const last = lines.at(-1);
      if (!last || Math.abs(last.y - y) > height / 2) lines.push(new DOMRect(x, y, width, height));
      else {
        const [left, right] = [Math.min(last.x, x), Math.max(last.right, x + width)];
        lines[lines.length - 1] = new DOMRect(left, last.y, right - left, last.height);
      }
    }
    for (const [index, box] of lines.entries()) add('text', index === 0 ? text : '', element, box);
  }
  const controls = [...document.querySelectorAll('input, select, button.pay')]
    .filter(isShown)
    .map((control) => ({
      id: control.id || 'pay',
      box: control.getBoundingClientRect().toJSON(),
      isFocused: control === document.activeElement,
      isInvalid: control.getAttribute('aria-invalid') === 'true',
      isReadOnly: control.matches('[readonly], :disabled'),
      isOff: control.matches('[aria-disabled="true"]'),
      isQuiet: control.matches('[data-quiet]:not(:focus-within) *') && control.matches(':placeholder-shown'),
      describedBy: control.getAttribute('aria-describedby'),
    }));
  return { parts, controls, isRtl: document.documentElement.dir === 'rtl' };
};

/** The name of a colour; empty for a grey. */
const hueOf = ([red, green, blue]: Colour): Item['hue'] => {
  if (red - Math.max(green, blue) > 45) return 'red';
  if (blue - red > 45) return 'blue';
  return green - Math.max(red, blue) > 45 ? 'green' : '';
};

/** How much two colours of one place must differ to be noticeable. */
const NOTICEABLE = 24;

/** True if a part lies within another and isn't part of its paint. */
const isWithin = (inner: Box, outer: Box) =>
  inner !== outer &&
  inner.x >= outer.x - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y >= outer.y - 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;

const paintedOf = (part: Part, others: readonly Part[], all: Picture, bare: Picture, scale: number): Item => {
  const apart =
    part.kind === 'text' ? [] : others.filter(({ box }) => isWithin(box, part.box)).map(({ box }) => box);
  const box = {
    x: part.box.x * scale,
    y: part.box.y * scale,
    width: part.box.width * scale,
    height: part.box.height * scale,
  };
  const rows = new Map<number, number>();
  let [left, right, top, bottom, most] = [Number.POSITIVE_INFINITY, -1, Number.POSITIVE_INFINITY, -1, 1];
  let ink: Colour = [0, 0, 0];
  // An underline may be slightly below the text's box.
  for (const [x, y] of pixelsIn(part.kind === 'text' ? { ...box, height: box.height + 4 * scale } : box)) {
    const [here, ground] = [all.at(x, y), bare.at(x, y)];
    const isOther = apart.some(
      (one) =>
        x >= one.x * scale &&
        x < (one.x + one.width) * scale &&
        y >= one.y * scale &&
        y < (one.y + one.height) * scale,
    );
    if (isOther) continue;
    if (distance(here, ground) < NOTICEABLE) continue;
    const measured = contrast(here, ground);
    if (measured > most) [most, ink] = [measured, here];
    rows.set(y, (rows.get(y) ?? 0) + 1);
    [left, right, top, bottom] = [
      Math.min(left, x),
      Math.max(right, x),
      Math.min(top, y),
      Math.max(bottom, y),
    ];
  }
  const whole = [...rows].filter(([, count]) => count > box.width * 0.96 && box.width > 12).map(([y]) => y);
  const ruled = part.kind === 'text' && whole.length > 0 && (whole[0] ?? 0) - box.y;
  const middle = Math.round(box.y + box.height / 2);
  const before = Math.max(0, Math.round(box.x - 10 * scale));
  const isMarked = distance(bare.at(Math.round(box.x), middle), bare.at(before, middle)) > 8;
  const drawn = {
    x: left / scale,
    y: top / scale,
    width: (right - left + 1) / scale,
    height: (bottom - top + 1) / scale,
  };
  return {
    ...part,
    ink: right < 0 ? null : drawn,
    contrast: most,
    hue: hueOf(ink),
    mark:
      ruled !== false
        ? ruled < box.height * 0.7
          ? '~~'
          : '__'
        : part.kind === 'text' && isMarked
          ? '=='
          : '',
  };
};

/** Returns the form's current sight. */
export const sightOf = async (form: Form): Promise<Sight> => {
  const clip = await form.iframe.boundingBox();
  if (!clip) throw new Error('The form is not on the page.');
  const shoot = async () => {
    await painted(form.root);
    return readPicture(await form.page.screenshot({ clip }));
  };
  const all = await shoot();
  const { parts, controls, isRtl } = await form.root.evaluate(partsOf);
  const dress = await wear(form, BARE);
  const bare = await shoot();
  await dress();
  const scale = all.width / clip.width;
  const point = (picture: Picture) => (x: number, y: number) =>
    picture.at(Math.floor(x * scale), Math.floor(y * scale));
  return {
    items: parts.map((part) => paintedOf(part, parts, all, bare, scale)),
    controls,
    isRtl,
    at: point(all),
    bare: point(bare),
    width: clip.width,
    height: clip.height,
  };
};

/** Everything readable, once it no longer changes. */
export const steadyReading = async (form: Form): Promise<string> => {
  for (let before = ''; ; ) {
    const now = readingOf(await sightOf(form));
    if (now === before) return now;
    before = now;
  }
};

/** Everything readable, one line for each text, as people would write it down. */
export const readingOf = ({ items }: Sight): string => {
  const lines = items
    .filter(({ text, ink }) => text !== '' && ink !== null)
    .map(({ kind, text, hue, mark }) => {
      const plain = text
        .replace(/[\u200e\u200f\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .replace(/pi_\w+/, 'pi_…')
        .replace(/\b\d+:\d\d\b/, '(time)')
        .replace(/^\w+ \d+, \d{4},? .*[AP]M.*$/, '(date)');
      const shown =
        kind === 'picture'
          ? `(${plain})`
          : kind === 'value'
            ? `[${plain}]`
            : kind === 'example'
              ? `[${plain}…]`
              : plain;
      return `${mark}${shown}${mark}${kind !== 'picture' && hue ? ` (${hue})` : ''}`;
    });
  return `${lines.join('\n')}\n`;
};
