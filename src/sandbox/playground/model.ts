/** The page's state as signals, and the actions that change it. */
import { computed, effect, signal } from '@preact/signals';
import { PLAYGROUND_MARK } from '../../api/routes.ts';
import type { CardFormApi } from '../../form/loader/types.ts';
import { loadCardForm } from '../../merchant/load.ts';
import { ControlError, post, remove } from '../inspector/control-api.ts';
import { type Choices, DEFAULTS } from './choices.ts';
import { codeFor } from './code.ts';
import { readLink, writeLink } from './link.ts';
import { createLiveForm, type Happening, type LiveForm } from './live-form.ts';
import type { TestOutcome } from './outcomes.ts';
import type { PlaygroundSite } from './site.ts';

/** The payment of the form on the screen. */
export type PlaygroundPayment = {
  /** `null` if only the client secret is known. */
  id: string | null;
  clientSecret: string;
};

export type LogEntry = Happening & { number: number; at: number };

/** A sentence shown for a while and announced to screen readers. */
export type Toast = { text: string; tone: 'plain' | 'bad' };

/** The maximum number of log entries. */
const LONGEST_LOG = 200;

/** How long after the last change the form is updated, in ms. The form accepts 20 calls a second. */
const FOLLOW_DELAY = 120;

/** How long after the last change the URL is updated, in ms, so that moving a slider adds one step to Back. */
const LINK_DELAY = 350;

/** Debounces: runs only the latest call, once none has come for `delay` milliseconds. */
const afterPause = (delay: number, run: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    start: () => {
      clearTimeout(timer);
      timer = setTimeout(run, delay);
    },
    stop: () => clearTimeout(timer),
  };
};

const messageOf = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem);

/** Returns the client secret in the answer of the owner's route, or null if the answer is unusable. */
const secretIn = (body: unknown): string | null => {
  const secret: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'clientSecret') : null;
  return typeof secret === 'string' && secret.startsWith('lg_cs_') ? secret : null;
};

/** The page's state. */
const createState = (site: PlaygroundSite) => {
  const link = readLink(location.hash);
  const choices = signal<Choices>(link.choices);
  const systemIsDark = signal(false);
  return {
    site,
    choices,
    notes: signal<readonly string[]>([...site.problems, ...link.problems]),
    payment: signal<PlaygroundPayment | null>(null),
    log: signal<readonly LogEntry[]>([]),
    toast: signal<Toast | null>(null),
    isLoading: signal(true),
    systemIsDark,
    pageScheme: computed(() =>
      choices.value.page === 'auto' ? (systemIsDark.value ? 'dark' : 'light') : choices.value.page,
    ),
    code: computed(() => codeFor(choices.value.target, choices.value, site.service)),
    /** False if payments must be created elsewhere and their client secret typed in. */
    canCreatePayments: site.hasControl || site.paymentUrl !== null,
  };
};

type State = ReturnType<typeof createState>;

const say = ({ toast }: State, text: string, tone: Toast['tone'] = 'plain') => {
  toast.value = { text, tone };
};

/** Runs an action and shows its result, or why it failed. */
const runAction = async (state: State, action: () => Promise<string>): Promise<void> => {
  try {
    say(state, await action());
  } catch (problem) {
    if (!(problem instanceof ControlError)) reportError(problem);
    say(state, messageOf(problem), 'bad');
  }
};

/** The form on the screen. `start` passes it the API. */
const createStage = (state: State) => {
  const { site, choices, payment, log } = state;
  let entries = 0;
  const addToLog = (happening: Happening) => {
    entries += 1;
    log.value = [{ ...happening, number: entries, at: Date.now() }, ...log.value].slice(0, LONGEST_LOG);
  };

  let api: CardFormApi | null = null;
  let container: Element | null = null;
  let live: LiveForm | null = null;

  const followNow = () => {
    if (payment.value === null || api === null || container === null) return;
    live ??= createLiveForm(api, container, {
      publishableKey: site.service.publishableKey,
      log: addToLog,
    });
    try {
      live.show(choices.value, payment.value.clientSecret);
    } catch (mistake) {
      say(state, messageOf(mistake), 'bad');
    }
  };
  const follow = afterPause(FOLLOW_DELAY, followNow);

  /** Sets the element that contains the form; `null` when it is removed. */
  const attach = (element: Element | null) => {
    if (element === null) live?.remove();
    if (element !== container) live = null;
    container = element;
    followNow();
  };

  return {
    attach,
    start(loaded: CardFormApi | null) {
      api = loaded;
      followNow();
    },
    follow: follow.start,
    submit: () => live?.submit(),
  };
};

