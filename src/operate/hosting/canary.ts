/**
 * A new release for a share of visitors (docs/hosting.md). Only the loader is split: it brings the frame of its own release,
 * so two releases never mix in one form. Everything else at a moving address stays with the moving release.
 */
import { STATIC_ROUTES } from '../../api/routes.ts';
import type { Rule } from './headers.ts';

/** `share`: how many of a hundred visitors get the loader of `release`. */
export type Canary = { release: string; share: number };

/** The path of the split for nginx, which belongs in the `http` block. Not found by an include of `nginx/*.conf`. */
export const NGINX_SPLIT_FILE = 'nginx/http/card-form-canary.conf';

/** The variable of nginx with the release for this visitor; empty for those who get the moving one. */
export const NGINX_SPLIT = '$card_form_canary';

/**
 * The split for nginx. A visitor is an address with a browser: it needs no cookie, and both stay the same for a visit. The
 * name of the release is the salt, so that each canary has other visitors. A larger share adds visitors and takes none
 * away, because nginx divides the same range of hashes.
 */
export const nginxSplit = ({ release, share }: Canary): string =>
  [
    '# The card form: a release for a share of visitors. Generated. Include it in the `http` block.',
    '',
    `split_clients "$remote_addr $http_user_agent ${release}" ${NGINX_SPLIT} {`,
    `    ${share}% ${release};`,
    '    * "";',
    '}',
    '',
  ].join('\n');

/** The rules while the loader is split: a cache that many share must not give one visitor's loader to another. */
export const withSplitLoader = (rules: readonly Rule[]): readonly Rule[] =>
  rules.map(({ address, headers }) =>
    address === STATIC_ROUTES.loader
      ? {
          address,
          headers: {
            ...headers,
            'cache-control': (headers['cache-control'] ?? '').replace(/^public\b/, 'private'),
          },
        }
      : { address, headers },
  );
