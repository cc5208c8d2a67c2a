/**
 * The `card-form` command: a local sandbox, the conformance suite for a running service, and the releases hosted by a
 * server. Wiring only.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseFlags } from '../api/command/flags.ts';
import { sendTo } from '../api/command/http.ts';
import { httpGet, httpGetVia } from '../api/command/http-get.ts';
import { OptionError } from '../api/command/option-error.ts';
import { isForServer, parseConformance, parseServerConformance } from '../owner/cli/conformance-options.ts';
import { PROBE_FLAGS } from '../owner/cli/probe-options.ts';
import { gateFor } from '../owner/cli/release-gate.ts';
import { parseRelease } from '../owner/cli/release-options.ts';
import { type ParsedVerify, VERIFY_FLAGS } from '../owner/cli/verify-options.ts';
import {
  type CheckResult,
  exitCodeOf,
  formatResult,
  formatSummary,
  runConformance,
  runServerConformance,
} from '../owner/conformance/run.ts';
import { TimeLimitError, until } from '../owner/hosting/served.ts';
import type { Gate } from '../owner/probe/gate.ts';
import { findPlaywright } from '../owner/probe/playwright.ts';
import { formatProbe, probe } from '../owner/probe/probe.ts';
import { ProbeError } from '../owner/probe/probe-error.ts';
import { diskAt } from '../owner/release/disk.ts';
import { isAlive, thisProcess } from '../owner/release/lock.ts';
import { ReleaseError } from '../owner/release/release-error.ts';
import {
  type ReleaseContext,
  type ReleaseReport,
  readBuiltAlone,
  readKept,
  runRelease,
} from '../owner/release/run.ts';
import { serverWith } from '../owner/release/server-commands.ts';
import { faultsIn, formatVerified, type VerifyReport, verifyServed } from '../owner/release/verify-served.ts';
import { listenToWebhooks } from '../sandbox/cli/listen.ts';
import { createRemote, firstKeysOf } from '../sandbox/cli/remote.ts';
import { LISTEN_FLAGS, parseTrigger } from '../sandbox/cli/remote-options.ts';
import { parseOptions } from '../sandbox/cli/sandbox-options.ts';
import { startService } from '../sandbox/cli/service.ts';
import { TRIGGERS, trigger } from '../sandbox/cli/trigger.ts';
import { type CommandName, commandOf, usage } from './commands.ts';

/** Folder of the built files, whose subfolders mirror the URLs. */
const root = fileURLToPath(new URL('..', import.meta.url));

