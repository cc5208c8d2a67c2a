/**
 * The command `card-form`: a local sandbox, the conformance suite for a running service, and the releases that a server
 * hosts. Wiring only.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { INSPECTOR, PLAYGROUND } from '../api/routes.ts';
import { sendTo } from '../operate/conformance/http.ts';
import {
  type CheckResult,
  exitCodeOf,
  formatResult,
  formatSummary,
  runConformance,
  runServerConformance,
} from '../operate/conformance/run.ts';
import { httpGet, httpGetVia } from '../operate/hosting/http-get.ts';
import { TimeLimitError, until } from '../operate/hosting/served.ts';
import { createWith } from '../operate/probe/client-secret.ts';
import type { Gate } from '../operate/probe/gate.ts';
import { findPlaywright } from '../operate/probe/playwright.ts';
import { formatProbe, probe } from '../operate/probe/probe.ts';
import { ProbeError } from '../operate/probe/probe-error.ts';
import { diskAt } from '../operate/release/disk.ts';
import { purgeCalls } from '../operate/release/edges.ts';
import { describeMove } from '../operate/release/history.ts';
import { isAlive, thisProcess } from '../operate/release/lock.ts';
import { isMoving, type Origin, runOnOrigins } from '../operate/release/origins.ts';
import { messageOf, ReleaseError } from '../operate/release/release-error.ts';
import {
  type ReleaseContext,
  type ReleaseReport,
  readBuiltAlone,
  readKept,
  runRelease,
  settleEdges,
} from '../operate/release/run.ts';
import { runCommand, serverWith } from '../operate/release/server-commands.ts';
import { faultsIn, formatVerified, verifyServed } from '../operate/release/verify-served.ts';
import { OptionError } from '../sandbox/core/option-error.ts';
import { tokenFragment } from '../sandbox/http/developer-page.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { listen } from '../sandbox/server.ts';
import { commandOf, usage } from './commands.ts';
import { parseConformance } from './conformance-options.ts';
import { type EdgeReport, probeMetrics, verifyMetrics, writeMetrics } from './metrics.ts';
import { parseProbe } from './probe-options.ts';
import { gateFor } from './release-gate.ts';
import { type ParsedRelease, parseRelease } from './release-options.ts';
import { listenToWebhooks } from './remote/listen.ts';
import { createRemote, firstKeysOf } from './remote/remote.ts';
import { TRIGGERS, trigger } from './remote/trigger.ts';
import { parseListen, parseTrigger } from './remote-options.ts';
import { followLog } from './reports-log.ts';
import { parseOptions } from './sandbox-options.ts';
import { isForServer, parseServerConformance } from './server-conformance-options.ts';
import { guardShare } from './share-guard.ts';
import { type Unpacked, unpack } from './unpack.ts';
import { type ParsedVerify, parseVerify } from './verify-options.ts';

/** The folder of the built files, whose subfolders mirror the URLs. */
const root = fileURLToPath(new URL('..', import.meta.url));

