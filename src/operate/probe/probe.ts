/**
 * Opens the card form of a running service in a real browser and waits until a buyer could pay. It never pays: no request
 * but those of `requests.ts` leaves the browser, and nothing is pressed.
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
  /** Of a pending, complete payment that nobody pays. */
  clientSecret: string;
  /** The address of the script; that which moves unless named. */
  script?: string;
  /** What the read of the payment is answered by the probe itself. Without it, the service is asked. */
  made?: string;
  /** Whether to type a test card into the form. Without it, nothing is typed. */
  isTyping?: boolean;
  /** The name of the browser (`User-Agent`), by which a server may choose a release. */
  userAgent?: string;
  /** Whether to accept any certificate, because the program trusts more authorities than the browser does. */
  acceptsCertificates?: boolean;
  /** The file of a Chromium; null for the one that Playwright installed. */
  executablePath: string | null;
  /** How long the form may take, in ms. */
  timeout: number;
  /** The folder for screenshot and HAR of a failure. Created if it does not exist. */
  output: string;
};

/** What a probe found. It is printed as JSON, and holds no secret. */
export type ProbeReport = {
  /** Whether a buyer could have paid. */
  ok: boolean;
  baseUrl: string;
  /** The browser and its version. */
  browser: string;
  /** The release of the script; null if it did not run. */
  release: string | null;
  /** In ms since the script was asked for. */
  times: ProbeTimes;
  /** Null if `ok`. */
  reason: ProbeReason | null;
  message: string | null;
  /** The requests that were stopped: method and URL, of another origin than the service's the origin alone. */
  stopped: readonly string[];
  /** The paths of what was kept of a failure. No screenshot is kept that would show the client secret. */
  screenshot: string | null;
  har: string | null;
};

/** What a probe needs besides its options. */
export type ProbeTools = {
  browsers: Browsers;
  /** Waits; rejects once the signal aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  now: () => Date;
};

/** How long a page may take that does not answer at all, beyond the timeout of the form, in ms. */
const GRACE = 10_000;

/** How long a page may take for what is only kept of a failure, and a document to tell its text, in ms. */
const KEEPING = 20_000;
const READING = 3000;

/** Makes one probe. Throws a `ProbeError` if no browser could be started. */
export const probe = async (options: ProbeOptions, tools: ProbeTools): Promise<ProbeReport> => {
  const browser = await launch(options, tools.browsers);
  try {
    return await probeIn(browser, options, tools);
  } finally {
    await browser.close();
  }
};

/** Makes one probe in a browser that runs. */
export const probeIn = async (
  browser: Browser,
  options: ProbeOptions,
  tools: Omit<ProbeTools, 'browsers'>,
): Promise<ProbeReport> => {
  const folder = await mkdtemp(join(tmpdir(), 'card-form-probe-')); // its HAR has secrets, and nobody else may read it
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
    await within(Promise.all(reads), READING, [], tools.wait); // the HAR has no body that was not read by then
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
 * A window that a script opens can send before its requests are routed. Nobody presses anything in a probe, so the blocker
 * of the browser refuses each, if Playwright does not turn it off.
 */
const NO_POPUPS = { ignoreDefaultArgs: ['--disable-popup-blocking'] };

/** Starts Chromium: the named one, that of Playwright, or, in place of one that it has not, that of the system. */
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
 * The probe's page has no server, so Chromium takes it for one of the public internet, and asks the user before it may load
 * anything from this machine or a private network, where a service may be tested.
 */
const allowPrivateNetwork = async (context: BrowserContext): Promise<void> => {
  // A Playwright that does not know the permission has a Chromium that does not ask for it.
  await context.grantPermissions(['local-network-access']).catch(() => undefined);
};

/** Stops what may not leave, and remembers what the diagnosis needs. */
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

/** Opens the page and mounts the form. A page that does not answer counts as one that was never ready. */
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
    look().catch(() => NOTHING), // the page went somewhere else, or crashed
    timeout + GRACE,
    NOTHING,
    wait,
  );
};

/** What a promise resolves to, or `late` if it takes longer. */
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

/** Keeps screenshot and HAR of a failure, without secrets. */
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
 * A screenshot; null if a secret can be read in any document of the page. Documents that do not answer, such as the
 * browser's own for an error, are covered.
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

/** The lines for a terminal. */
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
