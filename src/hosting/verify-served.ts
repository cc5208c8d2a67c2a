/**
 * `npm run verify:served -- <base url>`: holds a running service to the `dist/` this program lies in. Exits with
 * 0 where everything is as built, with 1 where anything differs (each difference is a line), with 2 where it
 * could not be asked.
 */
import { readFile } from 'node:fs/promises';
import { ask } from './ask.ts';
import { isPlainOrigin } from './headers.ts';
import { parseHeadersFile, parseIntegrityFile } from './manifest.ts';
import { SECURITY_TXT, securityTxtAt, TEMPLATE } from './security-txt.ts';
import { differencesAt } from './served.ts';

const USAGE =
  'Usage: npm run verify:served -- <base url>\nThe base url is scheme and host of the service, as in https://pay.example';

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
  await ask(`${origin}/`, {});
} catch (error) {
  stop(`${origin} cannot be asked: ${error instanceof Error ? error.message : error}`);
}
const { differences, isMissing } = await securityTxtAt(origin, ask, Date.now());
const found = [...(await differencesAt(origin, headers, integrity, ask)), ...differences];
for (const difference of found) console.error(difference);
const count = Object.keys(integrity.files).length;
console.log(
  found.length === 0
    ? `${origin}: ${count} addresses of release ${headers.release}, headers and content as built.`
    : `${origin}: ${found.length} differences from release ${headers.release} in ${count} addresses.`,
);
if (isMissing) {
  console.log(`Note: there is no ${SECURITY_TXT}. dist/${TEMPLATE} is one to fill in (RFC 9116).`);
}
process.exitCode = found.length === 0 ? 0 : 1;
