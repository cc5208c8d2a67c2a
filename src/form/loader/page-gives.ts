/**
 * The loader's file `page-gives.js`, which `page.js` loads for pages that have fonts of their own, `addressLookup` or `keep`: what only
 * the page can give the frame, when it asks.
 */
export { fetchFont } from './fetch-font.ts';
export { allowParking } from './park.ts';
export { searchAddresses } from './search-addresses.ts';
