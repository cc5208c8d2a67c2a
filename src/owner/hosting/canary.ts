/**
 * Serves a new release to a share of visitors (docs/hosting.md). Only the loader is split: it loads the frame of its
 * own release, so one form never mixes two releases. Everything else at a moving address stays with the moving release.
 */
import { STATIC_ROUTES } from '../../api/routes.ts';
import type { Rule } from '../../api/served/headers.ts';

/** `share`: the percentage of visitors who get the loader of `release`. */
export type Canary = { release: string; share: number };

/** Path of nginx's split, which belongs in the `http` block. An include of `nginx/*.conf` doesn't match it. */
export const NGINX_SPLIT_FILE = 'nginx/http/card-form-canary.conf';

/** nginx variable with this visitor's release; empty for those who get the moving one. */
export const NGINX_SPLIT = '$card_form_canary';

/**
 * nginx's split. A visitor is an address plus a browser: this needs no cookie, and both stay the same for a visit. The
 * release name is the salt, so each canary gets different visitors. A larger share adds visitors and removes none,
 * because nginx divides the same range of hashes.
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

/** Rules while the loader is split: a shared cache must not give one visitor's loader to another. */
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
