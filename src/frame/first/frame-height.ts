import type { FramePort } from '../../channel/port.ts';
import { tellState } from './frame-state.ts';

/** The tallest frame the channel allows, in CSS pixels. */
const TALLEST = 4096;

/** Tells the page how tall the form is, now and whenever that changes. */
export const tellHeight = (root: HTMLElement, { post }: Pick<FramePort, 'post'>): void => {
  const tell = () =>
    tellState(post, { height: Math.min(Math.ceil(root.getBoundingClientRect().height), TALLEST) });
  tell(); // before anything else is said: a form that is ready must not grow under the pointer
  new ResizeObserver(tell).observe(root);
};
