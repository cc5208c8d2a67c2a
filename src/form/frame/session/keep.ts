/**
 * Loaded only for a page with `keep: true`. When the page leaves the payment step, it parks its form: the loader moves
 * the iframe out of sight without reloading it (`loader/park.ts`), and everything here pauses. What the buyer entered
 * stays, except for the security code. No press counts, and nothing is posted, received or requested. When the page
 * comes back, it shakes hands as with a new frame and uses a new port; the intent is read before it can be paid.
 *
 * The page is not trusted: whatever it parks or brings back, and whenever, it learns nothing and presses nothing this
 * way. If the page doesn't match (`changesFor`) or is too late, the entries are cleared and the document reloads.
 */
import { computed, effect, untracked } from '@preact/signals-core';
import type { Clock } from '../../../api/clock/clock.ts';
import { systemClock } from '../../../api/clock/clock.ts';
import { type FrameWindow, type HandshakeResult, handshake } from '../../channel/handshake.ts';
import type { FrameMessage, Update } from '../../channel/messages.ts';
import { CHANGEABLE_OPTIONS } from '../../channel/options.ts';
import { keysOf, ownProperty } from '../../channel/own-property.ts';
import { LONGEST_PARKING } from '../../channel/parking.ts';
import { CHANNEL } from '../../channel/protocol.ts';
import { type Init, READ, readInit } from '../../channel/read-options.ts';
import { postedState } from '../first/frame-state.ts';
import { findInvalidList } from '../merchant/option-problems.ts';
import { createLine } from './line.ts';
import type { Offered } from './offered.ts';
import type { ShownForm } from './parts.ts';

/** The page of a form that may be parked: port, origin, initial options, and all options passed to `update()`. */
export type Keeping = Pick<HandshakeResult, 'port' | 'origin'> & {
  readonly init: Init;
  readonly changed: Partial<Init>;
};

type Parts = Pick<ShownForm, 'form' | 'page' | 'guard' | 'pressHint' | 'ending'> &
  Pick<Offered, 'session' | 'receive'> & {
    /** The messages the page gets when the form is ready. */
    ready(): readonly FrameMessage[];
    /** The current `change` message: which fields are complete. */
    change(): FrameMessage;
  };

/** The surrounding document; tests replace it. */
type World = {
  window: FrameWindow;
  clock: Clock;
  /** Ms since 1970: a sleeping device may stop the monotonic clock. */
  wallNow(): number;
  /** The form's height, in CSS pixels. */
  height(): number;
  /** Reloads this document. */
  reload(): void;
};

const systemWorld = (): World => ({
  window,
  clock: systemClock,
  wallNow: Date.now,
  height: () => Math.ceil(document.getElementById('form')?.getBoundingClientRect().height ?? 0),
  reload: () => location.reload(),
});

/**
 * The options that differ from the form's current ones, including the look behind it. Null if this isn't the form that
 * was parked: another payment, account or page, or an option that cannot change or that `mount()` refuses.
 */
const changesFor = (
  { data, origin }: HandshakeResult,
  keeping: Keeping,
  isFor: (secret: string) => boolean,
): Update | null => {
  const init = readInit(data);
  if (!init || origin !== keeping.origin || findInvalidList(init)) return null;
  const { clientSecret } = init;
  if (clientSecret.kind !== 'given' || !isFor(clientSecret.value)) return null;
  const changes: Update = { type: 'update' };
  for (const name of keysOf(READ)) {
    if (name === 'clientSecret') continue;
    const isLook = name === 'backdrop' || name === 'style' || name === 'from';
    const preset = ownProperty(CHANGEABLE_OPTIONS, name);
    const canChange = isLook || Object.hasOwn(CHANGEABLE_OPTIONS, name);
    const had = (canChange ? keeping.changed[name] : undefined) ?? keeping.init[name] ?? preset;
    const value = init[name] ?? preset;
    if (!isLook && JSON.stringify(value) === JSON.stringify(had)) continue;
    if (!canChange || (value === undefined && !isLook)) return null;
    Reflect.set(changes, name, value);
  }
  return changes;
};

/** Lets the page park the form from now on, until the form is removed. */
export const keepForm = (parts: Parts, keeping: Keeping, world: World = systemWorld()): void => {
  const { form, page, guard, pressHint, ending, session, receive, ready, change } = parts;
  const { window, clock } = world;
  const line = createLine(keeping.port);
  // The frame would not listen to such a page when it comes back, either (`channel/port.ts`).
  const canPark = computed(() => session.canPark.value && !page.brokeProtocol.value);

  const forget = () => {
    if (ending.signal.aborted) return;
    ending.abort();
    session.close();
    form.reset({});
  };

  const listen = () => {
    window.onmessage = ({ source, origin, data }) => {
      if (source !== window.parent || origin !== keeping.origin) return;
      if (ownProperty(data, 'channel') === CHANNEL && ownProperty(data, 'type') === 'park') void park();
    };
  };

  const park = async () => {
    const mayPark = canPark.peek() && !ending.signal.aborted;
    const [since, wallSince] = [clock.now(), world.wallNow()];
    guard.startOver();
    session.swaps.dropPresses();
    line.cut();
    session.park(true);
    receive({ type: 'blur' }); // as when the page takes the focus from a card field
    form.clearCvc();
    if (!mayPark) forget();
    const parking = new AbortController();
    void clock.wait(LONGEST_PARKING, parking.signal).then(() => parking.signal.aborted || forget());
    const next = await handshake(window);
    parking.abort();
    const lasted = Math.max(clock.now() - since, world.wallNow() - wallSince);
    const isOver = ending.signal.aborted || lasted >= LONGEST_PARKING;
    const changes = isOver ? null : changesFor(next, keeping, session.isFor);
    if (changes) return goOn(next.port, changes);
    forget();
    world.reload();
  };

  const goOn = (port: MessagePort, changes: Update) => {
    line.lead(port);
    page.reply({ ...postedState(), height: world.height() });
    Object.assign(keeping.changed, changes);
    pressHint.value = null;
    receive(changes);
    session.park(false);
    listen();
    let hasTold = false;
    const end = effect(() => {
      if (hasTold || !session.isRead.value) return;
      hasTold = true;
      untracked(tell);
    });
    ending.signal.addEventListener('abort', end);
  };

  /** Sends the messages of a freshly loaded form, then those queued while it was parked. */
  const tell = () => {
    const waited = line.open();
    for (const message of ready()) page.post(message);
    for (const message of waited)
      if (ownProperty(message, 'type') !== 'change') keeping.port.postMessage(message);
    page.post(change());
  };

  listen();
  effect(() => page.reply({ type: 'update', keep: canPark.value }));
};
