/** Browser features shared by the tabs of one origin. */
import type { TabSharing } from '../../form/frame/session/tab-lock.ts';
import { standIn } from '../tab/stand-in.ts';
import type { TabOutput } from './tab-exchange.ts';

/** The lock and channel a browser shares among the tabs of one origin, as seen by one of these tabs. */
export const createTabBrowser = (did: (output: TabOutput) => void) => {
  type Waiter = { grant(lock: Lock | null): unknown; resolve(): void };
  let asked: Waiter | null = null;
  let waiting: Waiter | null = null;
  let holds = false;
  const channel: { onmessage: ((event: { data: unknown }) => void) | null } = { onmessage: null };
  const lock: Lock = { name: 'card-form', mode: 'exclusive' };

  const request = (_: string, options: LockOptions, grant: (lock: Lock | null) => unknown) =>
    new Promise<void>((resolve, reject) => {
      const waiter = { grant, resolve };
      if (options.ifAvailable) {
        asked = waiter;
        did({ did: 'ask_lock' });
        return;
      }
      waiting = waiter;
      options.signal?.addEventListener('abort', () => {
        if (waiting === waiter) waiting = null;
        reject(new DOMException('aborted', 'AbortError'));
      });
    });

  const sharing: TabSharing = {
    locks: standIn({ request }),
    openChannel: () =>
      standIn(
        Object.assign(channel, {
          postMessage: (id: string) => did({ did: 'tell_end', id }),
          close: () => {
            channel.onmessage = null;
          },
        }),
      ),
  };

  return {
    sharing,
    answerLock(isFree: boolean) {
      const waiter = asked;
      asked = null;
      if (!waiter) throw new Error('No lock was requested.');
      const held = waiter.grant(isFree ? lock : null);
      if (isFree && held instanceof Promise) {
        holds = true;
        void held.then(() => {
          holds = false;
          did({ did: 'free_lock' });
          waiter.resolve();
        });
        return;
      }
      waiter.resolve();
    },
    freeLock() {
      const waiter = waiting;
      waiting = null;
      waiter?.grant(lock);
      waiter?.resolve();
    },
    hearEnd: (id: string) => channel.onmessage?.({ data: id }),
    holdsLock: () => holds,
    isWaiting: () => waiting !== null,
    isBusy: () => asked !== null || waiting !== null,
    fingerprint: () => [asked !== null, waiting !== null, holds],
  };
};
