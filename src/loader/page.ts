/**
 * The loader's second file, `page.js`, which it loads on demand: elements of pages without code, if the script tag has
 * `data-card-form`, and the check for covers, once the buyer enters the form.
 */

import { checkCovers } from './covers.ts';
import { start } from './no-code-elements.ts';

export { checkCovers, start };
