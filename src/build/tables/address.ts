/**
 * Runs at build time, never in the browser: converts Google's address data (`metadata/countries.json`) into the formats
 * of `format.ts`. The first country's is bundled. The others are data files of the frame; elsewhere (development, tests,
 * the fake form) they are modules.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { COUNTRIES } from '../../form/address/country-codes.ts';
import type {
  AddressField,
  AddressFormat,
  CityWord,
  PostalCodes,
  PostalWord,
  StateOption,
  StateWord,
} from '../../form/address/format.ts';
import { FIRST_COUNTRY } from '../../form/address/hint.ts';
import type { StateCodes } from '../../form/address/state-by-code.ts';
import { integrityPlaceholder } from '../integrity.ts';

/** Countries whose format is bundled with the form; others are fetched when selected. */
const INLINE: readonly string[] = [FIRST_COUNTRY];
const MODULE = 'virtual:address-data';

/** Fetches a data file of the frame and checks its hash. */
const FETCH_DATA = fileURLToPath(new URL('../../form/frame/first/data-file.ts', import.meta.url));

/** Ours: the postal code comes before the state that it fills in, and the city after both. */
const CODE_FIRST: readonly string[] = ['US'];

/** Countries whose postal codes fill in the state. */
const STATE_BY_CODE: readonly string[] = ['US', 'JP'];

/** Ours: corrects the data where two states claim a code that belongs to one, by the state's value. */
const CODES_OF: Readonly<Record<string, string>> = {
  CT: '06(?!390)', // Fishers Island
  ID: '83(?!414)[2-9]', // Alta
  OK: '73(?!301|344)|74', // Austin
  VT: '05(?!501|544)', // Andover
  静岡県: '4[1-3]', // all of 41 to 49 in the data
};

/** File of every country that has a list of states and is not in `REGIONS`. All of these lists are short. */
const SHORT_LISTS = 'elsewhere';

/** File of all countries without a list of states. */
const OTHERS = 'others';

/** Countries with a long list of states share a file of at most 4.5 kB with their neighbours. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  americas: ['AR', 'BR', 'BS', 'CA', 'CO', 'CU', 'MX', 'PE', 'VE'],
  europe: ['AM', 'ES', 'IE', 'IT', 'RU', 'UA'],
  'south-asia': ['EG', 'ID', 'IN', 'IR', 'NG', 'PH', 'TR'],
  'east-asia': ['CN', 'JP', 'KP', 'KR', 'TH', 'TW', 'VN'],
};

/** Longest format, in characters, of a country in none of the regions. */
const LONGEST_ELSEWHERE = 900;

/** The fields we use of a country's data. */
type Source = {
  fmt?: string;
  /** The order in Latin script, if there are two. */
  lfmt?: string;
  zip?: string;
  zipex?: string;
  require?: string;
  lang?: string;
  state_name_type?: StateWord;
  locality_name_type?: CityWord;
  zip_name_type?: PostalWord;
  /** `zip`: a regular expression for the start of its postal codes. */
  sub_regions?: { key: string; name: { default: string } & Record<string, string>; zip?: string }[];
};

/** The data's own defaults (its entry "ZZ"), for countries without an order or required fields. */
const DEFAULT_ORDER = '%A%n%C';
const DEFAULT_NEEDS = 'AC';

/** Ours: the data has one English word for postal codes, but these countries use another. */
const POSTCODE: readonly string[] = ['AU', 'GB', 'GG', 'IM', 'JE', 'NZ'];
const POSTAL_WORD: Readonly<Record<string, PostalWord>> = {
  ...Object.fromEntries(POSTCODE.map((country) => [country, 'postcode' as const])),
  BR: 'cep',
};

/** The fields of each letter in an order. Letters without a field in the service are omitted. */
const FIELDS: Readonly<Record<string, readonly AddressField[]>> = {
  A: ['line1', 'line2'],
  C: ['city'],
  S: ['state'],
  Z: ['postal_code'],
};

/** A country's format. */
export const compileFormat = (country: string): AddressFormat => compile(country, read(country));

/** The start of the postal codes of each state of a country, by the state's value. */
export const compileCodes = (country: string): StateCodes => {
  const { sub_regions: regions = [] } = read(country);
  const states = compileFormat(country).states ?? [];
  return Object.fromEntries(
    regions.flatMap(({ zip }, index) => {
      const { value } = states[index] ?? {};
      return zip && value ? [[value, CODES_OF[value] ?? zip] as const] : [];
    }),
  );
};

