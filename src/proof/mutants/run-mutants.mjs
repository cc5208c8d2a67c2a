// npm run test:mutants [-- payment press …] [--concurrency n]: mutates the code area by area and runs its tests.
// Incremental: only what has changed since the last run is tested again. Reports go to mutants/, which git ignores.
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { scoreOf } from './score.mjs';

/** Minimum share of the covered mutants that must be killed, not counting the equivalent ones. */
const LEAST_SCORE = 0.95;

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const AREAS = read(beside('areas.json'));
const EQUIVALENTS = read(beside('equivalents.json'));

const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(AREAS, name));
if (unknown.length > 0 || !/^[1-9]\d*$/.test(values.concurrency)) {
  console.error(
    `Name areas of ${Object.keys(AREAS).join(', ')}, and --concurrency as a whole number from 1.`,
  );
  process.exit(1);
}

process.chdir(beside('../../..'));
mkdirSync('mutants', { recursive: true });

/** Mutates one area. Returns true if its score is high enough and the list of equivalents matches. */
const runArea = async (name) => {
  process.env.MUTANTS_AREA = name;
  const jsonReport = `mutants/${name}.json`;
  await new Stryker({
    mutate: [...AREAS[name].mutate, '!src/**/*.test.ts', '!src/**/*.fixture.ts', '!src/**/*.d.ts'],
    testRunner: 'vitest',
    // areas.json names an area's tests. Stryker's own search would add the slow ones.
    vitest: { configFile: 'src/proof/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    incremental: true,
    incrementalFile: `mutants/${name}.incremental.json`,
    tempDirName: `mutants/tmp-${name}`,
    ignorePatterns: ['/dist', '/e2e', '/docs', '/public', '/mutants', '/.build-*'],
    reporters: ['progress-append-only', 'json', 'html'],
    jsonReporter: { fileName: jsonReport },
    htmlReporter: { fileName: `mutants/${name}.html` },
    disableTypeChecks: false,
    // Stryker would read tsconfig.json through an API that TypeScript 7 lacks.
    tsconfigFile: 'none',
  }).runMutationTest();

  const { killed, equivalent, survived, notCovered, ignored, stale, score } = scoreOf(
    read(jsonReport),
    EQUIVALENTS,
  );
  for (const { at, mutator, original, replacement } of [...survived, ...notCovered])
    console.log(`${at} ${mutator}: ${original}  →  ${replacement}`);
  for (const { file, line, original, replacement } of stale)
    console.log(
      `Not a survivor, remove it from equivalents.json: ${file} "${line}": ${original}  →  ${replacement}`,
    );
  console.log(
    `${name}: ${(score * 100).toFixed(1)} % of ${killed + survived.length} covered mutants killed; ` +
      `${equivalent} equivalent, ${notCovered.length} not covered, ${ignored} ignored.`,
  );
  return score >= LEAST_SCORE && stale.length === 0;
};

let isFine = true;
for (const name of positionals.length > 0 ? positionals : Object.keys(AREAS))
  isFine = (await runArea(name)) && isFine;
process.exit(isFine ? 0 : 1);
