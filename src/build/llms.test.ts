import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anchorOf, llmsText, type Page, readPages } from './llms.ts';

const README: Page = {
  path: 'README.md',
  text: '# Card form\n\nSee [Errors](docs/errors.md), then [a page](docs/zoo.md#animals).\n\n![A form](public/a.png)\n',
};
const page = (name: string, text: string): Page => ({ path: `docs/${name}.md`, text });
const textOf = (text: string, ...more: readonly Page[]) =>
  llmsText([{ path: 'README.md', text }, page('errors', '# Errors\n\n## Codes\n'), ...more]).trimEnd();

it('starts with README.md, followed by the pages in the order of its links, then the others by name', () => {
  const pages = [
    page('zoo', '# Zoo\n\n## Animals'),
    page('b', '# B'),
    page('a', '# A'),
    page('errors', '# Errors'),
  ];
  const text = llmsText([...pages, README]);
  expect(text.match(/^# .+$/gm)).toEqual(['# Card form', '# Errors', '# Zoo', '# A', '# B']);
  expect(llmsText([README, ...pages].reverse())).toBe(text);
});

describe('a link names its target in words', () => {
  it.each([
    ['[Errors](docs/errors.md)', '"Errors"'],
    ['[what failed](docs/errors.md)', 'what failed (see "Errors")'],
    ['[Codes](docs/errors.md#codes)', '"Codes" in "Errors"'],
    ['[the list\nof codes](docs/errors.md#codes)', 'the list of codes (see "Codes" in "Errors")'],
    ['[above](#start-here)', 'above (see "Start here")'],
    ['[SECURITY.md](SECURITY.md#scope)', 'SECURITY.md'],
    ['[`src/form/loader/types.ts`](src/form/loader/types.ts)', '`src/form/loader/types.ts`'],
    ['[themes](e2e/themes.ts)', 'themes (e2e/themes.ts)'],
    ['[axe](https://example.com/axe)', 'axe (https://example.com/axe)'],
    ['`[Symbol.dispose]()`', '`[Symbol.dispose]()`'],
  ])('%s', (link, words) => {
    expect(textOf(`# Start here\n\n${link}\n`)).toContain(`# Start here\n\n${words}\n\n# Errors`);
  });

  it('in a page of docs/ too', () => {
    const text = textOf(
      '# Card form\n',
      page('a', '# A\n\n[up](../README.md) [over](errors.md#codes) [x](../src/x.ts)'),
    );
    expect(text).toContain('up (see "Card form") over (see "Codes" in "Errors") x (src/x.ts)');
  });
});

it('leaves code unchanged, and drops markup that only a browser needs', () => {
  const code = '```html\n<!-- kept -->\n[not a link](errors.md)\n```';
  expect(
    textOf(
      `# T\n\n<!-- dropped -->\n<details><summary>more</summary>\n\n${code}\n\n</details>\n\n![A form](a.png)\n`,
    ),
  ).toContain(`# T\n\n${code}\n\n(Picture: A form)\n\n# Errors`);
});

it.each([
  ['Content security policy', 'content-security-policy'],
  ['npm, React, Vue and Svelte', 'npm-react-vue-and-svelte'],
  ['1. Start the sandbox', '1-start-the-sandbox'],
])('the anchor of "%s" is %s', (heading, anchor) => {
  expect(anchorOf(heading)).toBe(anchor);
});

describe('the documentation of this project', async () => {
  const pages = await readPages(fileURLToPath(new URL('../..', import.meta.url)));
  const text = llmsText(pages);

  it('is included, with every page and every block of code', () => {
    expect(pages.length).toBeGreaterThan(12);
    for (const page of pages) {
      expect(text).toContain(`${/^# .+$/m.exec(page.text)?.[0]}\n`);
      for (const [block] of page.text.matchAll(/^```[\s\S]*?^```$/gm)) expect(text).toContain(block);
    }
  });

  it('describes pictures by their alternative texts', () => {
    expect(text).toContain('(Picture: The card form beside a cart)');
  });

  it('has no link, picture or markup left outside code', () => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
    expect(prose).not.toMatch(/\]\(|<!--|<details|<img|data:/);
  });
});
