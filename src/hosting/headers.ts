/**
 * Which headers the card form is served with, and at which addresses: the one source of it.
 *
 * The sandbox sends what stands here; the build writes it down for others to send (`dist/headers.json`, nginx,
 * Cloudflare); `verify:served` holds a running service to it. This folder knows addresses and files, nothing of
 * payments.
 */
import { CLIENT_ROUTES, STATIC_ROUTES } from '../api/routes.ts';
import type { InlineHashes } from './inline.ts';
import { LLMS_TXT } from './llms.ts';

export type Headers = Record<string, string>;

/** Where a frame document is served, of which release it is, and what stands in it. */
export type Place = {
  /** Scheme, host and port, or `ORIGIN` where they are put in later. */
  origin: string;
  release: string;
  inline: InlineHashes;
  /** What tells who made the loader (`signature.ts`); none where it is not signed. */
  signature?: Headers | undefined;
};

/** The headers of all files at some addresses; `*` stands for any path below a release. */
export type Rule = { address: string; headers: Headers };

/** Stands for the origin in what the build writes: it cannot know where it will be hosted. */
export const ORIGIN = '{origin}';

/** An origin that can stand in a policy: a `Host` may hold characters that would end a directive there. */
export const isPlainOrigin = (origin: string): boolean =>
  /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(origin);

/** The folder of the client routes, as a policy names it. */
const CLIENT_PATH = CLIENT_ROUTES.confirm.slice(
  0,
  CLIENT_ROUTES.confirm.indexOf('/client/') + '/client/'.length,
);

/**
 * What the frame may do: run its own release, style with it, call the client routes, nothing else
 * (research 1.8). What stands in the document itself is allowed by its hash. Any https page may embed it.
 */
export const contentSecurityPolicy = ({ origin, release, inline }: Place): string => {
  const files = `${origin}${STATIC_ROUTES.release(release)}`;
  const allow = (hashes: readonly string[]) => [...hashes.map((hash) => `'${hash}'`), files].join(' ');
  return [
    "default-src 'none'",
    `script-src ${allow(inline.scripts)}`,
    `style-src ${allow(inline.styles)}`,
    `connect-src ${origin}${CLIENT_PATH}`,
    "img-src 'none'",
    "font-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    EMBEDDERS,
    "require-trusted-types-for 'script'",
    // The form needs no sink and so no policy: none can be made, also not by what got in somehow.
    "trusted-types 'none'",
    UPGRADE,
  ].join('; ');
};

const EMBEDDERS = 'frame-ancestors https:';
const UPGRADE = 'upgrade-insecure-requests';
const PIN_HTTPS = 'strict-transport-security';

/** Every feature a card form has no use for. */
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

/** A policy that denies all of them. */
export const PERMISSIONS_POLICY = DENIED_FEATURES.map((feature) => `${feature}=()`).join(', ');

const frameHeaders = (place: Place): Headers => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(place),
  // Every script it loads has a hash in the document (`integrity.ts`). One without is not even asked for.
  'integrity-policy': 'blocked-destinations=(script)',
  'permissions-policy': PERMISSIONS_POLICY,
  // Both, or a cross-origin isolated shop cannot embed it.
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
  'origin-agent-cluster': '?1',
  'x-content-type-options': 'nosniff',
  [PIN_HTTPS]: 'max-age=63072000; includeSubDomains',
  vary: 'Accept-Encoding',
});

/** Of what any page may load, with integrity if it likes. */
const assetHeaders = (contentType: string): Headers => ({
  'content-type': contentType,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
});

const SCRIPT = assetHeaders('text/javascript; charset=utf-8');
const STYLE = assetHeaders('text/css; charset=utf-8');
const TEXT = assetHeaders('text/plain; charset=utf-8');

/** For how long an answer may be kept, by what its address promises (contract 2.1, 2.2 and 2.4). */
const FOR_MINUTES = { 'cache-control': 'public, max-age=300, must-revalidate' };
const UNTIL_ASKED = { 'cache-control': 'no-cache' };
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

/** Every address of the card form, and of its documentation, with its headers. What no rule names is not served. */
export const rulesOf = (place: Place): readonly Rule[] => {
  const release = STATIC_ROUTES.release(place.release);
  const loader = { ...SCRIPT, ...place.signature };
  return [
    { address: STATIC_ROUTES.loader, headers: { ...loader, ...FOR_MINUTES } },
    { address: STATIC_ROUTES.frame, headers: { ...frameHeaders(place), ...UNTIL_ASKED } },
    { address: `${release}frame.html`, headers: { ...frameHeaders(place), ...FOR_EVER } },
    // One by one: Cloudflare would join what two rules say of one address.
    { address: `${release}card-form.js`, headers: { ...loader, ...FOR_EVER } },
    { address: `${release}page.js`, headers: { ...SCRIPT, ...FOR_EVER } },
    { address: `${release}assets/*.js`, headers: { ...SCRIPT, ...FOR_EVER } },
    { address: `${release}*.css`, headers: { ...STYLE, ...FOR_EVER } },
    { address: LLMS_TXT, headers: { ...TEXT, ...FOR_MINUTES } },
  ];
};

/** One name in a path: it cannot start with a dot, so it cannot lead upwards or to a hidden file. */
export const NAME = '[A-Za-z0-9_][A-Za-z0-9_.+-]*';

/** A rule's address as the source of a regular expression, for us and for nginx. */
export const patternOf = (address: string): string =>
  `^${address
    .split('*')
    .map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    .join(`(?:${NAME}/)*${NAME}`)}$`;

/** The headers at this path, or `null` where nothing is served. */
export const headersAt = (path: string, rules: readonly Rule[]): Headers | null =>
  rules.find(({ address }) => new RegExp(patternOf(address)).test(path))?.headers ?? null;

/**
 * The same headers where there is no https, which is on the developer's own machine: what only https can keep
 * is left out, and pages of that machine may embed the form.
 */
export const withoutHttps = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== PIN_HTTPS)
      .map(([name, value]) => [
        name,
        name === 'content-security-policy'
          ? value
              .replace(EMBEDDERS, `${EMBEDDERS} http://localhost:* http://127.0.0.1:*`)
              .replace(`; ${UPGRADE}`, '')
          : value,
      ]),
  );
