import type { FramePort } from '../../channel/port.ts';
import { postState } from './frame-state.ts';

/** Maximum height allowed by the channel, in CSS pixels. */
const MAX_HEIGHT = 4096;

/** Posts the form's height to the page, now and at each change. */
export const reportHeight = (root: HTMLElement, { post }: Pick<FramePort, 'post'>): void => {
  const report = () =>
    postState(post, { height: Math.min(Math.ceil(root.getBoundingClientRect().height), MAX_HEIGHT) });
  report(); // immediately: the form must not grow under the pointer
  new ResizeObserver(report).observe(root);
};
