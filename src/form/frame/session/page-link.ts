/** The connection to the merchant's page: posts and logs messages, and dispatches incoming ones. */
import { type Signal, signal } from '@preact/signals-core';
import { systemClock } from '../../../api/clock/clock.ts';
import type { AskCovers, FrameMessage, HostMessage } from '../../channel/messages.ts';
import { createFramePort } from '../../channel/port.ts';
import { createCoverQuestions } from '../merchant/cover-questions.ts';
import { createDiagnosticsLog, type DiagnosticsLog } from '../merchant/diagnostics.ts';
import { createEventLog } from '../merchant/event-log.ts';
import { createWarn, type Warn } from '../merchant/warnings.ts';

/** Messages from the page, except its replies to `askCovers` and to requests for a client secret, font or addresses. */
export type Heard = Exclude<HostMessage, { type: 'covers' | 'secret' | 'font' | 'search' }>;

export type PageLink = {
  /** Posts a message to the page, and logs it for `diagnostics()` and the developer hints. */
  post(message: FrameMessage): void;
  /** Posts a question or a reply to the page, without logging it. */
  reply(message: FrameMessage): void;
  /** Never resolves if the page does not answer. */
  askCovers: AskCovers;
  /**
   * Has the page watch the form's place: report what is behind the form, now and at each change, and remove styles that
   * move the frame's document within its iframe. Only the first call counts. Called late, so that the script the page
   * loads for it doesn't delay the total.
   */
  followPlace(): void;
  warn: Warn;
  diagnostics: DiagnosticsLog;
  /** True once the page broke a limit of the channel: it is hardly listened to any more. */
  brokeProtocol: Signal<boolean>;
  /** Sets the receiver of the page's client secrets; null if the page has none. */
  hearSecret(receive: (secret: string | null) => void): void;
  /** Sets the receiver of requested fonts or addresses, which are not yet validated. */
  hear(what: 'font' | 'search', receive: (answer: unknown) => void): void;
  /** Sets the receiver of the page's messages, which gets the queued ones first. */
  listen(receive: (message: Heard) => void): void;
  /** Passes every posted message to `advise`, too. */
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
