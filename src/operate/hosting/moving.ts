/** Shared by all servers' rules: the addresses that move with a release, and the marker that moves them. */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { FRAME_FILE } from './language-documents.ts';

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

/** The release file that a moving address serves; undefined for any other address. */
export const movingFile = (address: string): string | undefined => MOVING_FILES.get(address);
