/** The conversation with the merchant's page: what it is told, what of that is kept, and who listens to it. */
import { type Signal, signal } from '@preact/signals';
import { systemClock } from '../../../clock/clock.ts';
import type { FrameMessage, HostMessage } from '../../channel/messages.ts';
import { createFramePort } from '../../channel/port.ts';
import { createDiagnosticsLog, type DiagnosticsLog } from '../merchant/diagnostics.ts';
import { createEventLog } from '../merchant/event-log.ts';
import { createWarn, type Warn } from '../merchant/warnings.ts';

export type PageLink = {
  /** Tells the page something, and notes it for `diagnostics()` and the developer's hints. */
  post(message: FrameMessage): void;
  /** Asks the page, or answers it. Neither is noted. */
  reply(message: FrameMessage): void;
  warn: Warn;
  diagnostics: DiagnosticsLog;
  /** Whether the page broke a limit of the channel and has not been told so. */
  brokeProtocol: Signal<boolean>;
  /** From now on `receive` hears the page. Until then nobody does. */
  listen(receive: (message: HostMessage) => void): void;
  /** From now on `advise` sees what is posted. */
  advise(advise: (message: FrameMessage) => void): void;
  close(): void;
};

export const createPageLink = (port: MessagePort): PageLink => {
  const { now } = systemClock;
  const log = createEventLog(now);
  const diagnostics = createDiagnosticsLog(performance, log.entries);
  const brokeProtocol = signal(false);
  let receive = (_: HostMessage) => {};
  let advise = (_: FrameMessage) => {};
  const framePort = createFramePort(port, {
    onMessage: (message) => receive(message),
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
  return {
    post,
    reply: framePort.post,
    warn: createWarn(post),
    diagnostics,
    brokeProtocol,
    listen(next) {
      receive = next;
    },
    advise(next) {
      advise = next;
    },
    close: framePort.close,
  };
};
