/**
 * The form of one tab: the session that buyers use, without a browser. Model and simulation both open it this way; they
 * differ in the world around it, and in what answers at the service's port.
 */
import type { FrameMessage } from '../../form/channel/messages.ts';
import { createSession, type Session, type SessionDeps } from '../../form/frame/session/session.ts';
import { createSwap } from '../../form/frame/session/swap.ts';
import type { SwapScript } from '../../form/frame/session/swaps.ts';
import type { TabSharing } from '../../form/frame/session/tab-lock.ts';

/** The destination of a tab's requests. */
export type ServicePort = {
  baseUrl: string;
  publishableKey: string;
  fetch: typeof globalThis.fetch;
};

/** Parts of a form with a mistake, replacing the correct ones. */
export type FormParts = SessionDeps['replace'] & {
  fetch?: (answer: Response) => Response;
  tabs?: (sharing: TabSharing) => TabSharing;
  /** A field's value counts only if an event reported it. */
  hearsEventsAlone?: true;
  /** Parks the session, or wakes it up. */
  park?: (session: Session, isParked: boolean) => void;
  /** The script that puts another intent into the form. */
  swap?: SwapScript;
  /** The message the page gets instead of the answer to `refresh()`. */
  answer?: (message: FrameMessage) => FrameMessage;
};

/** The world around a tab's form. */
export type TabWorld = Pick<
  SessionDeps,
  'clientSecret' | 'canReplace' | 'askPage' | 'lifecycle' | 'tabs' | 'clock' | 'random' | 'onDefect'
> & {
  port: ServicePort;
  /** The details the buyer has typed. */
  typed: Pick<SessionDeps['form'], 'details'>;
  /** Asks the page for an intent's secret; with `anew`, for that of another intent. */
  askSecret(anew: boolean): void;
  /** Sends a message to the page. */
  say(message: FrameMessage): void;
  wrong: FormParts;
};

/** Opens a form, which reads its intent immediately. */
export const openFormSession = ({ port, typed, askSecret, say, wrong, ...world }: TabWorld): Session => {
  const {
    fetch: answered,
    tabs,
    park,
    swap = { createSwap },
    answer: _,
    hearsEventsAlone: __,
    ...replace
  } = wrong;
  const session = createSession({
    ...world,
    service: {
      ...port,
      fetch: answered ? async (input, init) => answered(await port.fetch(input, init)) : port.fetch,
    },
    form: {
      ...typed,
      clearCard: () => undefined,
      clearCvc: () => undefined,
      markRefused: () => undefined,
    },
    tabs: tabs ? tabs(world.tabs) : world.tabs,
    network: { diagnose: (send) => send() },
    onFailure: () => undefined,
    loadSwap: async () => swap,
    post: (message) => (message.type === 'secret' ? askSecret(message.anew) : say(message)),
    replace,
  });
  return park ? { ...session, park: (isParked) => park(session, isParked) } : session;
};
