import type { HandshakeResult } from '../../channel/handshake.ts';
import { ownProperty } from '../../channel/own-property.ts';
import type { PageLink } from './page-link.ts';

/** Loads the developer hints if the page is on the developer's machine or has set `debug`. */
export const loadDevHints = (
  { data, origin }: Pick<HandshakeResult, 'data' | 'origin'>,
  { askCovers, diagnostics, warn, advise }: PageLink,
): void => {
  const isLocal = isLoopback(origin);
  if (ownProperty(data, 'debug') !== true && !isLocal) return;
  void askCovers([NOWHERE]); // warns of a policy without the script's folder before the first press
  const { clientSecret: _, ...options } = Object(data); // nothing keeps the secret
  const publishableKey = `${ownProperty(data, 'publishableKey')}`;
  import('../merchant/dev-hints.ts')
    .then(({ createDevHints }) =>
      advise(createDevHints({ options, diagnostics, isLocal, publishableKey, warn })),
    )
    .catch(() => undefined); // no payment needs them
};

/** A line with no extent, which nothing covers. */
const NOWHERE = { left: 0, top: 0, length: 0, height: 0 };

/** True if this origin is on the developer's machine. */
const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(localhost|[^/:]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
