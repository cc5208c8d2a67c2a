/** Two charts of a result, as SVG for light and dark pages: the times side by side, and a waterfall of the requests. */
import { type Result, type Row, spread } from './run.ts';
import type { Request } from './visit.ts';

const WIDTH = 760;
const LEFT = 224;
const STYLE = `<style>
text{font:13px system-ui,sans-serif;fill:#1f2328}.small{font-size:11px;fill:#59636e}.line{stroke:#d1d9e0}
.typeable{fill:#0969da}.payable{fill:#54aeff}.connect{fill:#bf8700}.wait{fill:#d1d9e0}.receive{fill:#0969da}
.mark{stroke:#cf222e;stroke-dasharray:3 3}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.small{fill:#9198a1}.line{stroke:#3d444d}.wait{fill:#3d444d}
.typeable,.receive{fill:#4493f8}.payable{fill:#79c0ff}.connect{fill:#d29922}.mark{stroke:#f85149}}
</style>`;

const text = (x: number, y: number, words: string, more = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${more}>${words.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</text>`;
const bar = (kind: string, from: number, to: number, y: number, height: number) =>
  `<rect class="${kind}" x="${from.toFixed(1)}" y="${y}" width="${Math.max(1, to - from).toFixed(1)}" height="${height}" rx="2"/>`;

const svg = (title: string, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}"><title>${title}</title>
${STYLE}
${parts.join('\n')}
</svg>
`;

const scale = (most: number) => {
  const step = [50, 100, 200, 250, 500, 1000].find((one) => most / one <= 8) ?? 2000;
  const end = Math.ceil(most / step) * step;
  const at = (ms: number) => LEFT + (Math.max(0, ms) / end) * (WIDTH - LEFT - 60);
  const grid = (bottom: number) =>
    Array.from({ length: end / step + 1 }, (_, number) => number * step).flatMap((ms) => [
      `<line class="line" x1="${at(ms).toFixed(1)}" x2="${at(ms).toFixed(1)}" y1="30" y2="${bottom}"/>`,
      text(at(ms), bottom + 14, `${ms} ms`, ' class="small" text-anchor="middle"'),
    ]);
  return { at, grid };
};

const NAMES: Readonly<Record<string, string>> = {
  floor: 'bare iframe, five inputs',
  'loader floor': 'bare iframe, by a 2 kB script',
  early: 'card form, iframe in the HTML',
  loader: 'card form, loader alone',
  peer: 'Braintree, bare frames (≥)',
};

/** Time to typeable and to payable on the slow link; null where it was not measured. */
export const chart = ({ rows }: Result): string | null => {
  const bars = ['floor', 'early', 'loader floor', 'loader', 'peer'].flatMap((name) => {
    const row = rows.find(({ contestant, condition }) => contestant === name && condition === 'slow');
    const typeable = row && spread(row.measured.typeable);
    return row && typeable ? [{ name, typeable, payable: spread(row.measured.payable) }] : [];
  });
  if (bars.length === 0) return null;
  const most = Math.max(...bars.flatMap(({ typeable, payable }) => [typeable.most, payable?.most ?? 0]));
  const { at, grid } = scale(most);
  const bottom = 36 + bars.length * 46;
  return svg('Time to typeable and to payable, CPU 4×, 150 ms, 1.6 Mbit/s; median of the runs', bottom + 26, [
    text(LEFT, 18, 'typeable', ' class="small"'),
    bar('typeable', LEFT + 54, LEFT + 66, 9, 10),
    text(LEFT + 90, 18, 'payable', ' class="small"'),
    bar('payable', LEFT + 140, LEFT + 152, 9, 10),
    text(LEFT + 175, 18, 'line: least to most · CPU 4×, 150 ms, 1.6 Mbit/s', ' class="small"'),
    ...grid(bottom),
    ...bars.flatMap(({ name, typeable, payable }, number) => {
      const y = 38 + number * 46;
      const lines = [
        { kind: 'typeable', found: typeable, top: y },
        ...(payable ? [{ kind: 'payable', found: payable, top: y + 18 }] : []),
      ];
      return [
        text(LEFT - 8, y + 20, NAMES[name] ?? name, ' text-anchor="end"'),
        ...lines.flatMap(({ kind, found, top }) => [
          bar(kind, at(0), at(found.median), top, 15),
          `<line class="mark" style="stroke-dasharray:none" x1="${at(found.least).toFixed(1)}" x2="${at(found.most).toFixed(1)}" y1="${top + 7.5}" y2="${top + 7.5}"/>`,
          text(at(found.most) + 6, top + 12, `${found.median.toFixed(0)}`, ' class="small"'),
        ]),
      ];
    }),
  ]);
};

/** Every request of the median run, on the slow link. */
export const waterfall = ({ rows }: Result): string | null => {
  const shown = ['early', 'loader'].flatMap((name) =>
    rows.filter(({ contestant, condition }) => contestant === name && condition === 'slow'),
  );
  if (shown.length === 0) return null;
  const ends = shown.flatMap((row) => [
    ...row.waterfall.map(({ ended }) => ended),
    ...marksOf(row).map(([, ms]) => ms),
  ]);
  const { at, grid } = scale(Math.max(...ends.filter(Number.isFinite)));
  const lines: string[] = [];
  let y = 34;
  for (const row of shown) {
    lines.push(text(8, y + 12, NAMES[row.contestant] ?? row.contestant, ' font-weight="600"'));
    y += 20;
    const top = y;
    for (const request of row.waterfall) {
      lines.push(...lineOf(request, at, y));
      y += 20;
    }
    for (const [name, ms] of marksOf(row)) {
      lines.push(
        `<line class="mark" x1="${at(ms).toFixed(1)}" x2="${at(ms).toFixed(1)}" y1="${top - 4}" y2="${y}"/>`,
      );
      lines.push(text(at(ms) + 4, top - 8, `${name} ${ms.toFixed(0)}`, ' class="small"'));
    }
    y += 14;
  }
  return svg('What is requested when, CPU 4×, 150 ms, 1.6 Mbit/s', y + 26, [
    ...[
      ['connect', 'connecting'],
      ['wait', 'waiting'],
      ['receive', 'receiving'],
    ].flatMap(([kind = '', words = ''], number) => [
      bar(kind, LEFT + number * 100, LEFT + number * 100 + 12, 9, 10),
      text(LEFT + number * 100 + 18, 18, words, ' class="small"'),
    ]),
    ...grid(y),
    ...lines,
  ]);
};

const marksOf = ({ measured, waterfall: requests }: Row): (readonly [name: string, ms: number])[] => {
  if (requests.length === 0) return [];
  return (['typeable', 'payable'] as const).flatMap((name) => {
    const found = spread(measured[name]);
    return found ? [[name, found.median] as const] : [];
  });
};

const lineOf = (
  { url, asked, connecting, sent, ended, bytes }: Request,
  at: (ms: number) => number,
  y: number,
) => {
  const { host, pathname } = new URL(url);
  const name = host.startsWith('shop') ? 'the shop’s page' : pathname.replace(/^.*\//, '');
  const size = `${(bytes / 1000).toFixed(1)} kB`;
  const from = Number.isFinite(connecting) ? connecting : asked;
  const first = Number.isFinite(sent) ? sent : asked;
  return [
    text(LEFT - 8, y + 11, `${name}, ${size}`, ' text-anchor="end" class="small"'),
    bar('wait', at(asked), at(ended), y, 14),
    ...(Number.isFinite(connecting) ? [bar('connect', at(from), at(first), y, 14)] : []),
    // Only the times of the first and the last byte are known; the rest follows from the link's 1.6 Mbit/s.
    bar('receive', at(Math.max(first, ended - (bytes * 8) / 1600)), at(ended), y, 14),
  ];
};
