import type { FramePort } from '../../channel/port.ts';
import { postState } from './frame-state.ts';

/** The greatest height the channel allows, in CSS pixels. */
const MAX_HEIGHT = 4096;

/** Posts the height of the form to the page, now and whenever it changes. */
export const reportHeight = (root: HTMLElement, { post }: Pick<FramePort, 'post'>): void => {
  const report = () =>
    postState(post, { height: Math.min(Math.ceil(root.getBoundingClientRect().height), MAX_HEIGHT) });
  report(); // at once: the form must not grow under the pointer
  new ResizeObserver(report).observe(root);
};
