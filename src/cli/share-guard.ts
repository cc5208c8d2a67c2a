/** Guards the share of visitors that a publish has just begun: what happens when it has to stop. */
import { messageOf, ReleaseError } from '../operate/release/release-error.ts';
import { openShare, type ReleaseContext, runRelease } from '../operate/release/run.ts';
import { countReports, type Watch, watchShare } from '../operate/release/watch.ts';

/**
 * Watches the share of the release, and takes it back when it has to stop. Why it had to; null if it may go on. `added`:
 * the lines that were added to the log of reports since the last call. Throws a `ReleaseError` if another command ended
 * the share, or if it cannot be taken back.
 */
export const guardShare = async (
  context: ReleaseContext,
  release: string,
  watch: Pick<Watch, 'limits' | 'duration' | 'pause' | 'signal' | 'wait'>,
  added: () => Promise<string>,
  takeBack: (reason: string) => Promise<unknown>,
): Promise<string | null> => {
  const { now, log } = context;
  log(`watching ${release} for ${watch.duration / 60_000} minutes`);
  const stopped = await watchShare({
    ...watch,
    ...{ now, log },
    probe: () => openShare(context),
    reports: async () => countReports(await added(), release),
  });
  if (stopped === null) return null;
  const { canary } = await runRelease(context, { command: 'status' });
  if (canary?.release !== release)
    throw new ReleaseError('There is no share any more: another command ended it.');
  await takeBack(`--abort-if: ${stopped}`).catch((error: unknown) => {
    throw new ReleaseError(
      `The share was to be taken back: ${stopped}\nThat failed: ${messageOf(error)}\nVisitors may still get ${release}. Run card-form release abort.`,
    );
  });
  log(`ABORTED: ${stopped}`);
  return stopped;
};
