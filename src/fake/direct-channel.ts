/**
 * A `MessageChannel` inside one page. happy-dom's carries nothing, jsdom has none, and Node's delivers in tasks of its own
 * and keeps a test's process alive. As in a browser, a message is a copy, and arrives later.
 */
export class DirectChannel {
  readonly port1: MessagePort = createPort(() => this.port2);
  readonly port2: MessagePort = createPort(() => this.port1);
}

/** The name of the handler that a port calls once the other end is closed, as browsers do. */
export const ON_CLOSE = 'onclose';

/** As much of a port as loader and frame use. */
const createPort = (other: () => MessagePort): MessagePort => {
  let isOpen = true;
  const call = (name: string, ...args: readonly object[]) => {
    queueMicrotask(() => Object(other())[name]?.(...args));
  };
  const port = {
    onmessage: null,
    postMessage(message: unknown) {
      if (isOpen) call('onmessage', { data: copy(message) });
    },
    close() {
      if (isOpen) call(ON_CLOSE);
      isOpen = false;
    },
  };
  return Object.setPrototypeOf(port, null);
};

/** A copy of a message, which consists of plain data. Not by `structuredClone`, which a page of jsdom in Jest lacks. */
const copy = (value: unknown): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new DOMException(`${String(value)} could not be cloned.`, 'DataCloneError');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
};