const startSandbox = async (argv: readonly string[]): Promise<void> => {
  const { sandbox: options, ...address } = parseOptions(argv, process.env);
  const sandbox = createSandbox(options);
  const server = await listen(sandbox, { ...address, root }).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  console.log(
    [
      `The payment service runs at ${server.url}`,
      ...server.elsewhere.map((url) => `  other machines   ${url}`),
      `  inspector        ${server.url}${INSPECTOR}${tokenFragment(server.controlToken)}`,
      `  playground       ${server.url}${PLAYGROUND}${tokenFragment(server.controlToken)}`,
      `  publishable key  ${sandbox.keys.publishable}`,
      `  secret key       ${sandbox.keys.secret}`,
      `  integrity        ${server.integrity}`,
      ...(server.controlToken === null ? [] : [`  control token    ${server.controlToken}`]),
      ...(options.state === undefined ? [] : [`  kept in          ${options.state}`]),
      ...(sandbox.isSeeded ? ['Seeded: its ids and client secrets can be guessed.'] : []),
      'Stop it with Ctrl+C.',
    ].join('\n'),
  );
  const stop = async () => {
    await Promise.all([sandbox.close(), server.close()]);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

const checkConformance = async (argv: readonly string[]): Promise<void> => {
  const environment = {
    wait: (ms: number) => wait(ms),
    now: Date.now,
    log: (line: string) => console.error(line),
  };
  const run = async () => {
    if (isForServer(argv)) {
      const { baseUrl, options } = parseServerConformance(argv, `conformance-${randomUUID()}`);
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
  prunable,
  unfinished,
}: ReleaseReport): string =>
  [
    ...releases.map(({ release, published, keepUntil, withdrawn }) =>
      [
        release === moving ? '*' : release === canary?.release ? '+' : ' ',
        release,
        ...(canary === null
          ? []
          : release === moving
            ? [`${100 - canary.share} % of visitors`]
            : release === canary.release
              ? [`${canary.share} % of visitors`]
              : []),
        `published ${published}`,
        withdrawn === null
          ? `kept ${keepUntil === null ? 'for ever' : `until ${keepUntil}`}`
          : `withdrawn ${withdrawn}`,
        ...(prunable.includes(release) ? ['may be pruned'] : []),
      ].join('  '),
    ),
    moving === null ? 'Nothing is published here.' : `The moving release is ${moving}.`,
    ...(reportsTo === null ? [] : [`Browsers send violation reports to ${reportsTo}.`]),
    ...(appSchemes.length === 0 ? [] : [`Apps may embed the form: ${appSchemes.join(', ')}.`]),
    ...(unfinished === null
      ? []
      : [
          `"${unfinished}" was stopped in the middle. The next command that changes anything undoes it first.`,
        ]),
  ].join('\n');

/** What every probe needs besides its options. */
const probeTools = () => ({
  browsers: findPlaywright(process.cwd(), fileURLToPath(import.meta.url)),
  wait: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
  now: () => new Date(),
});

/** Who runs this, as the history of releases names them. */
const thisOperator = () => `${process.env.SUDO_USER ?? userInfo().username}@${hostname()}`;

/** Authorities that this program trusts and a browser does not know. */
const trustsMore = () =>
  process.env.NODE_EXTRA_CA_CERTS !== undefined || process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';

/** Tells caches to forget addresses, in the way of the template. */
const purgeWith =
  (template: string, origin: string) =>
  async (addresses: readonly string[]): Promise<void> => {
    for (const call of purgeCalls(template, origin, addresses)) {
      if (call.kind === 'command') {
        await runCommand(call.command);
        continue;
      }
      const { status } = await fetch(call.url, { method: 'POST', signal: AbortSignal.timeout(30_000) });
      if (status >= 300)
        throw new ReleaseError(`${call.url} was expected to take the purge; it answered ${status}.`);
    }
  };

/** An origin with the browser in which its forms are opened. */
type Place = Origin & { gate: Gate | null };

/** A folder with its server and its browser. `node`: the server that is asked in place of that of `--url`. */
const placeAt = async (
  target: string,
  node: string | null,
  parsed: ParsedRelease,
  { log, ...by }: Pick<ReleaseContext, 'operator' | 'signal' | 'log'>,
): Promise<Place> => {
  const { check, reload, kind, origin, isVerified, isForced, isDryRun } = parsed;
  const gate = await gateFor(parsed, node, trustsMore(), probeTools, log);
  const filled = (text: string | null) => text?.replaceAll('{target}', target) ?? null;
  const context: ReleaseContext = {
    ...{ kind, origin, isVerified, isForced, isDryRun, wait, log, ...by },
    open: gate === null ? null : gate.open,
    disk: diskAt(target),
    server: serverWith(filled(check), filled(reload)),
    get: node === null ? httpGet : httpGetVia(node),
    now: Date.now,
    self: await thisProcess(),
    alive: isAlive,
  };
  return { name: node ?? target, context, gate };
};

/**
 * Aborts at Ctrl+C, at SIGTERM, and when the terminal is closed. The share that is watched has to be taken back then, so
 * nothing else may end the program: neither a second signal, which npx sends by itself, nor a terminal that takes no text.
 */
const firstSignal = (log: (line: string) => void): AbortSignal => {
  const stopping = new AbortController();
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      if (stopping.signal.aborted) return;
      log(`${name}: nobody watches any longer, so the share ends`);
      stopping.abort(new ReleaseError(`stopped by ${name}`));
    });
  return stopping.signal;
};

const manageReleases = async (argv: readonly string[]): Promise<void> => {
  const parsed = parseRelease(argv, root, process.env);
  const { command: given, origin, origins, purge: template, isJson, isDryRun, operator, watch } = parsed;
  const log = (line: string) => (isJson ? console.error(line) : console.log(`  ${line}`));
  const opened: Unpacked[] = [];
  const from = (path: string) => {
    const one = unpack(path);
    opened.push(one);
    return one.dist;
  };
  const places: Place[] = [];
  try {
    const reportsLog = watch?.reportsLog ?? null;
    const addedReports = reportsLog === null ? async () => '' : await followLog(reportsLog);
    const command =
      given.command === 'publish'
        ? { ...given, from: from(given.from) }
        : given.command === 'repair'
          ? { ...given, from: given.from.map(from) }
          : given;
    const by = { name: operator.name ?? thisOperator(), reason: operator.reason };
    const signal = watch === null ? null : firstSignal(log);
    for (const [index, target] of parsed.targets.entries())
      places.push(await placeAt(target, origins[index] ?? null, parsed, { operator: by, signal, log }));
    const [first] = places;
    if (first === undefined) return;
    const purge = template === null || origin === null ? null : purgeWith(template, origin);
    const settle = async () => {
      if (isDryRun || !isMoving(command) || (purge === null && origins.length === 0)) return;
      await settleEdges(first.context, httpGet, purge);
    };
    const takeBack = (reason: string) => {
      const aborting = places.map(({ name, context }) => ({
        name,
        context: { ...context, operator: { ...by, reason }, signal: null },
      }));
      return runOnOrigins(aborting, { command: 'abort' }, purge, log);
    };
    const published = await runOnOrigins(places, command, purge, log).catch(async (error: unknown) => {
      // A share that began on some origins alone would go on there, unwatched.
      if (watch === null || places.length === 1 || !(error instanceof ReleaseError) || !error.hasMoved)
        throw error;
      await takeBack('--abort-if: the share could not begin everywhere').catch((failed: unknown) => {
        throw new ReleaseError(
          `${error.message}\nThe share was to be taken back. That failed: ${messageOf(failed)}`,
        );
      });
      throw new ReleaseError(`${error.message}\nThe share was taken back everywhere.`);
    });
    const share = isDryRun ? null : (published?.canary ?? null);
    let stopped: string | null = null;
    if (watch === null || signal === null || share === null) await settle();
    else {
      // Caches that were not told are no reason to leave a share unwatched.
      const unsettled = await settle().catch((error: unknown) => error);
      if (unsettled !== undefined) log(`Attention: ${messageOf(unsettled)}`);
      const watching = { ...watch, signal, wait: (ms: number) => wait(ms, undefined, { signal }) };
      stopped = await guardShare(first.context, share.release, watching, addedReports, takeBack);
      if (stopped !== null) await settle();
      else if (unsettled !== undefined) throw unsettled;
    }
    const report = stopped === null ? published : await runRelease(first.context, { command: 'status' });
    if (report === null) return;
    const ok = report.remaining.length === 0 && stopped === null;
    if (!ok) process.exitCode = 1;
    const text = () =>
      command.command === 'history' ? report.moves.map(describeMove).join('\n') : formatReport(report);
    const probed = places.some(({ gate }) => gate !== null);
    console.log(isJson ? JSON.stringify({ ok, probed, ...report }) : text());
  } catch (error) {
    if (!(isJson && error instanceof ReleaseError)) throw error;
    console.log(JSON.stringify({ ok: false, problem: error.message }));
    process.exitCode = 1;
  } finally {
    for (const { gate } of places) await gate?.close();
    for (const one of opened) one.remove();
  }
};

/** What a monitor cannot do is not what it was to find out: exits with 2, with a problem in the JSON, too. */
const couldNot = (error: unknown, isJson: boolean): void => {
  if (!(error instanceof OptionError || error instanceof ReleaseError || error instanceof ProbeError))
    throw error;
  if (isJson) console.log(JSON.stringify({ ok: false, problem: error.message }));
  else console.error(error.message);
  process.exitCode = 2;
};

/** Writes the metrics to this file, if there is one. What was found out already is not lost if that fails. */
const keepMetrics = async (path: string | null, text: string): Promise<void> => {
  if (path === null) return;
  await writeMetrics(path, text).catch((error: unknown) => {
    console.error(messageOf(error));
    process.exitCode ||= 2;
  });
};

/** What one node serves, or the service as browsers reach it. */
const verifyAt = async (
  { origin, releases, reportsTo, appSchemes, signedBy, isAnyCoding }: ParsedVerify,
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
      read: () =>
        releases === null
          ? readBuiltAlone(diskAt(root), { reportsTo, appSchemes })
          : readKept(diskAt(dirname(releases))),
      signedBy,
      isAnyCoding,
      get,
      now: Date.now,
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
    const options = parseVerify(argv);
    const { edges, timeLimit, metrics, isJson } = options;
    const start = Date.now();
    const reports: EdgeReport[] = [];
    /** The nodes that could not be asked. They hide nothing of the others. */
    const unasked: { edge: string; problem: string }[] = [];
    for (const edge of edges.length === 0 ? [null] : edges) {
      try {
        reports.push(await verifyAt(options, start + timeLimit, edge));
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
    if (reports.length > 0)
      await keepMetrics(metrics, verifyMetrics(reports, Date.now(), Date.now() - start));
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
    const { payment, metrics, isJson, ...options } = parseProbe(argv, process.env);
    const tools = probeTools();
    const clientSecret = payment.kind === 'secret' ? payment.secret : await createWith(payment.command);
    const report = await probe({ ...options, clientSecret }, tools);
    console.log(isJson ? JSON.stringify(report) : formatProbe(report));
    process.exitCode = report.ok ? 0 : 1;
    await keepMetrics(metrics, probeMetrics(report, Date.now()));
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
  const { baseUrl, ...options } = parseListen(argv);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  await listenToWebhooks(remoteAt(baseUrl), options, {
    log: (line) => console.log(line),
    wait: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
    signal: stopping.signal,
  });
};

const version = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return `${version}`;
};

try {
  const chosen = commandOf(process.argv.slice(2));
  switch (chosen.command) {
    case 'sandbox':
      await startSandbox(chosen.argv);
      break;
    case 'trigger':
      await makeHappen(chosen.argv);
      break;
    case 'listen':
      await printWebhooks(chosen.argv);
      break;
    case 'conformance':
      await checkConformance(chosen.argv);
      break;
    case 'release':
      await manageReleases(chosen.argv);
      break;
    case 'verify':
      await checkServed(chosen.argv);
      break;
    case 'probe':
      await probeService(chosen.argv);
      break;
    case 'help':
      console.log(usage(chosen.about));
      break;
    case 'version':
      console.log(version());
      break;
    default:
      chosen satisfies never;
  }
} catch (error) {
  // A wrong option and a failed release print their message alone; any other error is a defect and prints its stack.
  console.error(error instanceof OptionError || error instanceof ReleaseError ? error.message : error);
  process.exitCode = 1;
}
