// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../api/clock/manual-clock.ts';
import { LARGEST_FONT } from '../channel/page-font.ts';
import { followFonts, letters } from './page-fonts.ts';

/** The data from which the browser created fonts. */
let made: { family: string; bytes: ArrayBuffer; descriptors: unknown }[] = [];
const added = vi.fn();
let isFont = true;

beforeEach(() => {
  made = [];
  isFont = true;
  added.mockReset();
  vi.stubGlobal(
    'FontFace',
    class {
      constructor(family: string, bytes: ArrayBuffer, descriptors: unknown) {
        made.push({ family, bytes, descriptors });
      }
      async load() {
        if (!isFont) throw new SyntaxError('not a font');
        return this;
      }
    },
  );
  Reflect.set(document, 'fonts', { add: added });
  Reflect.set(document, 'adoptedStyleSheets', []);
  document.documentElement.style.setProperty('--page-font', '"page-0", sans-serif');
});
afterEach(() => vi.unstubAllGlobals());

const BRAND = { family: 'Brand' };

const follow = (fonts: unknown, view = signal('ready')) => {
  const clock = createManualClock();
  const ending = new AbortController();
  const asked: unknown[] = [];
  const warnings: string[] = [];
  let hear = (_: unknown) => {};
  followFonts(
    fonts,
    (family) => (family === 'Brand' ? 'page-0' : family === 'Other' ? 'page-1' : undefined),
    {
      page: {
        reply: (message) => asked.push(message),
        hear: (_, receive) => {
          hear = receive;
        },
        warn: (about, hint) => warnings.push(`${about}: ${hint}`),
      },
      ending: ending.signal,
      clock,
      view,
      first: 'loading',
    },
  );
  const answer = async (message: unknown) => {
    hear(message);
    await clock.advance(0);
  };
  return { clock, ending, asked, warnings, answer };
};

describe("threat-model 1.6: no digit, currency sign, point or comma is drawn by a page's font", () => {
  it('its range has the letters of every script, and nothing else', () => {
    const ranges = letters()
      .split(',')
      .map((range) =>
        /^U\+([0-9a-f]+)-([0-9a-f]+)$/
          .exec(range)
          ?.slice(1)
          .map((code) => Number.parseInt(code, 16)),
      );
    const drawn = new Set<number>();
    for (const [from = 0, to = -1] of ranges.map((range) => range ?? []))
      for (let code = from; code <= to; code += 1) drawn.add(code);
    const wrong = [];
    for (let code = 0; code <= 0xffff; code += 1)
      if (drawn.has(code) !== /\p{L}/u.test(String.fromCharCode(code))) wrong.push(code.toString(16));
    expect(wrong).toEqual([]);
    for (const letter of 'AzßéЖωאعกあ漢한') expect(drawn.has(letter.charCodeAt(0)), letter).toBe(true);
    for (const sign of '09٣۴०๓０$€£¥₽﷼.,٫٬’\u00a0\u202f -–+%*')
      expect(drawn.has(sign.charCodeAt(0)), sign).toBe(false);
  });

  it('is made only of bytes, under the name that the form has given it', async () => {
    const { answer, asked, warnings } = follow([
      { ...BRAND, src: 'url(x)', weight: '100 900', style: 'italic' },
    ]);
    expect(asked).toEqual([{ type: 'font', font: 0 }]);
    const bytes = new ArrayBuffer(8);
    await answer({ type: 'font', font: 0, bytes });
    expect(made).toEqual([
      {
        family: 'page-0',
        bytes,
        descriptors: { weight: '100 900', style: 'italic', unicodeRange: letters() },
      },
    ]);
    expect(added).toHaveBeenCalledOnce();
    expect(warnings).toEqual([]);
  });
});

