/**
 * Loaded only for a page with its own fonts. A font could draw wrong digits for the amount, hide it with one glyph, or
 * draw a second amount next to it. So it is created from bytes the page sends, under our name; it draws only letters;
 * and it is used only for texts without an amount, each clipped to its own box (`styles/page-fonts.css`).
 */
import type { Clock } from '../../api/clock/clock.ts';
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
  /** An argument, so that this script shares no module with those that every buyer loads. */
  clock: Clock;
  /** The buyer's view, and its value until the intent has been read. */
  view: { subscribe(see: (now: unknown) => void): unknown };
  first: unknown;
};

/** Maximum number of files. Further ones are not fetched. */
const MOST_FONTS = 4;

/** In ms. Later the buyer is already reading, and texts that change their look would only distract. */
const LATE = 10_000;

/** Valid values: `FontFace` parses these as CSS, so nothing else may get there. */
const DESCRIPTORS = {
  weight: [
    /^(normal|bold|([1-9]\d{0,2}|1000)( ([1-9]\d{0,2}|1000))?)$/,
    'normal, bold, a number from 1 to 1000, or two',
  ],
  style: [/^(normal|italic|oblique)$/, 'normal, italic or oblique'],
} as const;

/** The last character of the Basic Multilingual Plane. Letters beyond it use the next font. */
const LAST = 0xffff;

/** All letters, as a `unicode-range` value. */
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

/** Maps the page's family name to ours. */
export type FaceOf = (family: unknown) => string | undefined;

/** The descriptors of one font; null if it has no family. */
const readFont = (given: unknown, faceOf: FaceOf, unicodeRange: string, warn: Warn): Descriptors | null => {
  const [name, weight = 'normal', style = 'normal'] = ['family', 'weight', 'style'].map((key) =>
    ownProperty(given, key),
  );
  const family = faceOf(name);
  if (!family) {
    warn('fonts', 'Each must have a family, the name that fontFamily of the appearance uses.');
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

/** The reason the page sent no file. */
const reasonOf = (answer: unknown): string => {
  const [font, size, status] = ['font', 'size', 'status'].map((key) => ownProperty(answer, key));
  if (font === undefined) return 'a file of the script failed to load. Allow its folder in script-src.';
  if (typeof size === 'number')
    return `it has ${size} bytes, more than ${LARGEST_FONT}. Leave out scripts that your buyers do not read.`;
  if (typeof status === 'number') return `its server answered with the status ${status}.`;
  return 'it could not be fetched. Its server must allow your page by CORS, and your policy must allow its address in connect-src.';
};

/**
 * Asks the page for each file once the intent has been read, since a file must not delay the total, and uses it once it
 * arrives. Nothing waits for it. Validates each value; values that cannot be used cause a warning.
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
      refuse(font, 'it is no font that this browser can read. Use a WOFF2 file.');
    }
  };

  /** Requested fonts that have not arrived yet, by their index in the list. */
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
