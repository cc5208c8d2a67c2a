import type { FrameMessage } from '../../channel/messages.ts';

/** Sends the page a `warning` about an option, a method or the connection, with advice. */
export type Warn = (about: string, hint: string) => void;

/** Sends each warning once, cut to the lengths that the channel allows. */
export const createWarn = (post: (message: FrameMessage) => void): Warn => {
  const sent = new Set<string>();
  return (about, hint) => {
    const key = `${about}: ${hint}`;
    if (sent.has(key)) return;
    sent.add(key);
    post({ type: 'warning', about: about.slice(0, 100), hint: hint.slice(0, 500) });
  };
};
