import { expect, it } from 'vitest';
import { headerRules, ORIGIN } from '../hosting/headers.ts';
import { NOTHING_CHOSEN } from '../hosting/owners-choice.ts';
import { type Hosted, serverFiles } from './site.ts';

/** A number of releases, as the build describes them. */
const hosted = (count: number): readonly [Hosted, ...Hosted[]] => {
  const one = (index: number): Hosted => {
    const release = `1.${index}.0-abc`;
    return {
      release,
      published: '2026-01-01T00:00:00.000Z',
      lastMoving: null,
      keepUntil: null,
      withdrawn: null,
      headers: {
        release,
        codings: ['gzip', 'br'],
        languages: [],
        rules: headerRules({ origin: ORIGIN, release, inline: { scripts: [], styles: [] } }),
      },
      integrity: { release, files: {} },
      ...NOTHING_CHOSEN,
      isSplit: false,
    };
  };
  return [one(0), ...Array.from({ length: count - 1 }, (_, index) => one(index + 1))];
};

it('Cloudflare takes twelve releases, and one more is refused before anything changes', () => {
  const twelve = hosted(12);
  expect([...serverFiles('cloudflare', twelve, twelve[0], 'https://pay.example', null).keys()]).toEqual([
    '_headers',
    '_redirects',
  ]);
  const thirteen = hosted(13);
  expect(() => serverFiles('cloudflare', thirteen, thirteen[0], 'https://pay.example', null)).toThrow(
    'Cloudflare cannot take the rules of 13 releases: _headers may have 100 rules; it would have 108.',
  );
});
