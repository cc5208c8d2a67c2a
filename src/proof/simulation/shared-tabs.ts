/** Browser features shared by tabs of one origin: locks and a broadcast channel, which may be missing or fail. */
import type { TabSharing } from '../../form/frame/session/tab-lock.ts';
import { standIn } from '../tab/stand-in.ts';

/**
 * `present`: both work. `absent`: the browser has neither. `failing`: locks are refused and the channel throws, as in
 * browsers that deny storage to cross-origin frames. `mute`: neither ever answers.
 */
export type TabSupport = 'present' | 'absent' | 'failing' | 'mute';

export type SharedTabs = {
  /** The features one tab gets, until it leaves. */
  join(): TabSharing & { leave(): void };
};

type Grant = (lock: { name: string } | null) => unknown;
type Channel = { onmessage: ((event: { data: unknown }) => void) | null };

/** The tabs of one browser. */
export const createSharedTabs = (support: TabSupport): SharedTabs => {
  const held = new Map<string, object>();
  const queued = new Map<string, (() => void)[]>();
  const channels = new Set<Channel>();

  const free = (name: string) => {
    held.delete(name);
    for (const resume of queued.get(name)?.splice(0) ?? []) resume();
  };

  return {
    join() {
      const tab = {};
      const mine = new Set<Channel>();
      const request = async (name: string, options: LockOptions, grant: Grant): Promise<void> => {
        if (support === 'failing') throw new DOMException('denied', 'SecurityError');
        if (support === 'mute') return new Promise(() => undefined);
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
      const openChannel = () => {
        if (support === 'failing') throw new DOMException('denied', 'SecurityError');
        if (support === 'absent') return null;
        const own: Channel & { postMessage(data: unknown): void; close(): void } = {
          onmessage: null,
          postMessage(data) {
            if (support === 'mute') return;
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
        locks: support === 'absent' ? undefined : standIn({ request }),
        openChannel,
        leave() {
          for (const one of mine) channels.delete(one);
          for (const [name, holder] of held) if (holder === tab) free(name);
        },
      };
    },
  };
};
