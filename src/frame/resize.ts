import type { FramePort } from '../channel/port.ts';

/** The tallest frame the channel allows, in CSS pixels. */
const TALLEST = 4096;

/** Tells the page how tall the form is, now and whenever that changes. */
export const tellHeight = (root: HTMLElement, port: Pick<FramePort, 'post'>): void => {
  let told = 0;
  const tell = () => {
    const height = Math.min(Math.ceil(root.getBoundingClientRect().height), TALLEST);
    if (height === told) return;
    told = height;
    port.post({ type: 'height', height });
  };
  tell(); // before anything else is said: a form that is ready must not grow under the pointer
  new ResizeObserver(tell).observe(root);
};
