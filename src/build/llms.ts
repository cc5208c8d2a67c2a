/**
 * `/llms.txt`: the whole documentation as one text, for assistants and for searching. The build writes it from
 * README.md and docs/, to host at the root of the service, and for the root of the npm package.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** A Markdown file. `path` is relative to the project, with `/` between names. */
export type Page = { path: string; text: string };

const README = 'README.md';

/** README.md and the pages of docs/ below `root`. */
export const readPages = async (root: string): Promise<readonly Page[]> => {
  const names = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    [README, ...names.map((name) => `docs/${name}`)].map(async (path) => ({
      path,
      text: await readFile(join(root, path), 'utf8'),
    })),
  );
};

/** README.md first, then the pages in the order it links to them, then the rest by name. */
const inOrder = (pages: readonly Page[]): readonly Page[] => {
  const readme = pages.find(({ path }) => path === README)?.text ?? '';
  const rank = ({ path }: Page): number => {
    if (path === README) return -1;
    const at = readme.search(new RegExp(`\\]\\(${path.replaceAll('.', '\\.')}[)#]`));
    return at < 0 ? readme.length : at;
  };
  return [...pages].sort((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
};

/** GitHub's anchor for a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** Splits a text into alternating prose and code blocks. The blocks, with their fences, are at odd indices. */
const turnsOf = (text: string): readonly string[] => text.split(/^(```[\s\S]*?^```$)/m);

/** A text's headings by anchor. */
const headingsOf = (text: string): ReadonlyMap<string, string> => {
  const prose = turnsOf(text).filter((_, at) => at % 2 === 0);
  const found = prose.flatMap((part) => [...part.matchAll(/^#+ (.+)$/gm)]);
  return new Map(found.map(([, heading = '']) => [anchorOf(heading), heading]));
};

const titleOf = ({ text }: Page): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

const known = (pages: readonly Page[]): ReadonlyMap<string, Page> =>
  new Map(pages.map((page) => [page.path, page]));

/** Replaces a link, for readers of the single text, with words that say where it leads. */
const inWords = (pages: ReadonlyMap<string, Page>, from: string, words: string, link: string): string => {
  if (/^https?:/.test(link)) return words === link ? link : `${words} (${link})`;
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from : posix.normalize(posix.join(posix.dirname(from), file));
  const page = pages.get(path);
  if (!page) return words.replaceAll('`', '').endsWith(posix.basename(path)) ? words : `${words} (${path})`;
  const title = titleOf(page);
  const heading = anchor === undefined ? undefined : headingsOf(page.text).get(anchor);
  const place = heading === undefined || heading === title ? `"${title}"` : `"${heading}"`;
  const within = heading === undefined || path === from ? '' : ` in "${title}"`;
  return place === `"${words}"` ? `${place}${within}` : `${words} (see ${place}${within})`;
};

/** A part of a page without links; with `isKept`, only those links stay. */
const withoutLinks = (
  part: string,
  from: string,
  pages: ReadonlyMap<string, Page>,
  isKept: (link: string) => boolean = () => false,
): string =>
  part.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, words: string, link: string) =>
    isKept(link) ? whole : inWords(pages, from, words.replace(/\s+/g, ' '), link),
  );

/** A page that is read on its own: keeps links to its own headings and to the web. */
export const alone = ({ path, text }: Page, pages: readonly Page[]): string =>
  turnsOf(text)
    .map((part, at) =>
      at % 2 === 1 ? part : withoutLinks(part, path, known(pages), (link) => /^(#|https?:)/.test(link)),
    )
    .join('');

/** The documentation as one text. Each page's title is a level-one heading. */
export const llmsText = (pages: readonly Page[]): string => {
  const all = known(pages);

  const plain = ({ path, text }: Page): string =>
    turnsOf(text)
      .map((part, at) =>
        at % 2 === 1
          ? part
          : withoutLinks(
              part
                .replace(/<!--[\s\S]*?-->\n?/g, '')
                .replace(/<\/?details>\n?|<summary>[\s\S]*?<\/summary>\n?/g, '')
                .replace(/!\[([^\]]*)\]\([^)\s]+\)|<img [^>]*?alt="([^"]*)"[^>]*>/g, '(Picture: $1$2)'),
              path,
              all,
            ).replace(/\n{3,}/g, '\n\n'),
      )
      .join('')
      .trim();

  return `${inOrder(pages).map(plain).join('\n\n')}\n`;
};
