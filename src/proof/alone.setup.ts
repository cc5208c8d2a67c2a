/**
 * Runs before each unit test file. Test files run in threads, and threads of one process share broadcast channels: the
 * end of a payment in one file reached the sessions of another, which read it again. This channel reaches nobody.
 */
class ChannelToNobody {
  readonly onmessage = null;
  postMessage(): void {}
  close(): void {}
}

Reflect.set(globalThis, 'BroadcastChannel', ChannelToNobody);