const fromSandbox = async (): Promise<PlaygroundPayment> => {
  const { payment_intent, client_secret } = await post<{
    payment_intent: { id: string };
    client_secret: string;
  }>('payment_intents', { metadata: PLAYGROUND_MARK });
  return { id: payment_intent.id, clientSecret: client_secret };
};

const fromOwner = async (url: string): Promise<PlaygroundPayment> => {
  const response = await fetch(url, { method: 'POST', cache: 'no-store' });
  const clientSecret = response.ok ? secretIn(await response.json()) : null;
  if (clientSecret === null) throw new Error(`${url} answered ${response.status} without a clientSecret.`);
  return { id: null, clientSecret };
};

/** Creates payments, and prepares the sandbox for an outcome. */
const createPayments = (state: State) => {
  const { site, payment } = state;
  const createPayment = async (): Promise<string> => {
    payment.value = site.hasControl ? await fromSandbox() : await fromOwner(site.paymentUrl ?? '');
    return 'This is a new payment.';
  };

  const enterSecret = (clientSecret: string) => {
    payment.value = { id: null, clientSecret: clientSecret.trim() };
  };

  /** True if a fault was set that may still be waiting. */
  let hasFault = false;

  /** Prepares the sandbox for an outcome. */
  const prepare = ({ text, fault, amount }: TestOutcome) =>
    runAction(state, async () => {
      if (hasFault) await remove('faults');
      hasFault = fault !== undefined;
      if (fault !== undefined) await post('faults', { times: 1, ...fault });
      const id = payment.value?.id;
      if (amount !== undefined && id) await post(`payment_intents/${id}/update`, { amount });
      return `Next press of Pay: ${text}.`;
    });

  return { createPayment, enterSecret, prepare };
};

/** The choices, and the URL that contains them. */
const createLink = (state: State) => {
  const { site, choices, notes } = state;
  const writeNow = () => {
    const hash = writeLink(choices.value);
    if (hash === location.hash.replace(/^#/, '')) return;
    history.pushState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
  };
  const write = afterPause(LINK_DELAY, writeNow);

  const readAgain = () => {
    write.stop();
    const { choices: linked, problems } = readLink(location.hash);
    choices.value = linked;
    notes.value = [...site.problems, ...problems];
  };

  const choose = (changes: Partial<Choices>) => {
    choices.value = { ...choices.value, ...changes };
    write.start();
  };

  const startOver = () => choose({ ...DEFAULTS, target: choices.value.target });

  /** Copies a text. If the browser refuses, the page asks the user to copy it by hand. */
  const copy = async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      say(state, `Copied ${what}.`);
    } catch {
      say(state, `The browser does not let this page copy. Select ${what} and copy it by hand.`, 'bad');
    }
  };

  const copyLink = () => {
    write.stop();
    writeNow();
    return copy(location.href, 'the link');
  };

  return { readAgain, choose, startOver, copy, copyLink };
};

export const createPlayground = (site: PlaygroundSite) => {
  const state = createState(site);
  const { choices, payment, isLoading, systemIsDark, canCreatePayments } = state;
  const stage = createStage(state);
  const payments = createPayments(state);
  const link = createLink(state);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  systemIsDark.value = dark.matches;

  const start = async () => {
    dark.addEventListener('change', ({ matches }) => {
      systemIsDark.value = matches;
    });
    addEventListener('popstate', link.readAgain);
    effect(() => {
      void [choices.value, payment.value];
      stage.follow();
    });
    try {
      const [loaded] = await Promise.all([
        loadCardForm(site.service.origin),
        canCreatePayments ? payments.createPayment() : null,
      ]);
      stage.start(loaded);
    } catch (problem) {
      say(state, messageOf(problem), 'bad');
    } finally {
      isLoading.value = false;
    }
  };

  return {
    ...state,
    start,
    attach: stage.attach,
    choose: link.choose,
    startOver: link.startOver,
    copy: link.copy,
    copyLink: link.copyLink,
    createPayment: () => runAction(state, payments.createPayment),
    enterSecret: payments.enterSecret,
    prepare: payments.prepare,
    submit: stage.submit,
    clearLog: () => {
      state.log.value = [];
    },
  };
};

export type PlaygroundModel = ReturnType<typeof createPlayground>;
