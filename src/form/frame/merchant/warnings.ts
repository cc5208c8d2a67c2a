import type { FrameMessage } from '../../channel/messages.ts';

/** Sends the page a `warning` about an option, a method or the connection, and what to do about it. */
export type Warn = (about: string, hint: string) => void;

/** Every warning is sent once, within the lengths that the channel allows. */
export const createWarn = (post: (message: FrameMessage) => void): Warn => {
  const sent = new Set<string>();
  return (about, hint) => {
    const key = `${about}: ${hint}`;
    if (sent.has(key)) return;
    sent.add(key);
    post({ type: 'warning', about: about.slice(0, 100), hint: hint.slice(0, 500) });
  };
};