describe('promises 1.5: an unusable font causes a warning, and the form waits for none', () => {
  it.each<[string, object, RegExp]>([
    ['too large, as the page says', { font: 0, size: 400_000 }, /400000 bytes, more than 300000/],
    ['too large', { font: 0, bytes: new ArrayBuffer(LARGEST_FONT + 1) }, /300001 bytes, more than 300000/],
    ['not there', { font: 0, status: 404 }, /the status 404/],
    ['forbidden', { font: 0 }, /CORS.*connect-src/],
    ['no bytes', { font: 0, bytes: 'AAAA' }, /could not be fetched/],
    ['a view of bytes', { font: 0, bytes: new Uint8Array(8) }, /could not be fetched/],
    ['not to be asked for', {}, /script-src/],
  ])('a file that is %s', async (_, message, hint) => {
    const { answer, warnings } = follow([BRAND]);
    await answer({ type: 'font', ...message });
    expect(warnings).toEqual([expect.stringMatching(/^fonts: fonts\[0\] is not used: /)]);
    expect(warnings[0]).toMatch(hint);
    expect(made).toEqual([]);
  });

  it('a file that is no font', async () => {
    isFont = false;
    const { answer, warnings } = follow([BRAND]);
    await answer({ font: 0, bytes: new ArrayBuffer(8) });
    expect(warnings[0]).toContain('no font that this browser can read');
    expect(added).not.toHaveBeenCalled();
  });

  it('a late file, which is then not used', async () => {
    const { answer, clock, warnings } = follow([BRAND]);
    await clock.advance(9_999);
    expect(warnings).toEqual([]);
    await clock.advance(1);
    expect(warnings[0]).toContain('not arrived within 10 seconds');
    await answer({ font: 0, bytes: new ArrayBuffer(8) });
    expect(made).toEqual([]);
  });

  it('no file is requested before the intent has been read, and each only once', async () => {
    const view = signal('loading');
    const { asked, clock, warnings } = follow([BRAND], view);
    await clock.advance(60_000);
    expect([asked, warnings]).toEqual([[], []]);
    view.value = 'ready';
    view.value = 'confirming';
    expect(asked).toEqual([{ type: 'font', font: 0 }]);
  });

  it('a removed form causes no warning', async () => {
    const { clock, ending, warnings } = follow([BRAND]);
    ending.abort();
    await clock.advance(10_000);
    expect(warnings).toEqual([]);
  });

  it('more than four files: the first four are used', () => {
    const { asked, warnings } = follow([BRAND, BRAND, BRAND, BRAND, BRAND]);
    expect(asked).toHaveLength(4);
    expect(warnings[0]).toContain('Has 5 files; only the first 4');
  });

  it.each([7, 'Brand', { family: 'Brand' }, true])('%o is no list', (fonts) => {
    const { asked, warnings } = follow(fonts);
    expect(asked).toEqual([]);
    expect(warnings[0]).toContain('Must be a list');
  });

  it('an entry without a family, and one that no text uses', () => {
    const { asked, warnings } = follow([{ src: 'x' }, null, { family: 'Other' }]);
    expect(asked).toEqual([{ type: 'font', font: 2 }]);
    expect(warnings).toEqual([
      expect.stringContaining('must have a family'),
      expect.stringContaining('must have a family'),
      expect.stringContaining('Nothing is drawn in "Other" until fontFamily'),
    ]);
  });

  it.each([
    ['400; src: url(x)', {}],
    [0, 'slanted'],
    ['1001', null],
    ['100 900 1', 'normal;'],
  ])('a weight that is %o, and a style that is %o', async (weight, style) => {
    const { answer, warnings } = follow([{ ...BRAND, weight, style }]);
    await answer({ font: 0, bytes: new ArrayBuffer(8) });
    expect(warnings).toEqual([
      expect.stringMatching(/^fonts: The weight of "Brand" is ignored: it must be normal, bold, a number/),
      expect.stringMatching(/^fonts: The style of "Brand" is ignored: it must be normal, italic or oblique/),
    ]);
    expect(made[0]?.descriptors).toMatchObject({ weight: 'normal', style: 'normal' });
  });

  it.each([1, 400, '1000', 'bold', '100 900'])('a weight of %o is none of these', async (weight) => {
    const { answer, warnings } = follow([{ ...BRAND, weight }]);
    await answer({ font: 0, bytes: new ArrayBuffer(8) });
    expect(warnings).toEqual([]);
    expect(made[0]?.descriptors).toMatchObject({ weight: `${weight}` });
  });
});

describe("threat-model C9: the page's bytes", () => {
  it('are used only if requested, and only once', async () => {
    const { answer, warnings } = follow([BRAND]);
    const bytes = new ArrayBuffer(8);
    for (const font of [1, -1, '0', null, 4, NaN]) await answer({ font, bytes });
    expect(made).toEqual([]);
    await answer({ font: 0, bytes });
    await answer({ font: 0, bytes });
    expect(made).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});
