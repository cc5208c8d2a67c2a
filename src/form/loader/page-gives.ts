/**
 * The loader's file `page-gives.js`, which `page.js` loads for pages with their own fonts, `addressLookup` or `keep`:
 * answers to the frame that only the page can give.
 */
export { fetchFont } from './fetch-font.ts';
export { allowParking } from './park.ts';
export { searchAddresses } from './search-addresses.ts';
