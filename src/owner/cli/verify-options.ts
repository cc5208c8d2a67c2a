import { basename } from 'node:path';
import * as z from 'zod/mini';
import { flag, integerFrom, matching, ORIGIN_URL, orNull, turned } from '../../api/command/flags.ts';
import { isPublicKey } from '../../api/served/signature.ts';
import { RELEASES_FILE } from '../release/releases-file.ts';

/** A node's address, with or without a port. */
export const node = matching(/^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i);

/** Flags of `card-form verify`. */
export const VERIFY_FLAGS = z.object({
  baseUrl: ORIGIN_URL,
  releases: flag(orNull(z.string().check(z.refine((path) => basename(path) === RELEASES_FILE))), {
    ...{ takes: RELEASES_FILE, expected: `the path of a file named ${RELEASES_FILE}` },
    description:
      'of the target folder of card-form release, or of a copy, with releases/ beside it (only the own build)',
  }),
  signedBy: flag(orNull(z.string().check(z.refine(isPublicKey))), {
    ...{ takes: 'ed25519-…', expected: 'a public key as pages pin it (ed25519- and 44 characters)' },
    description: 'the key that must have signed every script (the one that its release names, if any)',
  }),
  edges: flag(z._default(z.array(node), []), {
    ...{ takes: 'a,b,c', expected: 'nodes as host or host:port, with commas between them' },
    description: 'asks each of these nodes under the name of --base-url, and says which differ',
  }),
  timeLimit: flag(z._default(integerFrom(1, 86_400), 600), {
    ...{ takes: 'seconds', expected: 'a whole number of seconds from 1 to 86400' },
    description: 'how long all of it may take',
  }),
  anyCoding: turned(
    'accepts files that are not compressed as the build has them; without it, a lost brotli is a difference',
  ),
  json: turned(
    'prints a line of JSON for each fault, however many addresses have it, and the result in the last line',
  ),
});

export type ParsedVerify = z.output<typeof VERIFY_FLAGS>;
