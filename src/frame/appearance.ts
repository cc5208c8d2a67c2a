/** What a form with an appearance needs besides, fetched when there is one: its reader, and a style for its labels. */
import { resolveAppearance as read } from '../appearance/resolve.ts';
import { adopt } from './first/adopt-styles.ts';
import floating from './styles/floating-labels.css?inline';

adopt(floating);

export const resolveAppearance = read;
