/**
 * Opens a running service's card form in a real browser and waits until a buyer could pay. It never pays: only the
 * requests allowed by `requests.ts` leave the browser, and nothing is pressed.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { CLIENT_ROUTES, STATIC_ROUTES } from '../../api/routes.ts';
import { type Diagnosis, diagnose, type Observed, type ProbeReason } from './diagnose.ts';
import { networkIn } from './network.ts';
import {
  disarm,
  mountInPage,
  PAGE,
  type PageFinding,
  type ProbeTimes,
  pageFor,
  visibleText,
} from './page.ts';
import { type Browsers, systemChromium } from './playwright.ts';
import { ProbeError } from './probe-error.ts';
import { type Redact, redactHar, redactor } from './redact.ts';
import { mayLeave } from './requests.ts';
import { typeCard } from './typing.ts';

export type ProbeOptions = {
  /** Scheme and host of the service. */
  origin: string;
  publishableKey: string;
  /** Client secret of a pending, complete payment that nobody pays. */
  clientSecret: string;
  /** Address of the script. Default: the moving one. */
  script?: string;
  /** The probe's own answer to the read of the payment. If absent, the service is asked. */
  made?: string;
  /** Types a test card into the form. If absent, nothing is typed. */
  isTyping?: boolean;
  /** The `User-Agent`, by which a server may choose a release. */
  userAgent?: string;
  /** Accepts any certificate, because the program trusts more authorities than the browser does. */
  acceptsCertificates?: boolean;
  /** Path of a Chromium; null for the one Playwright installed. */
  executablePath: string | null;
  /** Limit for the form to become ready, in ms. */
  timeout: number;
  /** Folder for the screenshot and HAR of a failure. Created if missing. */
  output: string;
};

/** Result of a probe. Printed as JSON; contains no secrets. */
export type ProbeReport = {
  /** True if a buyer could have paid. */
  ok: boolean;
  baseUrl: string;
  /** The browser and its version. */
  browser: string;
  /** The release of the script; null if it didn't run. */
  release: string | null;
  /** In ms since the script was requested. */
  times: ProbeTimes;
  /** Null if `ok`. */
  reason: ProbeReason | null;
  message: string | null;
  /** Blocked requests: method and URL; only the origin for origins other than the service's. */
  stopped: readonly string[];
  /** Paths of the files kept from a failure. A screenshot that would show the client secret is not kept. */
  screenshot: string | null;
  har: string | null;
};

