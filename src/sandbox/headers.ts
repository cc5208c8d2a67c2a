import { CLIENT_ROUTES, STATIC_ROUTES } from '../api/routes.ts';

/** Where a document is served and of which release it is. */
export type Place = { origin: string; release: string };

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
 * (research 1.8). Any https page may embed it, and pages on this machine.
 */
export const contentSecurityPolicy = ({ origin, release }: Place): string => {
  const files = `${origin}${STATIC_ROUTES.release(release)}`;
  return [
    "default-src 'none'",
    `script-src ${files}`,
    `style-src ${files}`,
    `connect-src ${origin}${CLIENT_PATH}`,
    "img-src 'none'",
    "font-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors https: http://localhost:* http://127.0.0.1:*',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(isSecure(origin) ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
};

const isSecure = (origin: string): boolean => origin.startsWith('https:');

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

/** The headers of the frame document, but for how long it may be kept. */
export const frameHeaders = (place: Place): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy(place),
  'permissions-policy': DENIED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  // Both, or a cross-origin isolated shop cannot embed it.
  'cross-origin-resource-policy': 'cross-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'referrer-policy': 'no-referrer',
  'origin-agent-cluster': '?1',
  'x-content-type-options': 'nosniff',
  ...(isSecure(place.origin) ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
});

/** The headers of a script, a style or other file that any page may load, with integrity if it likes. */
export const assetHeaders = (contentType: string): Record<string, string> => ({
  'content-type': contentType,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
});

/** For how long an answer may be kept, by what its address promises (contract 2.1, 2.2 and 2.4). */
export const CACHE_CONTROL = {
  movingLoader: 'public, max-age=300, must-revalidate',
  movingFrame: 'no-cache',
  release: 'public, max-age=31536000, immutable',
} as const;
