/**
 * `npm run verify:served -- <base url>`: compares a running service with the `dist/` that contains this program. Exits
 * with 0 if all is as built, with 1 if anything differs (a line for each difference), and with 2 if the service cannot
 * be reached.
 */
import { readFile } from 'node:fs/promises';
import { isPlainOrigin } from './headers.ts';
import { httpGet } from './http-get.ts';
import { parseHeadersFile, parseIntegrityFile } from './manifest.ts';
import { checkSecurityTxt, SECURITY_TXT, TEMPLATE } from './security-txt.ts';
import { findDifferences } from './served.ts';

const USAGE =
  'Usage: npm run verify:served -- <base url>\nThe base url is scheme and host of the service, such as https://pay.example';

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');

const stop = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const [given = '', ...others] = process.argv.slice(2);
const origin = given.replace(/\/$/, '');
if (others.length > 0 || !isPlainOrigin(origin)) stop(`${given ? `Got ${given}. ` : ''}${USAGE}`);

const headers = parseHeadersFile(await read('headers.json'));
const integrity = parseIntegrityFile(await read('sri.json'));
try {
  await httpGet(`${origin}/`, {});
} catch (error) {
  stop(`${origin} cannot be asked: ${error instanceof Error ? error.message : error}`);
}
const { differences, isMissing } = await checkSecurityTxt(origin, httpGet, Date.now());
const found = [...(await findDifferences(origin, headers, integrity, httpGet)), ...differences];
for (const difference of found) console.error(difference);
const count = Object.keys(integrity.files).length;
console.log(
  found.length === 0
    ? `${origin}: ${count} addresses of release ${headers.release}, headers and content as built.`
    : `${origin}: ${found.length} differences from release ${headers.release} in ${count} addresses.`,
);
if (isMissing) {
  console.log(`Note: there is no ${SECURITY_TXT}. Fill in the template dist/${TEMPLATE} (RFC 9116).`);
}
process.exitCode = found.length === 0 ? 0 : 1;
