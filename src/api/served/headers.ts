/**
 * The single source of the card form's addresses and headers. The sandbox sends these headers; the build writes them
 * for other servers (`dist/headers.json`, nginx, Caddy, Cloudflare); `verify:served` compares a running service with
 * them.
 */
import { CLIENT_ROUTES, STATIC_ROUTES } from '../routes.ts';
import type { InlineHashes } from './inline.ts';
import { DOCUMENT_FILES, FRAME_FILE } from './language-documents.ts';
import { LLMS_TXT } from './llms-address.ts';

export type Headers = Record<string, string>;

/** Inputs to the headers of a release. */
export type HostedRelease = {
  /** Scheme, host and port; or `ORIGIN`, which is replaced later. */
  origin: string;
  release: string;
  inline: InlineHashes;
  /** The headers that sign the loader (`signature.ts`), if it is signed. */
  signature?: Headers | undefined;
};

/** Headers of all files whose address matches; `*` stands for any path below a release. */
export type Rule = { address: string; headers: Headers };

/** Placeholder for the origin in build files, because the build doesn't know where they will be hosted. */
export const ORIGIN = '{origin}';

/** Returns true if an origin is safe inside a policy: a `Host` header may contain characters that end a directive. */
export const isPlainOrigin = (origin: string): boolean =>
  /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(origin);

/** Path of the client routes, for `connect-src`. */
const CLIENT_PATH = CLIENT_ROUTES.confirm.slice(
  0,
  CLIENT_ROUTES.confirm.indexOf('/client/') + '/client/'.length,
);

/**
 * The frame may load scripts, styles and data of its own release and hosted fonts, and call the client routes, nothing
 * else (threat-model 1.8). Inline scripts and styles are allowed by hash. Any https page may embed it. Directives that
 * fall back to `default-src` are not repeated: the header is part of the first response.
 */
export const contentSecurityPolicy = ({ origin, release, inline }: HostedRelease): string => {
  const files = `${origin}${STATIC_ROUTES.release(release)}`;
  const allow = (hashes: readonly string[]) => [...hashes.map((hash) => `'${hash}'`), files].join(' ');
  return [
    "default-src 'none'",
    `script-src ${allow(inline.scripts)}`,
    `style-src ${allow(inline.styles)}`,
    `connect-src ${origin}${CLIENT_PATH} ${files}`,
    "font-src 'self'",
    "worker-src 'none'", // would fall back to `script-src`
    "base-uri 'none'",
    "form-action 'none'",
    FRAME_ANCESTORS,
    "require-trusted-types-for 'script'",
    // The form uses no DOM sink, so it needs no Trusted Types policy. Injected code can't create one either.
    "trusted-types 'none'",
    UPGRADE,
  ].join('; ');
};

/** Any web page may embed the form. Apps need the owner's permission (`app-schemes.ts`). */
export const FRAME_ANCESTORS = 'frame-ancestors https:';
const UPGRADE = 'upgrade-insecure-requests';
const HSTS = 'strict-transport-security';

/** Browser features that a card form doesn't use. */
const DENIED_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

export const PERMISSIONS_POLICY = DENIED_FEATURES.map((feature) => `${feature}=()`).join(', ');

/**
 * Lets the page measure the load times of these files like its own. They are the same for everyone, so sizes and times
 * say nothing about the buyer (threat-model 1.8). Never for the client routes.
 */
const MEASURABLE = { 'timing-allow-origin': '*' };

/**
 * Connections allowed to the document, including kinds that no other policy covers: navigations of the frame and of
 * windows it opens, and WebRTC (threat-model 1.8). Chromium 152 and later.
 */
export const ALLOWED_CONNECTIONS = '(response-origin)';

const frameHeaders = (hosted: HostedRelease): Headers => ({
  'content-type': 'text/html; charset=utf-8',
  'connection-allowlist': ALLOWED_CONNECTIONS,
  'content-security-policy': contentSecurityPolicy(hosted),
  // Every script the frame loads has a hash in the document (`integrity.ts`); the browser requests no others.
  'integrity-policy': 'blocked-destinations=(script)',
  'permissions-policy': PERMISSIONS_POLICY,
  // A cross-origin isolated shop can embed the frame only with both.
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
  'origin-agent-cluster': '?1',
  'x-content-type-options': 'nosniff',
  [HSTS]: 'max-age=63072000; includeSubDomains',
  ...MEASURABLE,
  vary: 'Accept-Encoding',
});

