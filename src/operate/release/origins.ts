/**
 * Carries out a command on several origins, one after the other. All have a release before one of them moves to it, because
 * caches may ask any of them for its files. The first that fails stops the rest; what had moved by then is purged.
 */
import { messageOf, ReleaseError } from './release-error.ts';
import {
  type Purge,
  type ReleaseCommand,
  type ReleaseContext,
  type ReleaseReport,
  rollbackTarget,
  runRelease,
  settleEdges,
} from './run.ts';

/** `name`: the host, or the folder if no host is named. */
export type Origin = { name: string; context: ReleaseContext };

/** Whether the moving addresses may answer something else after the command. */
export const isMoving = ({ command }: ReleaseCommand): boolean =>
  command === 'publish' || command === 'promote' || command === 'abort' || command === 'rollback';

/**
 * What the last origin reports; null if there is no origin. `purge` has the caches forget the moving addresses; null if
 * nothing does. Throws a `ReleaseError` that says which origin failed, and what each has now.
 */
export const runOnOrigins = async (
  origins: readonly Origin[],
  given: ReleaseCommand,
  purge: Purge | null,
  log: (line: string) => void,
): Promise<ReleaseReport | null> => {
  const command = await withOneTarget(origins, given);
  const phases: readonly ReleaseCommand[] =
    command.command === 'publish' && origins.length > 1
      ? [
          { ...command, phase: 'add' },
          { ...command, phase: 'move' },
        ]
      : [command];
  let report: ReleaseReport | null = null;
  for (const phase of phases)
    for (const [index, { name, context }] of origins.entries()) {
      if (origins.length > 1) log(`${name}:`);
      try {
        report = await runRelease(context, phase);
      } catch (error) {
        const isAdding = phase.command === 'publish' && phase.phase === 'add';
        const canMove = isMoving(phase) && !isAdding && !context.isDryRun;
        const hasMoved = canMove && (index > 0 || (error instanceof ReleaseError && error.hasMoved));
        const said = [
          ...(origins.length > 1 ? [await describeOrigins(origins, command)] : []),
          ...(hasMoved && purge !== null ? [await purgeMoved(origins[0]?.context ?? context, purge)] : []),
        ];
        if (error instanceof ReleaseError)
          throw new ReleaseError(
            [origins.length > 1 ? `${name} failed: ${error.message}` : error.message, ...said].join('\n'),
            hasMoved,
          );
        for (const line of said) log(line);
        throw error;
      }
    }
  return report;
};

/**
 * The command with the release that all go back to. Origins of which some had been rolled back before would otherwise go
 * back by one more: these have to be told.
 */
const withOneTarget = async (
  origins: readonly Origin[],
  command: ReleaseCommand,
): Promise<ReleaseCommand> => {
  if (command.command !== 'rollback' || command.to !== null || origins.length < 2) return command;
  const targets: (string | null)[] = [];
  for (const { context } of origins) targets.push(await rollbackTarget(context).catch(() => null));
  const [first = null] = targets;
  if (targets.every((target) => target === first)) return { ...command, to: first };
  const named = origins.map(({ name }, index) => `${name} to ${targets[index] ?? 'nothing'}`);
  throw new ReleaseError(
    `The origins would go back to different releases: ${named.join(', ')}. Name the release with --to. Nothing was changed.`,
  );
};

/** What each origin has, and how to go on. */
const describeOrigins = async (origins: readonly Origin[], command: ReleaseCommand): Promise<string> => {
  const states: string[] = [];
  for (const { name, context } of origins)
    states.push(
      await runRelease(context, { command: 'status' }).then(
        ({ moving, canary }) =>
          `${name} has ${moving ?? 'nothing'}${canary === null ? '' : `, and ${canary.release} for ${canary.share} % of visitors`}`,
        (error: unknown) => `${name} cannot be read (${messageOf(error)})`,
      ),
    );
  const again =
    command.command === 'rollback' && command.to !== null
      ? `rollback again with --to ${command.to}`
      : `${command.command} again`;
  return `Stopped there. Now ${states.join('; ')}. Correct the cause and run ${again}: it leaves alone what is done.`;
};

/** Some visitors may have got what moved, and moved back, through a cache that would go on giving it to others. */
const purgeMoved = (context: ReleaseContext, purge: Purge): Promise<string> =>
  settleEdges(context, null, purge).then(
    () => 'The caches were told to forget the moving addresses.',
    (error: unknown) => messageOf(error),
  );
