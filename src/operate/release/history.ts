/** Which release was live when, by whose hand and why. Kept in `releases.json`, so that state and history change at once. */
import { ReleaseError } from './release-error.ts';

const MOVE_COMMANDS = ['publish', 'promote', 'rollback', 'share', 'abort'] as const;

/** One change of what visitors get. */
export type ReleaseMove = {
  /** ISO 8601, in UTC. */
  at: string;
  command: (typeof MOVE_COMMANDS)[number];
  /** The release that these visitors had before; null for none. */
  from: string | null;
  to: string;
  /** How many of a hundred visitors, for a share. */
  share: number | null;
  operator: string;
  reason: string | null;
};

/** Who moves something, and why. */
export type Operator = { name: string; reason: string | null };

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** Throws a `ReleaseError` if this is no move. */
export const readMove = (value: unknown): ReleaseMove => {
  const malformed = () => new ReleaseError(`a move was expected; got ${JSON.stringify(value)}`);
  if (typeof value !== 'object' || value === null) throw malformed();
  const { at, command, from, to, share, operator, reason }: Record<string, unknown> = { ...value };
  const known = MOVE_COMMANDS.find((one) => one === command);
  if (known === undefined || !isText(at) || Number.isNaN(Date.parse(at)) || !isText(to)) throw malformed();
  if (!isTextOrNull(from) || !isText(operator) || !isTextOrNull(reason)) throw malformed();
  return { at, command: known, from, to, share: typeof share === 'number' ? share : null, operator, reason };
};

/**
 * The releases that were live one after the other, the present one last: a publish and a promotion go on from the one
 * before, a rollback goes back to where its release was live. Before the first known move, the order of publication counts.
 */
export const liveOrder = (
  moving: string | null,
  moves: readonly ReleaseMove[],
  published: readonly string[],
): readonly string[] => {
  const [first] = moves;
  const start = first === undefined ? moving : first.from;
  const live = start === null ? [] : published.slice(0, published.indexOf(start) + 1);
  for (const { command, to } of moves) {
    if (command === 'share' || command === 'abort') continue;
    const index = live.lastIndexOf(to);
    if (command === 'rollback' && index >= 0) live.length = index + 1;
    else if (live.at(-1) !== to) live.push(to);
  }
  return live;
};

/** A move in one line. */
export const describeMove = ({ at, command, from, to, share, operator, reason }: ReleaseMove): string =>
  [
    at,
    command.padEnd(8),
    `${from ?? 'nothing'} -> ${to}${share === null ? '' : ` for ${share} % of visitors`}`,
    `by ${operator}`,
    ...(reason === null ? [] : [JSON.stringify(reason)]),
  ].join('  ');
