/** The browser in which `card-form release` opens forms, and the messages for when it opens none. */
import { type Gate, startGate } from '../probe/gate.ts';
import type { ProbeTools } from '../probe/probe.ts';
import { ProbeError } from '../probe/probe-error.ts';
import { ReleaseError } from '../release/release-error.ts';
import type { ParsedRelease } from './release-options.ts';

/** Commands that give visitors a different release. */
const OPENING: readonly string[] = ['publish', 'promote', 'rollback'];

/** True if this program trusts authorities that a browser doesn't know. */
const trustsMore = () =>
  process.env.NODE_EXTRA_CA_CERTS !== undefined || process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';

/**
 * Starts the browser for a command that needs one. Null if no form is opened; the log says why. Without a browser, only
 * a rollback continues automatically, because a bad release may be live.
 */
export const gateFor = async (
  { command, url, noProbe, timeout, executablePath, output }: ParsedRelease,
  node: string | null,
  tools: () => ProbeTools,
  log: (line: string) => void,
): Promise<Gate | null> => {
  if (!OPENING.includes(command.command)) return null;
  const without = (why: string): null => {
    log(`NOT PROBED: no form was opened in a browser, ${why}. Open a page of a shop to see one.`);
    return null;
  };
  if (noProbe) return without('because of --no-probe');
  try {
    return await startGate(
      {
        ...{ executablePath, output, node },
        ...{ origin: url, timeout: timeout * 1000, acceptsCertificates: trustsMore() },
      },
      tools(),
    );
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    if (command.command === 'rollback') return without(`because none could be used: ${error.message}`);
    throw new ReleaseError(
      `The form could not be opened in a browser: ${error.message} To go on without, add --no-probe. Nothing was changed.`,
    );
  }
};