/** A probe's dependencies. */
export type ProbeTools = {
  browsers: Browsers;
  /** Waits; rejects once the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  now: () => Date;
};

/** Extra time for a page that doesn't answer at all, beyond the form's timeout, in ms. */
const GRACE = 10_000;

/** Limits in ms: for collecting what is kept of a failure, and for a document to return its text. */
const KEEPING = 20_000;
const READING = 3000;

/** Runs one probe. Throws a `ProbeError` if no browser could be started. */
export const probe = async (options: ProbeOptions, tools: ProbeTools): Promise<ProbeReport> => {
  const browser = await launch(options, tools.browsers);
  try {
    return await probeIn(browser, options, tools);
  } finally {
    await browser.close();
  }
};

/** Runs one probe in a running browser. */
export const probeIn = async (
  browser: Browser,
  options: ProbeOptions,
  tools: Omit<ProbeTools, 'browsers'>,
): Promise<ProbeReport> => {
  const folder = await mkdtemp(join(tmpdir(), 'card-form-probe-')); // private, because its HAR has secrets
  try {
    const har = join(folder, 'probe.har');
    const context = await browser.newContext({
      viewport: { width: 800, height: 1200 },
      locale: 'en-US',
      serviceWorkers: 'block',
      acceptDownloads: false,
      ignoreHTTPSErrors: options.acceptsCertificates ?? false,
      ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
      recordHar: { path: har, content: 'embed' },
    });
    await allowPrivateNetwork(context);
    const redact = redactor(options.clientSecret);
    const { refused, reads, ...seen } = await watch(context, options, redact);
    const page = await context.newPage();
    const finding = await visit(page, options, tools);
    const typing = options.isTyping && finding.hasTotal ? await typeCard(page, options.origin) : null;
    const picture = await within(
      pictureOf(page, redact, tools.wait).catch(() => null),
      KEEPING,
      null,
      tools.wait,
    );
    await within(Promise.all(reads), READING, [], tools.wait); // the HAR lacks bodies that were not read by then
    await context.close(); // writes the HAR
    const text = await readFile(har, 'utf8');
    const network = networkIn(text, options.origin, options.script ?? STATIC_ROUTES.loader);
    const files = [...network.files.map(redact), ...refused];
    const observed = { ...network, ...seen, files, finding, typing };
    const diagnosis = diagnose(observed);
    const kept = diagnosis === null ? NOTHING_KEPT : await keep(picture, text, options, tools, redact);
    return reportOf(options, `chromium ${browser.version()}`, observed, diagnosis, kept, redact);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * A window opened by a script can send requests before Playwright routes them. Nobody presses anything in a probe, so
 * the browser's popup blocker refuses every window, unless Playwright turns it off.
 */
const NO_POPUPS = { ignoreDefaultArgs: ['--disable-popup-blocking'] };

/** Starts Chromium: the given one, or Playwright's, or the system's if Playwright's is not installed. */
export const launch = async (
  { executablePath, args = [] }: Pick<ProbeOptions, 'executablePath'> & { args?: string[] },
  browsers: Browsers,
): Promise<Browser> => {
  const start = (path: string | null) =>
    browsers.chromium.launch({
      ...(path === null ? {} : { executablePath: path }),
      ...NO_POPUPS,
      args,
    });
  const other = executablePath === null ? systemChromium() : null;
  try {
    return await start(executablePath).catch((error: unknown) => {
      if (other === null) throw error;
      return start(other);
    });
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : `${error}`).split('\n');
    throw new ProbeError(
      `chromium was expected to start; it did not: ${line} Install it: npx playwright install chromium. Or name one with --executable-path.`,
    );
  }
};

/**
 * The probe's page has no server, so Chromium treats it as part of the public internet and asks the user before it
 * loads anything from this machine or a private network, where a service may be tested.
 */
const allowPrivateNetwork = async (context: BrowserContext): Promise<void> => {
  // A Playwright that doesn't know the permission has a Chromium that doesn't ask for it.
  await context.grantPermissions(['local-network-access']).catch(() => undefined);
};

/** Blocks requests that must not leave, and records what the diagnosis needs. */
const watch = async (context: BrowserContext, { origin, made }: ProbeOptions, redact: Redact) => {
  const own = pageFor(origin);
  const stopped: string[] = [];
  const policies: string[] = [];
  const refused: string[] = [];
  const thrown: string[] = [];
  const stop = (method: string, url: string) => {
    const isOwn = URL.canParse(url) && new URL(url).origin === origin;
    stopped.push(redact(`${method} ${isOwn ? url.replace(/\?.*/, '') : originOf(url)}`));
  };
  await context.addInitScript(disarm);
  await context.route(
    () => true,
    async (route) => {
      const request = route.request();
      const [method, url] = [request.method(), request.url()];
      if (url === own && method === 'GET' && request.isNavigationRequest())
        return route.fulfill({ contentType: 'text/html; charset=utf-8', body: PAGE });
      if (mayLeave({ method, url }, origin))
        return made !== undefined && new URL(url).pathname === CLIENT_ROUTES.retrieve
          ? route.fulfill({ contentType: 'application/json', body: made })
          : route.continue();
      stop(method, url);
      return route.abort('blockedbyclient');
    },
  );
  await context.routeWebSocket(
    () => true,
    (socket) => {
      stop('WebSocket', socket.url());
      socket.close();
    },
  );
  const reads: Promise<unknown>[] = [];
  context.on('response', (response) => {
    if (response.url() === origin + CLIENT_ROUTES.retrieve) reads.push(response.body().catch(() => null));
  });
  context.on('weberror', (raised) => {
    const { stack, message, name } = raised.error();
    const [place] = /(?<!\S)\S+:\d+:\d+/.exec((stack ?? '').split('\n').slice(1).join('\n')) ?? [];
    thrown.push(
      redact(`${name}: ${message}${place === undefined ? '' : ` at ${place.replace(/^\(/, '')}`}`).slice(
        0,
        500,
      ),
    );
  });
  context.on('console', (message) => {
    const text = redact(message.text());
    if (message.type() === 'error' && /content security policy|frame-ancestors|x-frame-options/i.test(text))
      policies.push(text.slice(0, 500));
    else if (
      message.type() === 'error' &&
      /'?integrity'? attribute|integrity metadata|valid digest/i.test(text)
    )
      refused.push(text.slice(0, 500));
  });
  return { stopped, policies, refused, thrown, reads };
};

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'no URL');

const NOTHING: PageFinding = {
  end: 'timeout',
  times: { loader: null, typeable: null, ready: null },
  release: null,
  hasTotal: false,
  detail: '',
  codes: [],
};

/** Opens the page and mounts the form. A page that doesn't answer counts as never ready. */
const visit = async (
  page: Page,
  { origin, publishableKey, clientSecret, timeout, script = STATIC_ROUTES.loader }: ProbeOptions,
  { wait }: Pick<ProbeTools, 'wait'>,
): Promise<PageFinding> => {
  const arg = { loader: origin + script, publishableKey, clientSecret, timeout };
  const look = async () => {
    await page.goto(pageFor(origin));
    return page.evaluate(mountInPage, arg);
  };
  return within(
    look().catch(() => NOTHING), // the page navigated away or crashed
    timeout + GRACE,
    NOTHING,
    wait,
  );
};

/** Resolves to the promise's value, or to `late` if it takes longer. */
const within = async <Value>(
  promise: Promise<Value>,
  ms: number,
  late: Value,
  wait: ProbeTools['wait'],
): Promise<Value> => {
  const over = new AbortController();
  const timer = wait(ms, over.signal).then(
    () => late,
    () => late,
  );
  try {
    return await Promise.race([promise, timer]);
  } finally {
    over.abort();
  }
};

const NOTHING_KEPT = { screenshot: null, har: null };

/** Saves the screenshot and HAR of a failure, without secrets. */
const keep = async (
  picture: Buffer | null,
  har: string,
  { origin, publishableKey, output }: ProbeOptions,
  { now }: Pick<ProbeTools, 'now'>,
  redact: Redact,
): Promise<{ screenshot: string | null; har: string | null }> => {
  const name = join(output, `probe-${now().toISOString().replace(/[:.]/g, '-')}`);
  await mkdir(output, { recursive: true });
  if (picture !== null) await writeFile(`${name}.png`, picture);
  const keepsUrl = (url: string) =>
    url === pageFor(origin) ||
    mayLeave({ method: 'GET', url }, origin) ||
    url === origin + CLIENT_ROUTES.retrieve;
  await writeFile(`${name}.har`, redactHar(har, { redact, publishableKey, keepsUrl }));
  return { screenshot: picture === null ? null : `${name}.png`, har: `${name}.har` };
};

/**
 * A screenshot; null if a secret is readable in any document of the page. Documents that don't answer, such as the
 * browser's own error pages, are covered.
 */
const pictureOf = async (page: Page, redact: Redact, wait: ProbeTools['wait']): Promise<Buffer | null> => {
  const texts = await Promise.all(
    page.frames().map((frame) =>
      within(
        frame.evaluate(visibleText).catch(() => null),
        READING,
        null,
        wait,
      ),
    ),
  );
  if (texts.some((text) => text !== null && redact(text.replace(/\s/g, '')) !== text.replace(/\s/g, '')))
    return null;
  const mask = texts.includes(null) ? [page.locator('iframe')] : [];
  return page.screenshot({ fullPage: true, mask, timeout: KEEPING });
};

const reportOf = (
  { origin }: ProbeOptions,
  browser: string,
  { finding, stopped }: Observed,
  diagnosis: Diagnosis,
  kept: Pick<ProbeReport, 'screenshot' | 'har'>,
  redact: Redact,
): ProbeReport => ({
  ok: diagnosis === null,
  baseUrl: origin,
  browser,
  release: finding.release === null ? null : redact(`${finding.release}`).slice(0, 100),
  times: finding.times,
  reason: diagnosis?.reason ?? null,
  message: diagnosis === null ? null : redact(diagnosis.message),
  stopped: [...new Set(stopped)].slice(0, 20),
  ...kept,
});

/** Lines for a terminal. */
export const formatProbe = ({
  ok,
  baseUrl,
  browser,
  release,
  times,
  reason,
  message,
  screenshot,
  har,
}: ProbeReport): string => {
  const took = (['loader', 'typeable', 'ready'] as const)
    .map((name) => `${name} ${times[name] === null ? 'never' : `${times[name]} ms`}`)
    .join(', ');
  return [
    `${baseUrl}: ${ok ? 'a buyer could pay' : `no buyer could pay: ${reason}: ${message}`}`,
    `  release ${release ?? 'unknown'}, ${browser}: ${took}`,
    ...[screenshot, har].flatMap((path) => (path === null ? [] : [`  kept ${path}`])),
  ].join('\n');
};
