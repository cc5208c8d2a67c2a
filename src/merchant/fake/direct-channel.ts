/**
 * A `MessageChannel` within one page. happy-dom's delivers nothing, jsdom has none, and Node's delivers in separate
 * tasks and keeps a test's process alive. As in a browser, messages are copied and arrive asynchronously.
 */
export class DirectChannel {
  readonly port1: MessagePort = createPort(() => this.port2);
  readonly port2: MessagePort = createPort(() => this.port1);
}

/** The handler that a port calls when the other end is closed, as in browsers. */
export const ON_CLOSE = 'onclose';

/** Creates a port with the methods that loader and frame use. */
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

/** Copies a message of plain data. Not `structuredClone`, which jsdom pages in Jest lack. */
const copy = (value: unknown): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new DOMException(`${String(value)} could not be cloned.`, 'DataCloneError');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
};
