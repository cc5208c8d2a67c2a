/**
 * Runs at build time, never in the browser: creates the `@font-face` rules of the hosted fonts from the Fontsource
 * packages, which have one file per script. Each font also gets rules that draw a system font in its proportions, so
 * that nothing moves when the file arrives.
 */
import { readFileSync } from 'node:fs';
import { createFontStack } from '@capsizecss/core';
import arial from '@capsizecss/metrics/arial';
import dmSans from '@capsizecss/metrics/dMSans';
import ibmPlexSans from '@capsizecss/metrics/iBMPlexSans';
import inter from '@capsizecss/metrics/inter';
import montserrat from '@capsizecss/metrics/montserrat';
import notoSans from '@capsizecss/metrics/notoSans';
import nunitoSans from '@capsizecss/metrics/nunitoSans';
import openSans from '@capsizecss/metrics/openSans';
import roboto from '@capsizecss/metrics/roboto';
import sourceSans3 from '@capsizecss/metrics/sourceSans3';
import workSans from '@capsizecss/metrics/workSans';
import type { Plugin } from 'vite';
import { FALLBACK_FONTS, fallbackName, HOSTED_FONTS, type HostedFont } from '../../form/appearance/tokens.ts';

const MODULE = 'virtual:hosted-fonts';

/** Scripts needed for the form's languages and their addresses, where a font has them. */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const;

const METRICS = {
  'DM Sans': dmSans,
  'IBM Plex Sans': ibmPlexSans,
  Inter: inter,
  Montserrat: montserrat,
  'Noto Sans': notoSans,
  'Nunito Sans': nunitoSans,
  'Open Sans': openSans,
  Roboto: roboto,
  'Source Sans 3': sourceSans3,
  'Work Sans': workSans,
} satisfies Record<HostedFont, unknown>;

/** Names of system fonts in `local()`. Liberation Sans has the metrics of Arial. */
const LOCAL_NAMES = {
  Arial: ['Arial', 'ArialMT', 'Liberation Sans'],
  Roboto: ['Roboto', 'Roboto-Regular'],
} as const;

const SYSTEM_METRICS = { Arial: arial, Roboto: roboto };

/** A font's package. */
export const fontPackage = (family: HostedFont): string => `@fontsource-variable/${nameOf(family)}`;

/** Serves `virtual:hosted-fonts`. */
export const hostedFonts = (): Plugin => ({
  name: 'hosted-fonts',
  resolveId: (id) => (id === MODULE ? `\0${id}` : null),
  load: (id) => (id === `\0${MODULE}` ? fontsModule() : null),
});

const nameOf = (family: HostedFont): string => family.toLowerCase().replaceAll(' ', '-');

const fontsModule = (): string => {
  const imports: string[] = [];
  const ranges: string[] = [];
  const rangeOf = (range: string) => {
    if (!ranges.includes(range)) ranges.push(range);
    return `range${ranges.indexOf(range)}`;
  };
  const fonts = HOSTED_FONTS.map((family) => {
    const name = nameOf(family);
    const unicode = jsonOf(family, 'unicode.json');
    const faces = SCRIPTS.flatMap((script) => {
      const range = unicode[script];
      if (typeof range !== 'string') return [];
      const file = `file${imports.length}`;
      imports.push(
        `import ${file} from '${fontPackage(family)}/files/${name}-${script}-wght-normal.woff2?url';`,
      );
      return `[${file}, ${rangeOf(range)}]`;
    });
    return `'${family}': () => rules('${family}', '${weightsOf(family)}', [${faces.join(', ')}], ${JSON.stringify(fallbacksOf(family))})`;
  });
  return [
    ...imports,
    ...ranges.map((range, index) => `const range${index} = '${range}';`),
    'const rules = (family, weights, faces, fallbacks) => faces.map(([file, range]) =>',
    `  \`@font-face{font-family:"\${family}";font-weight:\${weights};font-display:swap;src:url("\${file}")format("woff2");unicode-range:\${range}}\``,
    ").join('') + fallbacks;",
    `export const fontFaces = { ${fonts.join(', ')} };`,
  ].join('\n');
};

/** Weights of a variable font, from lightest to boldest. */
const weightsOf = (family: HostedFont): string => {
  const { variable } = jsonOf(family, 'metadata.json');
  const text = JSON.stringify(variable);
  const [, least, most] = /"wght":\{[^}]*"min":"(\d+)","max":"(\d+)"/.exec(text) ?? [];
  if (!least || !most) throw new Error(`${fontPackage(family)} has no range of weights in metadata.json.`);
  return `${least} ${most}`;
};

/** Rules that give system fonts the proportions of this font. */
const fallbacksOf = (family: HostedFont): string =>
  FALLBACK_FONTS.map((system) => {
    const { fontFaces } = createFontStack([METRICS[family], SYSTEM_METRICS[system]], {
      fontFaceFormat: 'styleObject',
    });
    const [adjusted] = fontFaces;
    if (!adjusted) throw new Error(`There is no fallback for ${family}.`);
    const { ascentOverride, descentOverride, lineGapOverride, sizeAdjust } = adjusted['@font-face'];
    const sources = LOCAL_NAMES[system].map((name) => `local("${name}")`).join();
    return `@font-face{font-family:"${fallbackName(family, system)}";src:${sources};${[
      ['ascent-override', ascentOverride],
      ['descent-override', descentOverride],
      ['line-gap-override', lineGapOverride],
      ['size-adjust', sizeAdjust],
    ]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}:${value}`)
      .join(';')}}`;
  }).join('');

const jsonOf = (family: HostedFont, file: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../../node_modules/${fontPackage(family)}/${file}`, import.meta.url), 'utf8'),
  );
