/**
 * `npm run update:numbers`: writes `number-patterns.json` beside this file: how each of the form's languages formats
 * dollars, euros and plain numbers in each region.
 *
 * The data is CLDR's, from the `Intl` of the running Node. It is in the repository, with its versions, so that every
 * Node builds the same form: ICU 78.2 and 78.3 differ in what both call CLDR 48.0. Read the difference, since buyers
 * see it.
 *
 * Plain JavaScript, so that Node runs it directly.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('number-patterns.json', import.meta.url);

/** The three parts of a pattern, in this order. */
const KINDS = [
  { style: 'currency', currency: 'USD' },
  { style: 'currency', currency: 'EUR' },
  { maximumFractionDigits: 3 },
];

/** A catalog's file is named after its language. `zh-Hans` is for readers of simplified characters in Hong Kong. */
const languages = () => [
  ...readdirSync(new URL('.', import.meta.url))
    .flatMap((name) => /^([a-z]{2}(?:-Hant)?)\.ts$/.exec(name)?.[1] ?? [])
    .sort(),
  'zh-Hans',
];

/** Every region with a name, including deprecated ones, because a browser's tag may contain any. */
const regions = () => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => names.of(code));
};

/**
 * One kind of number in one locale, separated by bars: the text before and after, the same for negative numbers, the
 * group and decimal separators, the minimum number of digits for grouping, the size of every group but the last, and
 * the zero.
 */
const patternOf = (tag, kind) => {
  const format = new Intl.NumberFormat(tag, kind);
  const around = (value) => {
    const parts = format.formatToParts(value);
    const isNumber = parts.map(({ type }) => ['integer', 'group', 'decimal', 'fraction'].includes(type));
    const text = (some) => some.map(({ value: part }) => part).join('');
    return [text(parts.slice(0, isNumber.indexOf(true))), text(parts.slice(isNumber.lastIndexOf(true) + 1))];
  };
  const long = format.formatToParts(12_345_678.5);
  const first = (type) => long.find((part) => part.type === type)?.value ?? '';
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

const { cldr, icu } = process.versions;
const { icu: former } = JSON.parse(readFileSync(FILE, 'utf8'));
if (Number(icu) < Number(former))
  throw new Error(
    `number-patterns.json is of ICU ${former}; this Node has ${icu}. Use a newer Node. Nothing was written.`,
  );
const patterns = [];
const numberOf = (tag) => {
  const pattern = KINDS.map((kind) => patternOf(tag, kind)).join('\n');
  if (!patterns.includes(pattern)) patterns.push(pattern);
  return patterns.indexOf(pattern);
};
const byLanguage = languages().map((language) => {
  const usual = numberOf(language);
  const others = new Map();
  for (const region of regions()) {
    const pattern = numberOf(`${language}-${region}`);
    if (pattern !== usual) others.set(pattern, (others.get(pattern) ?? '') + region);
  }
  return [language, [usual, ...[...others].flat()]];
});
// One line per pattern and language, so that a diff names what changed.
const lines = (some) => some.map((one) => `    ${one}`).join(',\n');
writeFileSync(
  FILE,
  `{
  "cldr": ${JSON.stringify(cldr)},
  "icu": ${JSON.stringify(icu)},
  "patterns": [
${lines(patterns.map((pattern) => JSON.stringify(pattern)))}
  ],
  "byLanguage": {
${lines(byLanguage.map(([language, row]) => `${JSON.stringify(language)}: ${JSON.stringify(row)}`))}
  }
}
`,
);
console.log(
  `number-patterns.json: ${byLanguage.length} languages, ${patterns.length} patterns of CLDR ${cldr} in ICU ${icu}`,
);
