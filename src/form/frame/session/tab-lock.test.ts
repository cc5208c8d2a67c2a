import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../api/clock/manual-clock.ts';
import { createTabLock, LOCK_TIMEOUT, type TabSharing } from './tab-lock.ts';

type Request = { name: string; grant(lock: Lock | null): unknown };

/** A browser's lock manager: one exclusive lock per name, with shared ones queued behind it. */
const createLocks = () => {
  const held = new Set<string>();
  const queues = new Map<string, (() => void)[]>();
  const request = async (
    name: string,
    options: LockOptions,
    grant: (lock: Lock | null) => unknown,
  ): Promise<void> => {
    if (held.has(name)) {
      if (options.ifAvailable) {
        await grant(null);
        return;
      }
      await new Promise<void>((resolve, reject) => {
        queues.set(name, [...(queues.get(name) ?? []), resolve]);
        options.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      });
    }
    const exclusive = options.mode !== 'shared';
    if (exclusive) held.add(name);
    await grant({ name, mode: options.mode ?? 'exclusive' });
    if (!exclusive) return;
    held.delete(name);
    for (const go of queues.get(name) ?? []) go();
    queues.delete(name);
  };
  return { request, held };
};

const asLocks = (request: unknown): TabSharing['locks'] => Object.create({ request });

const silent = { openChannel: () => null, onEnd: () => {} };
const turns = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

describe('the turn to pay an intent (outcomes 2.7, second tab)', () => {
  it('is one tab`s at a time, and free again when it leaves', async () => {
    const { request } = createLocks();
    const clock = createManualClock();
    const [a, b] = [1, 2].map(() => createTabLock({ ...silent, locks: asLocks(request), clock }));
    expect(await a?.acquire('lg_pi_1')).toBe(true);
    expect(await b?.acquire('lg_pi_1')).toBe(false);
    expect(await b?.acquire('lg_pi_2'), 'another payment').toBe(true);
    b?.release();
    a?.release();
    await turns();
    expect(await b?.acquire('lg_pi_1')).toBe(true);
    expect(clock.waiting()).toBe(0);
  });

  it('is waited for until it is free', async () => {
    const { request } = createLocks();
    const clock = createManualClock();
    const [a, b] = [1, 2].map(() => createTabLock({ ...silent, locks: asLocks(request), clock }));
    await a?.acquire('lg_pi_1');
    const came = vi.fn();
    void b?.whenFree('lg_pi_1', new AbortController().signal).then(came);
    await turns();
    expect(came).not.toHaveBeenCalled();
    a?.release();
    await turns();
    expect(came).toHaveBeenCalledOnce();
    expect(await a?.acquire('lg_pi_1'), 'who waited did not take it').toBe(true);
  });

  it('is waited for no longer than somebody wants to know', async () => {
    const { request } = createLocks();
    const [a, b] = [1, 2].map(() =>
      createTabLock({ ...silent, locks: asLocks(request), clock: createManualClock() }),
    );
    await a?.acquire('lg_pi_1');
    const gone = new AbortController();
    const over = b?.whenFree('lg_pi_1', gone.signal);
    gone.abort();
    await expect(over).resolves.toBeUndefined();
  });

  it.each<[string, TabSharing['locks']]>([
    ['has no locks', undefined],
    ['denies them', asLocks(() => Promise.reject(new DOMException('', 'SecurityError')))],
    [
      'throws',
      asLocks(() => {
        throw new DOMException('', 'SecurityError');
      }),
    ],
  ])('is everybody`s where the browser %s', async (_, locks) => {
    const clock = createManualClock();
    const tabs = createTabLock({ ...silent, locks, clock });
    expect(await tabs.acquire('lg_pi_1')).toBe(true);
    await tabs.whenFree('lg_pi_1', new AbortController().signal);
    tabs.release();
    expect(clock.waiting()).toBe(0);
  });

  it('is everybody`s where the browser does not answer, and a late answer holds nothing', async () => {
    const requests: Request[] = [];
    const clock = createManualClock();
    const locks = asLocks(
      (name: string, _: LockOptions, grant: Request['grant']) =>
        new Promise(() => {
          requests.push({ name, grant });
        }),
    );
    const tabs = createTabLock({ ...silent, locks, clock });
    const mine = tabs.acquire('lg_pi_1');
    await clock.advance(LOCK_TIMEOUT);
    expect(await mine).toBe(true);
    expect(await requests[0]?.grant({ name: 'card-form lg_pi_1', mode: 'exclusive' })).toBeUndefined();
  });
});

it('a press that nobody waits for any more leaves no timer behind (outcomes I9)', async () => {
  const clock = createManualClock();
  const locks = asLocks(() => new Promise(() => undefined));
  const tabs = createTabLock({ ...silent, locks, clock });
  const gone = new AbortController();
  const mine = tabs.acquire('lg_pi_1', gone.signal);
  expect(clock.waiting()).toBe(1);
  gone.abort();
  await mine;
  expect(clock.waiting()).toBe(0);
});

it('acquiring with a signal that has aborted already does not wait for the browser', async () => {
  const clock = createManualClock();
  const locks = asLocks(() => new Promise(() => undefined));
  const tabs = createTabLock({ ...silent, locks, clock });
  await tabs.acquire('lg_pi_1', AbortSignal.abort());
  expect([clock.now(), clock.waiting()]).toEqual([0, 0]);
});

describe('messages to other tabs', () => {
  it('is that an intent came to its end, and nothing else', () => {
    const posted: unknown[] = [];
    const onEnd = vi.fn();
    const channel: BroadcastChannel = Object.create({
      postMessage: (message: unknown) => posted.push(message),
      close: vi.fn(),
    });
    const tabs = createTabLock({
      locks: undefined,
      openChannel: () => channel,
      clock: createManualClock(),
      onEnd,
    });
    tabs.announceEnd('lg_pi_1');
    expect(posted).toEqual(['lg_pi_1']);
    for (const data of ['lg_pi_1', null, 7, { id: 'lg_pi_1' }]) {
      channel.onmessage?.(new MessageEvent('message', { data }));
    }
    expect(onEnd.mock.calls).toEqual([['lg_pi_1']]);
    tabs.close();
    expect(channel.close).toHaveBeenCalledOnce();
  });

  it('is nothing where the browser has no channel', () => {
    const tabs = createTabLock({
      locks: undefined,
      openChannel: () => {
        throw new DOMException('', 'SecurityError');
      },
      clock: createManualClock(),
      onEnd: () => {},
    });
    tabs.announceEnd('lg_pi_1');
    tabs.close();
  });
});
