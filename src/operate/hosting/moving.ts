/** What the rules for every server share: the addresses that move with a release, and the marker that moves them. */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { FRAME_FILE } from './language-documents.ts';

/** The folder of the marker, below the root. */
export const MOVING_FOLDER = 'moving';

/** What takes the place of the frame's document in a release that was withdrawn. */
export const WITHDRAWN_FILE = 'withdrawn.html';

/** Whether a release is served, or only says that it was withdrawn. */
export type ReleaseStatus = 'served' | 'withdrawn';

/** The moving addresses whose content is a file of a release, by that file's name. */
export const MOVING_FILES: ReadonlyMap<string, string> = new Map([
  [STATIC_ROUTES.loader, 'card-form.js'],
  [STATIC_ROUTES.frame, FRAME_FILE],
]);

/** The file of a release that a moving address answers with; undefined for any other address. */
export const movingFile = (address: string): string | undefined => MOVING_FILES.get(address);
