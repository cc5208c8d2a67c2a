/**
 * The command `card-form`: a local sandbox, the conformance suite for a running service, and the releases that a server
 * hosts. Wiring only.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sendTo } from '../conformance/http.ts';
import {
  type CheckResult,
  formatResult,
  formatSummary,
  runConformance,
  runServerConformance,
} from '../conformance/run.ts';
import { httpGet } from '../hosting/http-get.ts';
import { createWith } from '../probe/client-secret.ts';
import { findPlaywright } from '../probe/playwright.ts';
import { formatProbe, probe } from '../probe/probe.ts';
import { ProbeError } from '../probe/probe-error.ts';
import { diskAt } from '../release/disk.ts';
import { isAlive, thisProcess } from '../release/lock.ts';
import { ReleaseError } from '../release/release-error.ts';
import { type ReleaseReport, readBuiltAlone, readKept, runRelease } from '../release/run.ts';
import { serverWith } from '../release/server-commands.ts';
import { formatVerified, verifyServed } from '../release/verify-served.ts';
import { commandOf, usage } from './commands.ts';
import { parseConformance } from './conformance-options.ts';
import { OptionError } from './core/option-error.ts';
import { tokenFragment } from './http/developer-page.ts';
import { INSPECTOR } from './http/inspector-files.ts';
import { PLAYGROUND } from './http/playground-files.ts';
import { parseOptions } from './options.ts';
import { parseProbe } from './probe-options.ts';
import { parseRelease } from './release-options.ts';
import { listenToWebhooks } from './remote/listen.ts';
import { createRemote } from './remote/remote.ts';
import { TRIGGERS, trigger } from './remote/trigger.ts';
import { parseListen, parseTrigger } from './remote-options.ts';
import { createSandbox } from './sandbox.ts';
import { listen } from './server.ts';
import { isForServer, parseServerConformance } from './server-conformance-options.ts';
import { SANDBOX_KEYS } from './service.ts';
import { parseVerify } from './verify-options.ts';

/** The folder of the built files, whose subfolders mirror the URLs. */
const root = fileURLToPath(new URL('..', import.meta.url));

const startSandbox = async (argv: readonly string[]): Promise<void> => {
  const { sandbox: options, value: _, ...address } = parseOptions(argv, process.env);
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
  if (results.some(({ kind }) => kind === 'failed')) process.exitCode = 1;
};

const formatReport = ({ moving, canary, reportsTo, releases, prunable, unfinished }: ReleaseReport): string =>
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
    ...(unfinished === null
      ? []
      : [
          `"${unfinished}" was stopped in the middle. The next command that changes anything undoes it first.`,
        ]),
  ].join('\n');

const manageReleases = async (argv: readonly string[]): Promise<void> => {
  const { command, target, check, reload, isJson, ...parsed } = parseRelease(argv, root);
  const log = (line: string) => (isJson ? console.error(line) : console.log(`  ${line}`));
  try {
    const report = await runRelease(
      {
        ...parsed,
        disk: diskAt(target),
        server: serverWith(check, reload),
        get: httpGet,
        wait,
        now: Date.now,
        log,
        self: await thisProcess(),
        alive: isAlive,
      },
      command,
    );
    console.log(isJson ? JSON.stringify({ ok: true, ...report }) : formatReport(report));
  } catch (error) {
    if (!(isJson && error instanceof ReleaseError)) throw error;
    console.log(JSON.stringify({ ok: false, problem: error.message }));
    process.exitCode = 1;
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

const checkServed = async (argv: readonly string[]): Promise<void> => {
  try {
    const { origin, releases, reportsTo, signedBy, isJson } = parseVerify(argv);
    await httpGet(`${origin}/`, {}).catch((error: Error) => {
      throw new ReleaseError(`${origin} cannot be asked: ${error.message}`);
    });
    const report = await verifyServed({
      origin,
      read: () =>
        releases === null ? readBuiltAlone(diskAt(root), reportsTo) : readKept(diskAt(dirname(releases))),
      signedBy,
      get: httpGet,
      now: Date.now,
    });
    const { differences, summary } = formatVerified(report);
    for (const line of isJson ? [] : differences) console.error(line);
    console.log(isJson ? JSON.stringify(report) : summary.join('\n'));
    process.exitCode = report.ok ? 0 : 1;
  } catch (error) {
    couldNot(error, argv.includes('--json'));
  }
};

const probeService = async (argv: readonly string[]): Promise<void> => {
  try {
    const { payment, isJson, ...options } = parseProbe(argv, process.env);
    const browsers = findPlaywright(process.cwd(), fileURLToPath(import.meta.url));
    const clientSecret = payment.kind === 'secret' ? payment.secret : await createWith(payment.command);
    const tools = {
      browsers,
      wait: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
      now: () => new Date(),
    };
    const report = await probe({ ...options, clientSecret }, tools);
    console.log(isJson ? JSON.stringify(report) : formatProbe(report));
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
    { remote, keys: SANDBOX_KEYS, name: `trigger-${randomUUID()}`, ...waiting },
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
      console.log(usage());
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
