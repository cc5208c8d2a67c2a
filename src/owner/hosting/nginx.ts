/**
 * The rules of headers.ts as configuration for nginx, using only built-in modules.
 *
 * Each release has its own file with all its rules, including those of the moving addresses. The file of the moving
 * addresses only selects a release: the one named by the marker, an empty file `moving/<release>` below the root. nginx
 * looks up the marker on every request, so one rename moves loader, frame, policy, signature and ETag together. No
 * configuration that would have to be reloaded in step names the moving release.
 */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { acceptPattern, CODINGS, type Coding, codingsIn, isCompressed } from '../../api/served/codings.ts';
import { addressPattern, type Headers, ORIGIN, type Rule } from '../../api/served/headers.ts';
import { languageRules, pathInLanguage } from '../../api/served/language-documents.ts';
import { LLMS_TXT } from '../../api/served/llms-address.ts';
import { type Canary, NGINX_SPLIT } from './canary.ts';
import type { HeadersFile } from './manifest.ts';
import { answersOf, MOVING_FILES, MOVING_FOLDER, type ReleaseStatus } from './moving.ts';

/** Variables that the service's owner sets beside the include. */
const ROOT = '$card_form_root';
const OWN_ORIGIN = '$card_form_origin';

/**
 * The moving addresses. `releases` are the selectable ones, newest first; `fallback` is used without a marker.
 *
 * A rename between two of the tests can hide both files from one request. With the newest first, this happens only when
 * moving forward, and the request then gets the fallback. So the fallback is the release before the next one.
 *
 * With a canary, a share of visitors gets its release's loader; `nginxSplit` must be included as well.
 */
export const nginxMoving = (
  rules: readonly Rule[],
  releases: readonly string[],
  fallback: string,
  canary: Canary | null = null,
): string =>
  [
    '# The card form: moving addresses. Generated. Include it in a `server` block, after',
    '#',
    `#   set ${ROOT} /srv/card-form;             # the folder that holds partner/`,
    `#   set ${OWN_ORIGIN} https://pay.example;  # this server, as browsers know it`,
    '',
    ...Array.from(MOVING_FILES, ([address, file]) => [
      '',
      `location = ${address} {`,
      '    open_file_cache off;',
      `    set $card_form_release ${fallback};`,
      ...releases.flatMap((release) => [
        `    if (-f ${ROOT}/${MOVING_FOLDER}/${release}) {`,
        `        set $card_form_release ${release};`,
        '    }',
      ]),
      ...(canary === null || address !== STATIC_ROUTES.loader
        ? []
        : [`    if (${NGINX_SPLIT}) {`, `        set $card_form_release ${NGINX_SPLIT};`, '    }']),
      `    rewrite ^ ${STATIC_ROUTES.release('$card_form_release')}moving/${file} last;`,
      '}',
    ]).flat(),
    ...rules
      .filter(({ address }) => address === LLMS_TXT)
      .flatMap(({ address, headers }) => [
        '',
        `location = ${address} {`,
        ...PLAIN_FILES,
        ...chooseCoding(CODINGS),
        rewriteTo(address),
        ...headerLines(headers),
        '}',
      ]),
    '',
  ].join('\n');

/**
 * The addresses of one release, whose content never changes, and its answers at the moving addresses. `tags` maps each
 * moving address to a hash of its content. A withdrawn release serves `WITHDRAWN_FILE` as its frame.
 */
