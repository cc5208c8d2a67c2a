/**
 * The rules of headers.ts as configuration for nginx, using built-in modules alone.
 *
 * Each release has a file of its own with all its rules, those of the moving addresses included. The file of the moving
 * addresses only chooses a release: the one that the marker names, an empty file `moving/<release>` below the root. nginx
 * looks for the marker on every request, so one rename moves loader, frame, policy, signature and ETag together. No
 * configuration that has to be reloaded in step names the release that is the moving one.
 */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { type Canary, NGINX_SPLIT } from './canary.ts';
import { acceptPattern, CODINGS, type Coding, codingsIn, isCompressed } from './codings.ts';
import { addressPattern, type Headers, ORIGIN, type Rule } from './headers.ts';
import { FRAME_FILE, languageRules } from './language-documents.ts';
import { LLMS_TXT } from './llms-address.ts';
import type { HeadersFile } from './manifest.ts';
import { MOVING_FILES, MOVING_FOLDER, movingFile, type ReleaseStatus, WITHDRAWN_FILE } from './moving.ts';

/** The variables that the owner of the service sets beside the include. */
const ROOT = '$card_form_root';
const OWN_ORIGIN = '$card_form_origin';

/**
 * The moving addresses. `releases` are those that may be chosen, the newest first; `fallback` is chosen without a marker.
 *
 * A rename between two of the tests can hide both files from one request. With the newest first this happens only
 * on the way forward, and the request then gets the fallback. So the fallback is the release before the next one.
 *
 * With a canary, the loader of a share of visitors is that of its release; `nginxSplit` has to be included, too.
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
        `    rewrite ^ ${address}$card_form_suffix break;`,
        ...headerLines(headers),
        '}',
      ]),
    '',
  ].join('\n');

/**
 * The addresses of one release, whose content never changes, and its answers at the moving addresses. `tags` maps each of
 * these to a hash of its content. A withdrawn release answers for its frame with `WITHDRAWN_FILE`.
 */
export const nginxRelease = (
  rules: readonly Rule[],
  { release, codings, languages }: Omit<HeadersFile, 'rules'>,
  tags: ReadonlyMap<string, string>,
  status: ReleaseStatus = 'served',
): string => {
  const folder = STATIC_ROUTES.release(release);
  return [
    `# The card form: release ${release}. Generated. Keep it as long as pages may load this release.`,
    '',
    `location ^~ ${folder} {`,
    '    return 404;',
    ...rules
      .filter(({ address }) => address.startsWith(folder))
      .flatMap(({ address, headers }) => {
        const isFrame = address === folder + FRAME_FILE;
        const file = !isFrame
          ? '$uri'
          : folder + (status === 'withdrawn' ? WITHDRAWN_FILE : inLanguage(FRAME_FILE, languages));
        return [
          '',
          ...[
            address.includes('*') ? `location ~ ${addressPattern(address)} {` : `location = ${address} {`,
            ...PLAIN_FILES,
            ...(isFrame && status === 'served' ? chooseLanguage(languages) : []),
            ...(isCompressed(headers)
              ? []
              : [...chooseCoding(codings), `    rewrite ^ ${file}$card_form_suffix break;`]),
            ...headerLines(headers),
            '}',
          ].map((line) => `    ${line}`),
        ];
      }),
    ...rules
      .filter(({ address }) => status === 'served' && movingFile(address) !== undefined && tags.has(address))
      .flatMap(({ address, headers }) => {
        const tag = tags.get(address) ?? '';
        const file = movingFile(address) ?? '';
        const spoken = file === FRAME_FILE ? languages : [];
        const variant = `${spoken.length > 0 ? LANGUAGE : ''}$card_form_suffix`;
        return [
          '',
          ...[
            `location = ${folder}moving/${file} {`,
            '    internal;',
            ...PLAIN_FILES,
            ...chooseLanguage(spoken),
            // nginx's own ETag is made of time and size, which two releases can share.
            '    etag off;',
            ...chooseCoding(codings),
            `    set $card_form_known "${variant} $http_if_none_match";`,
            `    if ($card_form_known ~ "${knownPattern(tag)}") {`,
            '        return 304;',
            '    }',
            `    rewrite ^ ${folder}${inLanguage(file, spoken)}$card_form_suffix break;`,
            ...headerLines({ ...headers, etag: `"${tag}${variant}"` }),
            '}',
          ].map((line) => `    ${line}`),
        ];
      }),
    '}',
    '',
  ].join('\n');
};

/**
 * Whether If-None-Match has the tag of the language and coding that would be sent, each of which has a tag of its own. Not
 * by the quote after it: inside the quotes of an `if`, nginx would need it escaped.
 */
const knownPattern = (tag: string): string => `^([^ ]*) .*${tag}\\1(?![.A-Za-z-])`;

/** The language of the document before its extension, with a dot; empty for English. */
const LANGUAGE = '$card_form_language';

/** The document in the language that was asked for. */
const inLanguage = (file: string, languages: readonly string[]): string =>
  languages.length > 0 ? file.replace('.', `${LANGUAGE}.`) : file;

/** Sets the language that the address asks for. */
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

/** Sets the coding that the browser gets and the suffix of its files; both are empty for the plain file. */
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

/** Serves files unchanged: no type guessed by name, no charset conversion, no second compression. */
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
