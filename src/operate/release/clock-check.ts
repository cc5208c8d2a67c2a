/** Whether the clock can be believed, before something is removed because its time has come. */
import type { Releases } from './releases-file.ts';

/** How much clocks and files may differ, in ms. */
const TOLERANCE = 86_400_000;

const said = (time: number): string => new Date(time).toISOString();

/**
 * Why the time contradicts what is known; null if it does not. `written`: when the files of each release were written last,
 * in ms since 1970, if the disk says.
 */
export const clockProblem = (
  now: number,
  { releases, moves }: Releases,
  written: ReadonlyMap<string, number>,
): string | null => {
  const known = [
    ...releases.flatMap(({ release, published, lastMoving, withdrawn }) =>
      [published, lastMoving, withdrawn].flatMap((time) =>
        time === null ? [] : [[`releases.json, about ${release}`, Date.parse(time)] as const],
      ),
    ),
    ...moves.map(({ at }) => ['the history', Date.parse(at)] as const),
    ...Array.from(written, ([release, time]) => [`the files of ${release}`, time] as const),
  ];
  const future = known.find(([, time]) => time > now + TOLERANCE);
  if (future) return `it is ${said(now)} by the clock, but ${future[0]} are of ${said(future[1])}`;
  for (const [index, { release, published }] of releases.entries()) {
    const before = releases[index - 1];
    if (before && Date.parse(before.published) > Date.parse(published) + TOLERANCE)
      return `${release} was published after ${before.release}, but its time is ${published}, before ${before.published}`;
    const time = written.get(release);
    if (time !== undefined && time > Date.parse(published) + TOLERANCE)
      return `${release} was published at ${published} by the clock of then, but its files were written at ${said(time)}`;
  }
  return null;
};
