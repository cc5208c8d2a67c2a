/**
 * What the loader fetches on demand, as one file beside it: forms in markup, where the script's tag asks for them, and
 * what the press guard asks of the page, once a buyer comes to a form.
 */

import { checkCovers } from './covers.ts';
import { start } from './no-code-elements.ts';

export { checkCovers, start };
