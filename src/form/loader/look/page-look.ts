/** The loader's file `page-look.js`, which `page.js` loads for pages with `appearance.from`. */
export { readLook } from './take-over.ts';