/** Any page may load these files, with `integrity` if it wants. */
const assetHeaders = (contentType: string): Headers => ({
  'content-type': contentType,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  ...MEASURABLE,
  vary: 'Accept-Encoding',
});

const SCRIPT = assetHeaders('text/javascript; charset=utf-8');
const STYLE = assetHeaders('text/css; charset=utf-8');
const DATA = assetHeaders('application/json');
const TEXT = assetHeaders('text/plain; charset=utf-8');

const FONT = assetHeaders('font/woff2');

/** Cache lifetimes of responses (contract 2.1, 2.2 and 2.4). */
const FIVE_MINUTES = { 'cache-control': 'public, max-age=300, must-revalidate' };
const REVALIDATE = { 'cache-control': 'no-cache' };
const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' };

/** All addresses of the card form and its documentation, with their headers. Paths without a rule are not served. */
export const headerRules = (hosted: HostedRelease): readonly Rule[] => {
  const release = STATIC_ROUTES.release(hosted.release);
  const loader = { ...SCRIPT, ...hosted.signature };
  return [
    { address: STATIC_ROUTES.loader, headers: { ...loader, ...FIVE_MINUTES } },
    { address: STATIC_ROUTES.frame, headers: { ...frameHeaders(hosted), ...REVALIDATE } },
    // All languages share the same scripts and styles.
    ...[FRAME_FILE, DOCUMENT_FILES].map((file) => ({
      address: release + file,
      headers: { ...frameHeaders(hosted), ...IMMUTABLE },
    })),
    // Separate rules, because Cloudflare joins the headers of all matching rules.
    { address: `${release}card-form.js`, headers: { ...loader, ...IMMUTABLE } },
    { address: `${release}page.js`, headers: { ...SCRIPT, ...IMMUTABLE } },
    { address: `${release}mistakes.js`, headers: { ...SCRIPT, ...IMMUTABLE } },
    { address: `${release}page-gives.js`, headers: { ...SCRIPT, ...IMMUTABLE } },
    { address: `${release}page-look.js`, headers: { ...SCRIPT, ...IMMUTABLE } },
    { address: `${release}assets/*.js`, headers: { ...SCRIPT, ...IMMUTABLE } },
    { address: `${release}assets/*.json`, headers: { ...DATA, ...IMMUTABLE } },
    { address: `${release}assets/*.woff2`, headers: { ...FONT, ...IMMUTABLE } },
    { address: `${release}*.css`, headers: { ...STYLE, ...IMMUTABLE } },
    { address: LLMS_TXT, headers: { ...TEXT, ...FIVE_MINUTES } },
  ];
};

/** A path segment. It can't start with a dot, so it is neither `..` nor a hidden file. */
export const PATH_SEGMENT = '[A-Za-z0-9_][A-Za-z0-9_.+-]*';

/** A rule's address as a regular expression, for JavaScript and nginx. */
export const addressPattern = (address: string): string =>
  `^${address
    .split('*')
    .map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    .join(`(?:${PATH_SEGMENT}/)*${PATH_SEGMENT}`)}$`;

/** The headers of a path; `null` if nothing is served there. */
export const headersAt = (path: string, rules: readonly Rule[]): Headers | null =>
  rules.find(({ address }) => new RegExp(addressPattern(address)).test(path))?.headers ?? null;

/**
 * Headers for plain http, used only on a developer's own machine: no HSTS and no https upgrades, and pages of that
 * machine may embed the form.
 */
export const withoutHttps = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== HSTS)
      .map(([name, value]) => [
        name,
        name === 'content-security-policy'
          ? value
              .replace(FRAME_ANCESTORS, `${FRAME_ANCESTORS} http://localhost:* http://127.0.0.1:*`)
              .replace(`; ${UPGRADE}`, '')
          : value,
      ]),
  );
