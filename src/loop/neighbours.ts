/** What a browser gives to tabs of one origin: a lock and a channel, which may be missing or fail. */
import type { Between } from '../frame/session/tabs.ts';

/**
 * `present`: both work. `absent`: neither is there. `failing`: the lock is refused to everybody, as where storage
 * is denied, and the channel throws. `mute`: nobody ever gets a word from either.
 */
export type Courtesy = 'present' | 'absent' | 'failing' | 'mute';

export type Neighbours = {
  /** What one tab has of it, and how it ends when the tab does. */
  join(): Pick<Between, 'locks' | 'channel'> & { leave(): void };
};

type Grant = (lock: { name: string } | null) => unknown;
type Channel = { onmessage: ((event: { data: unknown }) => void) | null };

/** All tabs of one browser. */
export const createNeighbours = (courtesy: Courtesy): Neighbours => {
  const held = new Map<string, object>();
  const queued = new Map<string, (() => void)[]>();
  const channels = new Set<Channel>();

  const free = (name: string) => {
    held.delete(name);
    for (const goOn of queued.get(name)?.splice(0) ?? []) goOn();
  };

  return {
    join() {
      const tab = {};
      const mine = new Set<Channel>();
      const request = async (name: string, options: LockOptions, grant: Grant): Promise<void> => {
        if (courtesy === 'failing') throw new DOMException('denied', 'SecurityError');
        if (courtesy === 'mute') return new Promise(() => undefined);
        if (options.ifAvailable && held.has(name)) return void (await grant(null));
        while (held.has(name)) {
          await new Promise<void>((resolve) => {
            queued.set(name, [...(queued.get(name) ?? []), resolve]);
            options.signal?.addEventListener('abort', () => resolve());
          });
          if (options.signal?.aborted) throw new DOMException('aborted', 'AbortError');
        }
        if (options.mode === 'shared') return void (await grant({ name }));
        held.set(name, tab);
        await grant({ name });
        if (held.get(name) === tab) free(name);
      };
      const channel = () => {
        if (courtesy === 'failing') throw new DOMException('denied', 'SecurityError');
        if (courtesy === 'absent') return null;
        const own: Channel & { postMessage(data: unknown): void; close(): void } = {
          onmessage: null,
          postMessage(data) {
            if (courtesy === 'mute') return;
            for (const other of channels) {
              if (other !== own) queueMicrotask(() => channels.has(other) && other.onmessage?.({ data }));
            }
          },
          close: () => channels.delete(own),
        };
        channels.add(own);
        mine.add(own);
        return standIn(own);
      };
      return {
        locks: courtesy === 'absent' ? undefined : standIn({ request }),
        channel,
        leave() {
          for (const one of mine) channels.delete(one);
          for (const [name, holder] of held) if (holder === tab) free(name);
        },
      };
    },
  };
};

/** As much of a browser's object as is used of it. */
const standIn = (object: object) => Object.setPrototypeOf(object, null);