export const nginxRelease = (
  rules: readonly Rule[],
  { release, codings, languages }: Omit<HeadersFile, 'rules'>,
  tags: ReadonlyMap<string, string>,
  status: ReleaseStatus = 'served',
): string => {
  const folder = STATIC_ROUTES.release(release);
  const { own, moving } = answersOf(rules, { release, languages }, tags, status);
  const location = (what: string, lines: readonly string[]) => [
    '',
    ...[`location ${what} {`, ...lines, '}'].map((line) => `    ${line}`),
  ];
  return [
    `# The card form: release ${release}. Generated. Keep it as long as pages may load this release.`,
    '',
    `location ^~ ${folder} {`,
    '    return 404;',
    ...own.flatMap(({ address, headers, file, languages }) =>
      location(address.includes('*') ? `~ ${addressPattern(address)}` : `= ${address}`, [
        ...PLAIN_FILES,
        ...chooseLanguage(languages),
        ...(isCompressed(headers)
          ? []
          : [
              ...chooseCoding(codings),
              rewriteTo(file === null ? '$uri' : pathInLanguage(file, languages, LANGUAGE)),
            ]),
        ...headerLines(headers),
      ]),
    ),
    ...moving.flatMap(({ address, headers, file, languages, tag }) => {
      const variant = `${languages.length > 0 ? LANGUAGE : ''}$card_form_suffix`;
      return location(`= ${folder}moving/${MOVING_FILES.get(address)}`, [
        '    internal;',
        ...PLAIN_FILES,
        ...chooseLanguage(languages),
        // nginx builds its own ETag from time and size, which two releases can share.
        '    etag off;',
        ...chooseCoding(codings),
        `    set $card_form_known "${variant} $http_if_none_match";`,
        `    if ($card_form_known ~ "${knownPattern(tag)}") {`,
        '        return 304;',
        '    }',
        rewriteTo(pathInLanguage(file, languages, LANGUAGE)),
        ...headerLines({ ...headers, etag: `"${tag}${variant}"` }),
      ]);
    }),
    '}',
    '',
  ].join('\n');
};

/** Serves a file in the coding that `chooseCoding` chose. */
const rewriteTo = (file: string): string => `    rewrite ^ ${file}$card_form_suffix break;`;

/**
 * Matches an If-None-Match with the tag of the language and coding that would be sent; each has its own tag. The
 * pattern doesn't rely on the quote after the tag: inside the quotes of an `if`, nginx would need it escaped.
 */
const knownPattern = (tag: string): string => `^([^ ]*) .*${tag}\\1(?![.A-Za-z-])`;

/** The document's language before its extension, with a dot; empty for English. */
const LANGUAGE = '$card_form_language';

/** Sets the language that the address requests. */
const chooseLanguage = (languages: readonly string[]): readonly string[] =>
  languages.length === 0
    ? []
    : [
        `    set ${LANGUAGE} "";`,
        ...languageRules(languages).flatMap(({ pattern, language }) => [
          `    if ($args ~ "${pattern}") {`,
          `        set ${LANGUAGE} .${language ?? '$1'};`,
          '    }',
        ]),
      ];

/** Sets the coding the browser gets and its file suffix; both are empty for the plain file. */
const chooseCoding = (codings: readonly Coding[]): readonly string[] => [
  '    set $card_form_coding "";',
  '    set $card_form_suffix "";',
  ...codingsIn(codings).flatMap(([coding, suffix]) => [
    `    if ($http_accept_encoding ~* "${acceptPattern(coding)}") {`,
    `        set $card_form_coding ${coding};`,
    `        set $card_form_suffix ${suffix};`,
    '    }',
  ]),
];

/** Serves files unchanged: no type guessed from the name, no charset conversion, no second compression. */
const PLAIN_FILES = [`    root ${ROOT};`, '    types { }', '    charset off;', '    gzip off;'];

const headerLines = ({ 'content-type': contentType = '', ...headers }: Headers): readonly string[] => [
  `    default_type "${contentType}";`,
  '    add_header Last-Modified "";',
  ...(isCompressed({ 'content-type': contentType })
    ? []
    : ['    add_header Content-Encoding $card_form_coding;']),
  ...Object.entries(headers).map(
    ([name, value]) =>
      `    add_header ${name} "${value.replaceAll('"', '\\"').replaceAll(ORIGIN, OWN_ORIGIN)}";`,
  ),
];
