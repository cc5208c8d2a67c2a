/**
 * Runs before each file of unit tests. They run in threads, and threads of one process share their broadcast channels: the end
 * of a payment in one file reached the sessions of another, which read it again. Here a channel reaches nobody.
 */
class ChannelToNobody {
  readonly onmessage = null;
  postMessage(): void {}
  close(): void {}
}

Reflect.set(globalThis, 'BroadcastChannel', ChannelToNobody);
