/**
 * The rules of headers.ts as configuration for Caddy 2.6 or later, using only standard modules.
 *
 * As with nginx (nginx.ts), each release has its own file with all its rules. A marker file, which Caddy looks up on
 * every request, selects the release at the moving addresses.
 *
 * Caddy builds its own ETag from time and size, which two releases can share. So the moving addresses get an ETag built
 * from their content, and Caddy never sees the conditional headers of requests to them. The same expression as for
 * nginx chooses the coding, not `precompressed`, because the ETag depends on it.
 */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { acceptPattern, CODINGS, type Coding, codingsIn, isCompressed } from '../../api/served/codings.ts';
import { addressPattern, type Headers, ORIGIN, type Rule } from '../../api/served/headers.ts';
import { languageRules, pathInLanguage } from '../../api/served/language-documents.ts';
import { LLMS_TXT } from '../../api/served/llms-address.ts';
import type { HeadersFile } from './manifest.ts';
import { answersOf, MOVING_FILES, MOVING_FOLDER, type ReleaseStatus } from './moving.ts';

/** Variables that the service's owner sets beside the import. */
const ROOT = '{vars.card_form_root}';
const OWN_ORIGIN = '{vars.card_form_origin}';

/** Variables of a request. */
const SUFFIX = '{vars.card_form_suffix}';
const CODING = '{vars.card_form_coding}';
const RELEASE = '{vars.card_form_release}';
/** The document's language before its extension, with a dot; empty for English. */
const LANGUAGE = '{vars.card_form_language}';

/**
 * The moving addresses, and everything else below `/partner/v1/card-form/`, where nothing is served. Imports the file
 * of each release. `releases` are the selectable ones, newest first; `fallback` is used without a marker: see
 * `nginxMoving`.
 */
export const caddyMoving = (rules: readonly Rule[], releases: readonly string[], fallback: string): string =>
  [
    '# The card form: moving addresses. Generated. Import it in a site block, after',
    '#',
    '#   vars card_form_root /srv/card-form             # the folder that holds partner/',
    '#   vars card_form_origin https://pay.example      # this server, as browsers know it',
    '',
    `@card_form path_regexp ${quoted(`^(${[STATIC_ROUTES.loader, LLMS_TXT].map(literal).join('|')}|${FOLDER}.*)$`)}`,
    'handle @card_form {',
    ...indented([
      'route {',
      ...indented([
        `@card_form_moving path_regexp ${quoted(`^(${MOVING_ADDRESSES})$`)}`,
        `vars @card_form_moving card_form_release ${quoted(fallback)}`,
        ...releases.flatMap((release) => [
          ...matcher(`@card_form_moving_${release}`, [
            `path_regexp ${quoted(`^(${MOVING_ADDRESSES})$`)}`,
            'file {',
            ...indented([`root ${ROOT}`, `try_files /${MOVING_FOLDER}/${release}`]),
            '}',
          ]),
          `vars @card_form_moving_${release} card_form_release ${quoted(release)}`,
        ]),
        'import card-form-*.caddy',
        ...rules
          .filter(({ address }) => address === LLMS_TXT)
          .flatMap(({ address, headers }) =>
            handled('@card_form_llms', address, [...chooseCoding(CODINGS), ...servedFrom(address, headers)]),
          ),
        'respond 404',
      ]),
      '}',
    ]),
    '}',
    '',
  ].join('\n');

/**
 * The addresses of one release, whose content never changes, and its answers at the moving addresses: see
 * `nginxRelease`.
 */
