/** The conversation with the merchant's page: what it is told, what of that is kept, and who listens to it. */
import { type Signal, signal } from '@preact/signals-core';
import { systemClock } from '../../../clock/clock.ts';
import type { AskCovers, FrameMessage, HostMessage } from '../../channel/messages.ts';
import { createFramePort } from '../../channel/port.ts';
import { createCoverQuestions } from '../merchant/cover-questions.ts';
import { createDiagnosticsLog, type DiagnosticsLog } from '../merchant/diagnostics.ts';
import { createEventLog } from '../merchant/event-log.ts';
import { createWarn, type Warn } from '../merchant/warnings.ts';

/** What the page says, apart from its answers to `askCovers` and to requests for a client secret, a font or addresses. */
export type Heard = Exclude<HostMessage, { type: 'covers' | 'secret' | 'font' | 'search' }>;

export type PageLink = {
  /** Tells the page something, and notes it for `diagnostics()` and the developer's hints. */
  post(message: FrameMessage): void;
  /** Asks the page, or answers it. Neither is noted. */
  reply(message: FrameMessage): void;
  /** Never resolves if the page does not answer. */
  askCovers: AskCovers;
  /**
   * Has the page look after the form's place, once: say what is behind the form now and from then on, and remove what would move the
   * frame's document within its iframe. What the page's script fetches for it must not delay the total.
   */
  followPlace(): void;
  warn: Warn;
  diagnostics: DiagnosticsLog;
  /** Whether the page broke a limit of the channel and has not been told so. */
  brokeProtocol: Signal<boolean>;
  /** From now on `receive` gets the client secrets that the page was asked for; null if it has none. */
  hearSecret(receive: (secret: string | null) => void): void;
  /** From now on `receive` gets the fonts or the addresses that the page was asked for, unread. */
  hear(what: 'font' | 'search', receive: (answer: unknown) => void): void;
  /** From now on `receive` hears the page, and first what it has said before. */
  listen(receive: (message: Heard) => void): void;
  /** From now on `advise` sees what is posted. */
  advise(advise: (message: FrameMessage) => void): void;
  close(): void;
};

export const createPageLink = (port: MessagePort): PageLink => {
  const { now } = systemClock;
  const log = createEventLog(now);
  const diagnostics = createDiagnosticsLog(performance, log.entries);
  const brokeProtocol = signal(false);
  const unheard: Heard[] = [];
  let receive = (message: Heard): unknown => unheard.push(message);
  let receiveSecret = (_: string | null) => {};
  const receivers: Partial<Record<'font' | 'search', (answer: unknown) => void>> = {};
  const hear = (message: HostMessage) => {
    switch (message.type) {
      case 'covers':
        return covers.answer(message);
      case 'secret':
        return receiveSecret(message.clientSecret);
      case 'font':
      case 'search':
        return receivers[message.type]?.(message.answer);
      default:
        receive(message);
    }
  };
  let advise = (_: FrameMessage) => {};
  const framePort = createFramePort(port, {
    onMessage: hear,
    onViolation: () => {
      diagnostics.troubled('protocol');
      brokeProtocol.value = true;
    },
    now,
  });
  const post = (message: FrameMessage) => {
    log.note(message);
    framePort.post(message);
    advise(message);
  };
  let isFollowed = false;
  const warn = createWarn(post);
  const covers = createCoverQuestions(framePort.post, warn);
  return {
    post,
    reply: framePort.post,
    askCovers: covers.ask,
    followPlace() {
      if (!isFollowed) framePort.post({ type: 'update' });
      isFollowed = true;
    },
    warn,
    diagnostics,
    brokeProtocol,
    hearSecret(next) {
      receiveSecret = next;
    },
    hear(what, next) {
      receivers[what] = next;
    },
    listen(next) {
      receive = next;
      for (const message of unheard.splice(0)) next(message);
    },
    advise(next) {
      advise = next;
    },
    close: framePort.close,
  };
};
