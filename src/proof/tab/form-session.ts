/**
 * The form of one tab: the session that buyers use, without a browser. Model and simulation open it alike; what differs
 * is the world around it, and who answers at the port of the service.
 */
import type { FrameMessage } from '../../form/channel/messages.ts';
import { createSession, type Session, type SessionDeps } from '../../form/frame/session/session.ts';
import { createSwap } from '../../form/frame/session/swap.ts';
import type { SwapScript } from '../../form/frame/session/swaps.ts';
import type { TabSharing } from '../../form/frame/session/tab-lock.ts';

/** Where the requests of a tab go. */
export type ServicePort = {
  baseUrl: string;
  publishableKey: string;
  fetch: typeof globalThis.fetch;
};

/** Parts of a form that has a mistake in it, in place of the right ones. */
export type FormParts = SessionDeps['replace'] & {
  fetch?: (answer: Response) => Response;
  tabs?: (sharing: TabSharing) => TabSharing;
  /** What stands in a field counts only if an event said so. */
  hearsEventsAlone?: true;
  /** The script that puts another intent into the form. */
  swap?: SwapScript;
  /** What the page hears in place of the answer to `refresh()`. */
  answer?: (message: FrameMessage) => FrameMessage;
};

/** The world around the form of a tab. */
export type TabWorld = Pick<
  SessionDeps,
  'clientSecret' | 'canReplace' | 'askPage' | 'lifecycle' | 'tabs' | 'clock' | 'random' | 'onDefect'
> & {
  port: ServicePort;
  /** What the buyer has typed. */
  typed: Pick<SessionDeps['form'], 'details'>;
  /** The page is asked for the secret of an intent; `anew`: of another one. */
  askSecret(anew: boolean): void;
  /** What the page hears. */
  say(message: FrameMessage): void;
  wrong: FormParts;
};

/** Opens a form: it reads its intent at once. */
export const openFormSession = ({ port, typed, askSecret, say, wrong, ...world }: TabWorld): Session => {
  const { fetch: answered, tabs, swap = { createSwap }, answer: _, hearsEventsAlone: __, ...replace } = wrong;
  return createSession({
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
};
