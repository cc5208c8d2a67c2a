/**
 * Loaded only for a page that gives fonts of its own. A font could draw other digits than those of the amount, hide it with one
 * glyph, or draw a second amount beside it. So it is made of bytes that the page sends, under our name; it draws letters alone;
 * and only texts that have no amount are drawn in it, each cut off at its own box (`styles/page-fonts.css`).
 */
import type { Clock } from '../../clock/clock.ts';
import { PAGE_FONT_PROPERTY } from '../appearance/page-faces.ts';
import { ownProperty } from '../channel/own-property.ts';
import { LARGEST_FONT } from '../channel/page-font.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import type { Warn } from './merchant/warnings.ts';
import type { PageLink } from './session/page-link.ts';
import rules from './styles/page-fonts.css?inline';

export type PageFontDeps = {
  page: Pick<PageLink, 'reply' | 'hear' | 'warn'>;
  /** Aborted when the form is removed. */
  ending: AbortSignal;
  /** An argument, so that this script shares none with those that every buyer loads. */
  clock: Clock;
  /** What the buyer sees, and what that is until the intent has been read. */
  view: { subscribe(see: (now: unknown) => void): unknown };
  first: unknown;
};

/** A page gives at most this many files. Further ones are not fetched. */
const MOST_FONTS = 4;

/** Later the buyer is reading: texts that change their look then would only disturb. In ms. */
const LATE = 10_000;

/** `FontFace` takes CSS for these, so only what is one of them gets there. */
const DESCRIPTORS = {
  weight: [
    /^(normal|bold|([1-9]\d{0,2}|1000)( ([1-9]\d{0,2}|1000))?)$/,
    'normal, bold, a number from 1 to 1000, or two',
  ],
  style: [/^(normal|italic|oblique)$/, 'normal, italic or oblique'],
} as const;

/** The last character of the Basic Multilingual Plane. Letters beyond are drawn in the next font. */
const LAST = 0xffff;

/** All letters, as the value of `unicode-range`. */
export const letters = (): string => {
  const ranges: string[] = [];
  let first: number | null = null;
  for (let code = 0; code <= LAST + 1; code += 1) {
    const isLetter = code <= LAST && /\p{L}/u.test(String.fromCharCode(code));
    if (isLetter) first ??= code;
    else if (first !== null) {
      ranges.push(`U+${first.toString(16)}-${(code - 1).toString(16)}`);
      first = null;
    }
  }
  return ranges.join();
};

type Descriptors = { family: string; weight: string; style: string; unicodeRange: string };

/** Our name of a family, by the page's name of it. */
export type FaceOf = (family: unknown) => string | undefined;

/** What is said of one font; null if it has no family. */
const readFont = (given: unknown, faceOf: FaceOf, unicodeRange: string, warn: Warn): Descriptors | null => {
  const [name, weight = 'normal', style = 'normal'] = ['family', 'weight', 'style'].map((key) =>
    ownProperty(given, key),
  );
  const family = faceOf(name);
  if (!family) {
    warn('fonts', 'Each must have a family, the name by which fontFamily of the appearance calls it.');
    return null;
  }
  const listed = document.documentElement.style.getPropertyValue(PAGE_FONT_PROPERTY);
  if (!listed.includes(`"${family}"`))
    warn('fonts', `Nothing is drawn in "${name}" until fontFamily of the appearance names it.`);
  const read = (what: keyof typeof DESCRIPTORS, value: unknown): string => {
    const [pattern, words] = DESCRIPTORS[what];
    if (pattern.test(`${value}`)) return `${value}`;
    warn('fonts', `The ${what} of "${name}" is ignored: it must be ${words}.`);
    return 'normal';
  };
  return { family, weight: read('weight', weight), style: read('style', style), unicodeRange };
};

/** Why the page sent no file. */
const reasonOf = (answer: unknown): string => {
  const [font, size, status] = ['font', 'size', 'status'].map((key) => ownProperty(answer, key));
  if (font === undefined) return 'a file of the script failed to load. Allow its folder in script-src.';
  if (typeof size === 'number')
    return `it has ${size} bytes, more than ${LARGEST_FONT}. Leave scripts out that your buyers do not read.`;
  if (typeof status === 'number') return `its server answered with the status ${status}.`;
  return 'it could not be fetched. Its server must allow your page by CORS, and your policy its address in connect-src.';
};

/**
 * Asks the page for each file once the intent has been read, since a file must not delay the total, and draws with it once it is here.
 * Nothing waits for it. What is given is looked at value by value; what cannot be used is a warning.
 */
export const followFonts = (
  given: unknown,
  faceOf: FaceOf,
  { page, ending, clock, view, first }: PageFontDeps,
): void => {
  const { warn } = page;
  if (!Array.isArray(given))
    warn('fonts', 'Must be a list of { family, src, weight, style }. It is ignored.');
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  if (list.length > MOST_FONTS)
    warn(
      'fonts',
      `Has ${list.length} files; only the first ${MOST_FONTS} are used. A variable font has all weights in one file.`,
    );
  const refuse = (font: unknown, why: string) => warn('fonts', `fonts[${font}] is not used: ${why}`);
  adoptStyles(rules);

  const draw = async (font: unknown, bytes: ArrayBuffer, { family, ...descriptors }: Descriptors) => {
    try {
      const face = new FontFace(family, bytes, descriptors);
      document.fonts.add(await face.load());
    } catch {
      refuse(font, 'it is no font that this browser can read. Give a file in WOFF2.');
    }
  };

  /** The fonts that the page was asked for and has not sent, by their place in the list. */
  const awaited = new Map<unknown, Descriptors>();
  page.hear('font', (answer) => {
    const [font, bytes] = ['font', 'bytes'].map((key) => ownProperty(answer, key));
    for (const place of font === undefined ? [...awaited.keys()] : [font]) {
      const asked = awaited.get(place);
      awaited.delete(place);
      if (!asked) continue;
      if (!(bytes instanceof ArrayBuffer)) refuse(place, reasonOf(answer));
      else if (bytes.byteLength > LARGEST_FONT) refuse(place, reasonOf({ font, size: bytes.byteLength }));
      else void draw(place, bytes, asked);
    }
  });
  const ask = async () => {
    const range = letters();
    for (const [font, entry] of list.slice(0, MOST_FONTS).entries()) {
      const asked = readFont(entry, faceOf, range, warn);
      if (!asked) continue;
      awaited.set(font, asked);
      page.reply({ type: 'font', font });
    }
    await clock.wait(LATE, ending);
    if (ending.aborted) return;
    for (const font of awaited.keys()) refuse(font, `it has not arrived within ${LATE / 1000} seconds.`);
    awaited.clear();
  };
  let hasAsked = false;
  view.subscribe((now) => {
    if (now === first || hasAsked) return;
    hasAsked = true;
    void ask();
  });
};
