/** SECURITY.md and docs/threat-model.md name, for each claim about the code, a test that holds it. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/imports.ts';

/** Sections about what the form can't do, what others must do, or what is checked row by row elsewhere. */
const NO_CLAIM =
  /^(?:Security\n|Threat model\n|What the merchant must do|What no embed can prevent|Reporting|1\.1 |1\.9 |1\.10 |1\. |3\. |Next)/;

/**
 * The claims: each section, and each item, row and numbered attack in it. Sections 1.3 to 1.8 of the threat model name
 * their tests together.
 */
const claimsIn = (markdown: string): readonly string[] =>
  markdown
    .replaceAll(/^```.*?^```$/gms, '')
    .split(/^#+ /m)
    .slice(1)
    .filter((section) => !NO_CLAIM.test(section))
    .flatMap((section) => {
      const [before = ''] = section.split(/^A frame cannot know everything/m); // the rest are limits
      const rows = before.match(/^\| (?!---|Check |What |Attribute ).*\|$/gm) ?? [];
      const items = before.match(/^(?:- |\*\*\d).*(?:\n(?!- |\||\n).*)*/gm) ?? [];
      return /^1\.[3-8]/.test(section) ? [before] : [before, ...rows, ...items];
    });

const testsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|e2e)\/[^`]+\.(?:test|spec)\.tsx?)`/g)].map(([, path = '']) => path);

/** Claims that name no test and no command, and tests that no longer exist. */
const problemsIn = (markdown: string): readonly string[] => [
  ...claimsIn(markdown)
    .filter((claim) => testsIn(claim).length === 0 && !/\(the same file[,)]/.test(claim))
    .map((claim) => `no test holds: ${claim.slice(0, 60)}`),
  ...testsIn(markdown)
    .filter((path) => !existsSync(ROOT + path))
    .map((path) => `there is no ${path}`),
];

describe.each(['SECURITY.md', 'docs/threat-model.md'])('%s', (path) => {
  const markdown = readFileSync(ROOT + path, 'utf8');

  it('names a test for each claim, and each test exists', () => {
    expect(problemsIn(markdown)).toEqual([]);
    expect(claimsIn(markdown).length).toBeGreaterThan(15);
  });
});

it.each<[string, string, string]>([
  [
    'a row without a test',
    '### Keys\n\n`src/proof/repository/names.test.ts`\n\n| Keys | safe |',
    '| Keys | safe |',
  ],
  ['a section without a test', '### 1.5 Keys\n\nThey are safe.', '1.5 Keys'],
])('finds %s', (_, text, claim) => {
  const [problem] = problemsIn(text);
  expect(problem).toContain(`no test holds: ${claim}`);
});

it('finds a missing test', () => {
  expect(problemsIn('## Keys\n\n`src/gone.test.ts`')).toEqual(['there is no src/gone.test.ts']);
});