export const caddyRelease = (
  rules: readonly Rule[],
  { release, codings, languages }: Omit<HeadersFile, 'rules'>,
  tags: ReadonlyMap<string, string>,
  status: ReleaseStatus = 'served',
): string => {
  const folder = STATIC_ROUTES.release(release);
  const answers = answersOf(rules, { release, languages }, tags, status);
  const own = answers.own.map(({ address, headers, file, languages }) => ({
    address,
    lines: [
      ...chooseLanguage(languages),
      ...servedFrom(file === null ? '{path}' : pathInLanguage(file, languages, LANGUAGE), headers),
    ],
  }));
  const moving = answers.moving.map(({ address, headers, file, languages, tag }) => {
    const etag = `"${tag}${languages.length > 0 ? LANGUAGE : ''}${SUFFIX}"`;
    return {
      address,
      lines: [
        ...chooseLanguage(languages),
        ...headerBlock({ ...headers, etag }),
        `@known header If-None-Match ${quoted(`*${etag}*`)}`,
        'respond @known 304',
        'request_header -If-None-Match',
        'request_header -If-Modified-Since',
        ...fileLines(pathInLanguage(file, languages, LANGUAGE), headers),
      ],
    };
  });
  return [
    `# The card form: release ${release}. Generated. Keep it as long as pages may load this release.`,
    '',
    `@card_form_own_${release} path_regexp ${quoted(addressPattern(folder).replace(/\$$/, ''))}`,
    `vars @card_form_own_${release} card_form_release ${quoted(release)}`,
    `@card_form_${release} vars ${RELEASE} ${quoted(release)}`,
    `handle @card_form_${release} {`,
    ...indented([
      'route {',
      ...indented([
        ...chooseCoding(codings),
        ...[...own, ...moving].flatMap(({ address, lines }, index) =>
          handled(`@card_form_${release}_${index}`, address, lines),
        ),
        'respond 404',
      ]),
      '}',
    ]),
    '}',
    '',
  ].join('\n');
};

/** Case-sensitive, unlike Caddy's `path`. */
const literal = (address: string): string => addressPattern(address).slice(1, -1);
const MOVING_ADDRESSES = [...MOVING_FILES.keys()].map(literal).join('|');
const FOLDER = literal(STATIC_ROUTES.release('').replace(/\/\/$/, '/'));

/** A Caddyfile token. Throws if the value has a brace that Caddy would read as a placeholder. */
const quoted = (value: string): string => {
  if (/[{}]/.test(value.replaceAll(/\{(vars\.card_form_\w+|path)\}/g, '')))
    throw new Error(`A header for Caddy was expected without braces; got ${value}`);
  return `"${value.replaceAll('"', '\\"')}"`;
};

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line === '' ? line : `\t${line}`));

const matcher = (name: string, lines: readonly string[]): readonly string[] => [
  `${name} {`,
  ...indented(lines),
  '}',
];

/** Sets the coding the browser gets and its file suffix; if unset, it gets the plain file. */
const chooseCoding = (codings: readonly Coding[]): readonly string[] =>
  codingsIn(codings).flatMap(([coding, suffix]) => [
    `@${coding} header_regexp Accept-Encoding ${quoted(`(?i)${acceptPattern(coding)}`)}`,
    `vars @${coding} card_form_coding ${coding}`,
    `vars @${coding} card_form_suffix ${suffix}`,
  ]);

/** Sets the language that the address requests. */
const chooseLanguage = (languages: readonly string[]): readonly string[] =>
  languages.length === 0
    ? []
    : languageRules(languages).flatMap(({ pattern, language }, index) => [
        `@language${index} vars_regexp language${index} {query} ${quoted(pattern)}`,
        `vars @language${index} card_form_language .${language ?? `{re.language${index}.1}`}`,
      ]);

/** The lines in order, for requests to this address. */
const handled = (name: string, address: string, lines: readonly string[]): readonly string[] => [
  `${name} path_regexp ${quoted(addressPattern(address))}`,
  `handle ${name} {`,
  ...indented(['route {', ...indented(lines), '}']),
  '}',
];

const servedFrom = (file: string, headers: Headers): readonly string[] => [
  ...headerBlock(headers),
  ...fileLines(file, headers),
];

/** Serves a file, or its compressed form, without redirects. */
const fileLines = (file: string, headers: Headers): readonly string[] => [
  `rewrite * ${file}${isCompressed(headers) ? '' : SUFFIX}`,
  'file_server {',
  ...indented([`root ${ROOT}`, 'disable_canonical_uris']),
  '}',
];

/** Deferred until the response is sent, so that these replace the file server's headers and errors don't get them. */
const headerBlock = (headers: Headers): readonly string[] => [
  'header {',
  ...indented([
    'defer',
    '-Last-Modified',
    ...Object.entries(headers).map(
      ([name, value]) => `${name} ${quoted(value.replaceAll(ORIGIN, OWN_ORIGIN))}`,
    ),
  ]),
  '}',
  ...(isCompressed(headers)
    ? []
    : [
        `@coded vars ${CODING} ${CODINGS.join(' ')}`,
        'header @coded {',
        ...indented(['defer', `Content-Encoding ${CODING}`]),
        '}',
      ]),
];