/** Serves `virtual:address-data` (`form/address/address-data.d.ts`) and emits the files of the frame. */
export const addressData = (): Plugin => {
  let isBuild = false;
  return {
    name: 'address-data',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === MODULE || id.startsWith(`${MODULE}/`) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${MODULE}`) return indexModule(isBuild && this.environment.name === FRAME);
      const [, name] = id.split(`\0${MODULE}/`);
      return name === undefined ? null : `export default ${JSON.stringify(contentOf(name))};`;
    },
    generateBundle() {
      if (this.environment.name !== FRAME) return;
      for (const name of FILES)
        this.emitFile({ type: 'asset', fileName: pathOf(name), source: JSON.stringify(contentOf(name)) });
    },
  };
};

/** The frame's environment in `outputs.ts`. */
const FRAME = 'client';

/** Countries that are not bundled. */
const fetched = (): readonly string[] => COUNTRIES.filter((country) => !INLINE.includes(country));

/** Name of the country's file. */
const fileOf = (country: string): string => {
  const format = compileFormat(country);
  if (format.states === null) return OTHERS;
  const [region] = Object.entries(REGIONS).find(([, countries]) => countries.includes(country)) ?? [];
  if (region === undefined && JSON.stringify(format).length > LONGEST_ELSEWHERE)
    throw new Error(
      `${country} has a long list of states. Add it to a region in src/build/tables/address.ts.`,
    );
  return region ?? SHORT_LISTS;
};

const FILES: readonly string[] = ['codes', OTHERS, SHORT_LISTS, ...Object.keys(REGIONS)];

const pathOf = (name: string): string => `assets/address-${name}.json`;

/** Content of a file: codes or formats by country. */
const contentOf = (name: string): Readonly<Record<string, StateCodes | AddressFormat>> => {
  if (name === 'codes') return byCountry(STATE_BY_CODE, compileCodes);
  return byCountry(
    fetched().filter((country) => fileOf(country) === name),
    compileFormat,
  );
};

const byCountry = <Value>(countries: readonly string[], compiled: (country: string) => Value) =>
  Object.fromEntries(countries.map((country) => [country, compiled(country)]));

const indexModule = (isFrame: boolean): string => {
  const table = (name: string, values: Readonly<Record<string, unknown>>) =>
    `export const ${name} = ${JSON.stringify(values)};`;
  const hashes = Object.fromEntries(FILES.map((name) => [name, integrityPlaceholder(pathOf(name))]));
  const modules = FILES.map((name) => `'${name}': () => import('${MODULE}/${name}')`);
  return [
    table('atHand', byCountry(INLINE, compileFormat)),
    table(
      'fileOf',
      byCountry(
        fetched().filter((country) => fileOf(country) !== OTHERS),
        fileOf,
      ),
    ),
    ...(isFrame
      ? [
          `import { fetchData } from ${JSON.stringify(FETCH_DATA)};`,
          `const hashes = ${JSON.stringify(hashes)};`,
          "export const loadFile = (name) => fetchData('address-' + name, hashes[name]);",
        ]
      : [
          `const modules = { ${modules.join(', ')} };`,
          'export const loadFile = async (name) => (await modules[name]()).default;',
        ]),
  ].join('\n');
};

/** The data by country, written by `metadata/update.mjs`. */
const SOURCES: Readonly<Record<string, Source>> = JSON.parse(
  readFileSync(new URL('../../form/address/metadata/countries.json', import.meta.url), 'utf8'),
).countries;

const read = (country: string): Source => {
  const source = SOURCES[country];
  if (!source)
    throw new Error(
      `src/form/address/metadata/countries.json has no country ${country}. Remove it from src/form/address/countries.ts, or get newer data with npm run update:addresses.`,
    );
  return source;
};

const compile = (country: string, source: Source): AddressFormat => {
  const written = fieldsIn(source.fmt ?? DEFAULT_ORDER);
  const isCodeFirst = CODE_FIRST.includes(country);
  const fields = isCodeFirst ? codeFirst(written) : written;
  const latin = source.lfmt === undefined ? fields : fieldsIn(source.lfmt);
  const needs = Array.from(source.require ?? DEFAULT_NEEDS, (letter) => FIELDS[letter] ?? []).flat();
  const states = fields.includes('state') ? compileStates(source) : null;
  const translated = states?.some((state) => state.names) ?? false;
  return {
    fields,
    ...(isCodeFirst ? { written } : {}),
    ...(latin.join() === fields.join() ? {} : { latin }),
    needed: fields.filter((field) => field !== 'line2' && needs.includes(field)),
    labels: {
      city: source.locality_name_type ?? 'city',
      state: source.state_name_type ?? 'province',
      postal_code: source.zip_name_type ?? POSTAL_WORD[country] ?? 'postal',
    },
    postal: fields.includes('postal_code') ? compilePostalCodes(source) : null,
    states,
    ...(translated && source.lang ? { language: source.lang } : {}),
  };
};

const codeFirst = (fields: readonly AddressField[]): readonly AddressField[] => {
  const moved = ['postal_code', 'state', 'city'] as const;
  return [...fields.filter((field) => !moved.some((one) => one === field)), ...moved];
};

const fieldsIn = (order: string): readonly AddressField[] =>
  Array.from(order.matchAll(/%([ACSZ])/g), ([, letter = '']) => FIELDS[letter] ?? []).flat();

const compilePostalCodes = ({ zip, zipex = '' }: Source): PostalCodes | null => {
  if (!zip) return null;
  const examples = zipex.split(',');
  const separator = examples.map((example) => /[ -]/.exec(example)?.[0]).find((found) => found);
  return {
    pattern: zip,
    example: examples[0] ?? '',
    ...(separator ? { separator } : {}),
  };
};

/**
 * Sends a state's code if every state of the country has a code of letters, as buyers write it on envelopes. Otherwise
 * the codes are numbers that no buyer knows, and the name is sent.
 */
const compileStates = ({ sub_regions: regions = [] }: Source): readonly StateOption[] | null => {
  if (regions.length === 0) return null;
  const haveCodes = regions.every(({ key }) => /^[A-Z]{2,3}$/.test(key));
  return regions.map(({ key, name: { default: label, ...others } }) => {
    // The data has no Latin names for Hong Kong, but its keys are the Latin names.
    const latin = /^[A-Z][a-z]/.test(key) && !/\p{Script=Latin}/u.test(label) ? { latin: key } : {};
    const names = Object.fromEntries(
      Object.entries({ ...latin, ...others }).filter(([, name]) => name !== label),
    );
    return {
      value: haveCodes ? key : label,
      label,
      ...(Object.keys(names).length > 0 ? { names } : {}),
    };
  });
};
