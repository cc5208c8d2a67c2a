/** Loaded only for a form with an appearance: the parser, and the styles of floating labels. */
import { resolveAppearance as read } from '../appearance/resolve.ts';
import { adoptStyles } from './first/adopt-styles.ts';
import floating from './styles/floating-labels.css?inline';

adoptStyles(floating);

export const resolveAppearance = read;
