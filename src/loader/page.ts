/**
 * What the loader fetches on demand, as one file beside it: forms in markup, where the script's tag asks for them, and
 * what the press guard asks of the page, once a buyer comes to a form.
 */
import { start } from './elements.ts';
import { sightOf } from './sight.ts';

export { sightOf, start };