const startSandbox = async (argv: readonly string[]): Promise<void> => {
  const { url, lines, close } = await startService(parseOptions(argv, process.env), { root });
  console.log([`The payment service runs at ${url}`, ...lines, 'Stop it with Ctrl+C.'].join('\n'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, close);
};

const checkConformance = async (argv: readonly string[]): Promise<void> => {
  const environment = {
    wait: (ms: number) => wait(ms),
    now: Date.now,
    log: (line: string) => console.error(line),
  };
  const run = async () => {
    if (isForServer(argv)) {
      const { baseUrl, options } = parseServerConformance(argv);
      return { baseUrl, results: await runServerConformance(options, sendTo(baseUrl), environment, print) };
    }
    const { baseUrl, options } = parseConformance(argv);
    return { baseUrl, results: await runConformance(options, sendTo(baseUrl), environment, print) };
  };
  const print = (result: CheckResult) => console.log(formatResult(result));
  const { baseUrl, results } = await run();
  console.log(`\n${baseUrl}: ${formatSummary(results)}`);
  process.exitCode = exitCodeOf(results);
};

const formatReport = ({
  moving,
  canary,
  reportsTo,
  appSchemes,
  releases,
  before,
  unfinished,
}: ReleaseReport): string =>
  [
    ...releases.map(({ release, published, withdrawn }) =>
      [
        release === moving ? '*' : release === canary?.release ? '+' : ' ',
        release,
        `published ${published}`,
        ...(withdrawn === null ? [] : [`withdrawn ${withdrawn}`]),
      ].join('  '),
    ),
    moving === null ? 'Nothing is published here.' : `The moving release is ${moving}.`,
    ...(canary === null ? [] : [`${canary.release} goes to ${canary.share} % of visitors.`]),
    ...(before.length === 0 ? [] : [`Live before it, the latest last: ${before.join(', ')}.`]),
    ...(reportsTo === null ? [] : [`Browsers send violation reports to ${reportsTo}.`]),
    ...(appSchemes.length === 0 ? [] : [`Apps may embed the form: ${appSchemes.join(', ')}.`]),
    ...(unfinished === null
      ? []
      : [
          `"${unfinished}" was stopped in the middle. The next command that changes anything undoes it first.`,
        ]),
  ].join('\n');

/** Dependencies of every probe. */
const probeTools = () => ({
  browsers: findPlaywright(process.cwd(), fileURLToPath(import.meta.url)),
  wait: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
  now: () => new Date(),
});

const manageReleases = async (argv: readonly string[]): Promise<void> => {
  const parsed = parseRelease(argv, root);
  const { command, target, url, origin: node, kind, check, reload, force, json } = parsed;
  const log = (line: string) => (json ? console.error(line) : console.log(`  ${line}`));
  let gate: Gate | null = null;
  try {
    gate = await gateFor(parsed, node, probeTools, log);
    const context: ReleaseContext = {
      ...{ kind, origin: url, isForced: force, wait, log },
      open: gate === null ? null : gate.open,
      disk: diskAt(target),
      server: serverWith(check, reload),
      get: node === null ? httpGet : httpGetVia(node),
      now: Date.now,
      self: await thisProcess(),
      alive: isAlive,
    };
    const report = await runRelease(context, command);
    const ok = report.remaining.length === 0;
    if (!ok) process.exitCode = 1;
    console.log(json ? JSON.stringify({ ok, probed: gate !== null, ...report }) : formatReport(report));
  } catch (error) {
    if (!(json && error instanceof ReleaseError)) throw error;
    console.log(JSON.stringify({ ok: false, problem: error.message }));
    process.exitCode = 1;
  } finally {
    await gate?.close();
  }
};

/** A check that couldn't run is not a finding: exits with 2, and with `--json` also prints the problem as JSON. */
const couldNot = (error: unknown, isJson: boolean): void => {
  if (!(error instanceof OptionError || error instanceof ReleaseError || error instanceof ProbeError))
    throw error;
  if (isJson) console.log(JSON.stringify({ ok: false, problem: error.message }));
  else console.error(error.message);
  process.exitCode = 2;
};

/** `edge`: the node that was asked; null for the service as browsers reach it. */
type EdgeReport = { edge: string | null; report: VerifyReport };

/** Verifies what one node serves, or the service as browsers reach it. */
const verifyAt = async (
  { baseUrl: origin, releases, signedBy, anyCoding }: ParsedVerify,
  deadline: number,
  edge: string | null,
): Promise<EdgeReport> => {
  const get = until(edge === null ? httpGet : httpGetVia(edge), deadline, Date.now);
  const at = edge === null ? origin : `${origin} at ${edge}`;
  try {
    await get(`${origin}/`, {}).catch((error: Error) => {
      throw error instanceof TimeLimitError
        ? error
        : new ReleaseError(`${at} cannot be asked: ${error.message}`);
    });
    const report = await verifyServed({
      origin,
      read: () => (releases === null ? readBuiltAlone(diskAt(root)) : readKept(diskAt(dirname(releases)))),
      signedBy,
      isAnyCoding: anyCoding,
      get,
    });
    return { edge, report };
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    throw new ReleaseError(
      `${at} did not answer everything in time: give more with --time-limit, or ask why.`,
    );
  }
};

const checkServed = async (argv: readonly string[]): Promise<void> => {
  try {
    const options = parseFlags(VERIFY_FLAGS, argv);
    const { edges, timeLimit, json: isJson } = options;
    const deadline = Date.now() + timeLimit * 1000;
    const reports: EdgeReport[] = [];
    /** Nodes that couldn't be reached. They don't hide the results of the others. */
    const unasked: { edge: string; problem: string }[] = [];
    for (const edge of edges.length === 0 ? [null] : edges) {
      try {
        reports.push(await verifyAt(options, deadline, edge));
      } catch (error) {
        if (edge === null || !(error instanceof ReleaseError)) throw error;
        unasked.push({ edge, problem: error.message });
      }
    }
    for (const { edge, report } of reports) {
      const { differences, summary } = formatVerified(report);
      const by = edge === null ? '' : `${edge}: `;
      if (isJson) for (const fault of faultsIn(report)) console.log(JSON.stringify({ edge, ...fault }));
      else {
        for (const line of differences) console.error(by + line);
        console.log(summary.map((line) => by + line).join('\n'));
      }
    }
    for (const { problem } of unasked) if (!isJson) console.error(problem);
    const ok = unasked.length === 0 && reports.every(({ report }) => report.ok);
    const differing = reports.filter(({ report }) => !report.ok).map(({ edge }) => edge);
    const [{ report } = { report: null }] = reports;
    if (isJson)
      console.log(JSON.stringify(edges.length === 0 ? report : { ok, differing, unasked, edges: reports }));
    else if (edges.length > 0) console.log(describeNodes(edges.length, differing, unasked));
    process.exitCode = ok ? 0 : differing.length > 0 ? 1 : 2;
  } catch (error) {
    couldNot(error, argv.includes('--json'));
  }
};

const describeNodes = (
  all: number,
  differing: readonly (string | null)[],
  unasked: readonly { edge: string }[],
): string =>
  [
    ...(differing.length > 0 ? [`Different: ${differing.join(', ')}.`] : []),
    ...(unasked.length > 0 ? [`Not asked: ${unasked.map(({ edge }) => edge).join(', ')}.`] : []),
  ].join(' ') || `All ${all} nodes serve what was built.`;

const probeService = async (argv: readonly string[]): Promise<void> => {
  try {
    const { baseUrl: origin, json, ...flags } = parseFlags(PROBE_FLAGS, argv, process.env);
    const tools = probeTools();
    const report = await probe({ ...flags, origin, timeout: flags.timeout * 1000 }, tools);
    console.log(json ? JSON.stringify(report) : formatProbe(report));
    process.exitCode = report.ok ? 0 : 1;
  } catch (error) {
    couldNot(error, argv.includes('--json'));
  }
};

const remoteAt = (baseUrl: string) => createRemote(sendTo(baseUrl), process.env.CARD_FORM_SANDBOX_TOKEN);

const makeHappen = async (argv: readonly string[]): Promise<void> => {
  const { name, baseUrl } = parseTrigger(argv);
  if (name === '') {
    console.log(TRIGGERS.join('\n'));
    return;
  }
  const remote = remoteAt(baseUrl);
  const waiting = { wait: (ms: number) => wait(ms) };
  const made = await trigger(
    { remote, keys: await firstKeysOf(remote), name: `trigger-${randomUUID()}`, ...waiting },
    name,
  );
  if (made.kind === 'error') console.log(`${made.status}\n${made.text}`);
  else console.log(JSON.stringify(made.event, null, 2));
};

const printWebhooks = async (argv: readonly string[]): Promise<void> => {
  const { baseUrl, forwardTo, events: eventTypes } = parseFlags(LISTEN_FLAGS, argv);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  await listenToWebhooks(
    remoteAt(baseUrl),
    { forwardTo, eventTypes },
    {
      log: (line) => console.log(line),
      wait: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
      signal: stopping.signal,
    },
  );
};

const version = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return `${version}`;
};

const COMMANDS: Readonly<Record<CommandName, (argv: readonly string[]) => Promise<void>>> = {
  sandbox: startSandbox,
  trigger: makeHappen,
  listen: printWebhooks,
  conformance: checkConformance,
  release: manageReleases,
  verify: checkServed,
  probe: probeService,
};

try {
  const chosen = commandOf(process.argv.slice(2));
  if (chosen.command === 'help') console.log(usage(chosen.about));
  else if (chosen.command === 'version') console.log(version());
  else await COMMANDS[chosen.command](chosen.argv);
} catch (error) {
  // An invalid option or a failed release prints only its message; any other error is a bug and prints its stack.
  console.error(error instanceof OptionError || error instanceof ReleaseError ? error.message : error);
  process.exitCode = 1;
}
