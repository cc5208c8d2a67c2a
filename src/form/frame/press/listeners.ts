/** Listens to the frame's pointer, key and tab events that matter for judging a press. */
import { DIGITS } from '../first/auto-advance.ts';
import { fieldAt } from '../first/controls.ts';
import type { PointerFact, PointerTrail } from './pointer-trail.ts';

/** A buyer typing elsewhere notices within this time that the page moved the focus, in ms. */
export const PAUSE = 1000;

/** Facts kept up to date by the listeners. Times in monotonic ms. */
export type Happened = {
  /** Time the tab last came to the front or left it. */
  frontAt: number;
  /**
   * Time the page moved the focus here, or of the latest key since: any of these may be meant for the page. See
   * `PAUSE`.
   */
  pageKeyAt: number;
  /** True if the pointer had come to the button when it last went down. */
  cameToButton: boolean;
  /** True if the next press is probably a tap, judging by the latest press or else by the device. */
  isTapping: boolean;
};

export const nothingHappened = (): Happened => ({
  frontAt: Number.NEGATIVE_INFINITY,
  pageKeyAt: Number.NEGATIVE_INFINITY,
  cameToButton: false,
  isTapping: matchMedia('(hover: none)').matches,
});

type Parts = {
  /** Monotonic ms. */
  now(): number;
  trail: PointerTrail;
  button(): Element | null;
  /** Called when the pointer, or the button under it, may have moved. */
  onPointer(): void;
  /** Called when the tab came to the front or left it. */
  onTab(): void;
  /** Called when the buyer may be about to press. */
  onApproach(): void;
  /** Called when the buyer pressed Escape. */
  onEscape(): void;
  /** Stops all listeners. */
  ending: AbortSignal;
};

/** Listens until `ending` aborts. */
export const keepUpToDate = (happened: Happened, parts: Parts): void => {
  const { now, trail, button, onPointer, onTab, onApproach, onEscape, ending } = parts;
  /** The mouse position at its last event. */
  let mouse: Pick<PointerEvent, 'screenX' | 'screenY' | 'clientX' | 'clientY'> | null = null;

  const trace = (kind: PointerFact['kind'], at: number) => {
    if (!mouse) return;
    const { screenX, screenY, clientX, clientY } = mouse;
    const { left, top, right, bottom } = button()?.getBoundingClientRect() ?? new DOMRect();
    trail.note({
      kind,
      spot: { x: screenX, y: screenY },
      button: { x: screenX - clientX + left, y: screenY - clientY + top },
      isOver: clientX >= left && clientX <= right && clientY >= top && clientY <= bottom,
      at,
    });
    onPointer();
  };
  const noteMouse = (kind: PointerFact['kind'], event: PointerEvent) => {
    if (!event.isTrusted || event.pointerType === 'touch') return;
    const { screenX, screenY, clientX, clientY } = event;
    mouse = { screenX, screenY, clientX, clientY }; // not the event: it references a field and its typed text
    trace(kind, event.timeStamp);
  };
  const buyerCame = ({ isTrusted }: Event) => {
    if (isTrusted) happened.pageKeyAt = Number.NEGATIVE_INFINITY;
  };
  const cameOrWent = () => {
    happened.frontAt = now();
    onTab();
  };

  const on = <Type extends keyof WindowEventMap>(type: Type, act: (event: WindowEventMap[Type]) => void) =>
    window.addEventListener(type, act, { capture: true, signal: ending });
  on('pointerover', (event) => noteMouse(event.relatedTarget ? 'other' : 'enter', event));
  on('pointermove', (event) => {
    noteMouse('move', event);
    onApproach();
  });
  on('pointerdown', (event) => {
    noteMouse('other', event);
    happened.cameToButton = trail.cameToButton(event.timeStamp);
    happened.isTapping = event.pointerType === 'touch';
    onPointer();
  });
  on('pointerout', ({ relatedTarget }) => {
    if (relatedTarget) return;
    trail.forget();
    mouse = null;
  });
  // Release events, since a click and a Tab move the focus before them.
  on('mouseup', buyerCame);
  on('keyup', (event) => event.key === 'Tab' && buyerCame(event));
  on('keydown', ({ key }) => {
    if (key === 'Escape') onEscape();
    if (now() - happened.pageKeyAt < PAUSE) happened.pageKeyAt = now();
  });
  on('focus', ({ target }) => {
    if (!(target instanceof Element)) happened.pageKeyAt = now(); // the frame's window, not a field
  });
  // The page sees each question, and would learn when the focus moves within the card (threat-model 2.5).
  on('focusin', ({ target, relatedTarget }) => {
    if (!fieldAt(target, DIGITS) || !fieldAt(relatedTarget, DIGITS)) onApproach();
  });
  on('pageshow', ({ persisted }) => {
    if (persisted) cameOrWent();
  });
  document.addEventListener('visibilitychange', cameOrWent, { signal: ending });
  // Messages below the fields move the button without a pointer event.
  const layout = new ResizeObserver(() => trace('other', now()));
  layout.observe(document.documentElement);
  ending.addEventListener('abort', () => layout.disconnect());
};
