/** The browser in which `card-form release` opens forms, and what is said where it opens none. */
import { createWith } from '../operate/probe/client-secret.ts';
import { type Gate, startGate } from '../operate/probe/gate.ts';
import type { ProbeTools } from '../operate/probe/probe.ts';
import { ProbeError } from '../operate/probe/probe-error.ts';
import { ReleaseError } from '../operate/release/release-error.ts';
import type { ParsedRelease } from './release-options.ts';

/** The commands after which visitors get another release. */
const OPENING: readonly string[] = ['publish', 'promote', 'rollback'];

/** In a dry run, the steps are listed without a browser. */
const LISTED: Gate = { open: async () => null, close: async () => undefined };

/**
 * Starts the browser for a command that needs one. Null: no form is opened, and the log says why. Without a browser,
 * only a rollback goes on by itself, because a bad release may be live.
 */
export const gateFor = async (
  { command, origin, isVerified, isDryRun, probe, watch }: ParsedRelease,
  node: string | null,
  acceptsCertificates: boolean,
  tools: () => ProbeTools,
  log: (line: string) => void,
): Promise<Gate | null> => {
  if (!OPENING.includes(command.command)) return null;
  const without = (why: string): null => {
    log(`NOT PROBED: no form was opened in a browser, ${why}. Open a page of a shop to see one.`);
    return null;
  };
  if (probe === null) return without('because of --no-probe');
  if (origin === null) return without('because no --url says where it is served');
  if (!isVerified) return without('because no --reload deploys it');
  if (isDryRun) return LISTED;
  const { payment, ...options } = probe;
  try {
    const secret = async () =>
      payment === null
        ? null
        : {
            publishableKey: payment.publishableKey,
            clientSecret:
              payment.from.kind === 'secret' ? payment.from.secret : await createWith(payment.from.command),
          };
    return await startGate(
      {
        ...{ ...options, origin, node, acceptsCertificates, payment: await secret() },
        outlivesSignals: watch !== null,
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
