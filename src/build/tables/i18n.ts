/**
 * Runs at build time, never in the browser: asks `Intl` how each language writes dollars, euros and plain numbers in each
 * region, because the first `Intl` formatter in a browser is slow.
 */
import { readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

const MODULE = 'virtual:number-patterns';

/** Serves `virtual:number-patterns`. */
export const numberPatterns = (): Plugin => {
  return {
    name: 'number-patterns',
    resolveId: (id) => (id === MODULE ? `\0${id}` : null),
    load: (id) => (id === `\0${MODULE}` ? modulesText() : null),
  };
};

/** The three parts of a pattern, in this order. */
const KINDS: readonly Intl.NumberFormatOptions[] = [
  { style: 'currency', currency: 'USD' },
  { style: 'currency', currency: 'EUR' },
  { maximumFractionDigits: 3 },
];

/** A catalog's file has the name of its language. `zh-Hans` is for readers of simplified characters in Hong Kong. */
const languages = (): readonly string[] => [
  ...readdirSync(new URL('../../form/i18n', import.meta.url))
    .flatMap((name) => /^([a-z]{2}(?:-Hant)?)\.ts$/.exec(name)?.[1] ?? [])
    .sort(),
  'zh-Hans',
];

/** Every region with a name, including deprecated ones, because a browser's tag may contain any. */
const regions = (): readonly string[] => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => names.of(code));
};

const modulesText = (): string => {
  const patterns: string[] = [];
  const numberOf = (tag: string): number => {
    const pattern = KINDS.map((kind) => patternOf(tag, kind)).join('\n');
    if (!patterns.includes(pattern)) patterns.push(pattern);
    return patterns.indexOf(pattern);
  };
  const byLanguage = languages().map((language) => {
    const usual = numberOf(language);
    const others = new Map<number, string>();
    for (const region of regions()) {
      const pattern = numberOf(`${language}-${region}`);
      if (pattern !== usual) others.set(pattern, (others.get(pattern) ?? '') + region);
    }
    return [language, [usual, ...[...others].flat()]];
  });
  return [
    `export const patterns = ${JSON.stringify(patterns)};`,
    `export const byLanguage = ${JSON.stringify(Object.fromEntries(byLanguage))};`,
  ].join('\n');
};

/** One kind of number in one locale, for `money.ts`. */
const patternOf = (tag: string, kind: Intl.NumberFormatOptions): string => {
  const format = new Intl.NumberFormat(tag, kind);
  const around = (value: number): readonly [string, string] => {
    const parts = format.formatToParts(value);
    const isNumber = parts.map(({ type }) => ['integer', 'group', 'decimal', 'fraction'].includes(type));
    const text = (some: typeof parts) => some.map(({ value: part }) => part).join('');
    return [text(parts.slice(0, isNumber.indexOf(true))), text(parts.slice(isNumber.lastIndexOf(true) + 1))];
  };
  const long = format.formatToParts(12_345_678.5);
  const first = (type: string) => long.find((part) => part.type === type)?.value ?? '';
  const groups = long.filter(({ type }) => type === 'integer').map(({ value }) => value.length);
  const isGroupedFromFour = format.formatToParts(1234).some(({ type }) => type === 'group');
  const zero = format.formatToParts(0).find(({ type }) => type === 'integer')?.value ?? '0';
  return [
    ...around(1.5),
    ...around(-1.5),
    first('group'),
    first('decimal'),
    isGroupedFromFour ? 4 : 5,
    groups.at(-2) ?? 3,
    zero,
  ].join('|');
};
