/** Shared by all servers' rules: the addresses that move with a release, and the marker that moves them. */
import { STATIC_ROUTES } from '../../api/routes.ts';
import type { Headers, Rule } from '../../api/served/headers.ts';
import { FRAME_FILE } from '../../api/served/language-documents.ts';
import type { HeadersFile } from './manifest.ts';

/** Folder of the marker, below the root. */
export const MOVING_FOLDER = 'moving';

/** Replaces the frame's document in a withdrawn release. */
export const WITHDRAWN_FILE = 'withdrawn.html';

/** A release is served, or only reports that it was withdrawn. */
export type ReleaseStatus = 'served' | 'withdrawn';

/** Moving addresses that serve a file of a release, with that file's name. */
export const MOVING_FILES: ReadonlyMap<string, string> = new Map([
  [STATIC_ROUTES.loader, 'card-form.js'],
  [STATIC_ROUTES.frame, FRAME_FILE],
]);

/** How a server answers at an address of a release. */
type Answer = {
  address: string;
  headers: Headers;
  /** The file it serves; null for the one at the address itself. */
  file: string | null;
  /** Languages in which there is such a file, apart from English. */
  languages: readonly string[];
};

/** The answers of a release at its own addresses, and at the moving ones with a hash of their content. */
export const answersOf = (
  rules: readonly Rule[],
  { release, languages }: Pick<HeadersFile, 'release' | 'languages'>,
  tags: ReadonlyMap<string, string>,
  status: ReleaseStatus,
): { own: readonly Answer[]; moving: readonly (Answer & { file: string; tag: string })[] } => {
  const folder = STATIC_ROUTES.release(release);
  const isWithdrawn = status === 'withdrawn';
  return {
    own: rules
      .filter(({ address }) => address.startsWith(folder))
      .map((rule) =>
        rule.address === folder + FRAME_FILE
          ? {
              ...rule,
              file: folder + (isWithdrawn ? WITHDRAWN_FILE : FRAME_FILE),
              languages: isWithdrawn ? [] : languages,
            }
          : { ...rule, file: null, languages: [] },
      ),
    moving: rules.flatMap((rule) => {
      const [name, tag] = [MOVING_FILES.get(rule.address), tags.get(rule.address)];
      return isWithdrawn || name === undefined || tag === undefined
        ? []
        : [{ ...rule, file: folder + name, tag, languages: name === FRAME_FILE ? languages : [] }];
    }),
  };
};
