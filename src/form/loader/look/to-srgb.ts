/** Converts the notations of colours that computed values may have, such as `oklch()`, to sRGB numbers. */
import { createElement } from '../create-element.ts';
import type { ToSrgb } from './css-values.ts';
import { shadowIn } from './stage.ts';

/** Lets the browser convert. A canvas helps where relative colours are unknown: before Chrome 119 and Firefox 128. */
export const createToSrgb = (iframe: Element): ToSrgb => {
  const probe = createElement('i', {});
  return (colour) => {
    shadowIn(iframe).append(probe);
    probe.style.color = '';
    probe.style.setProperty('color', `color(from ${colour} srgb r g b / alpha)`, 'important');
    return probe.style.color ? getComputedStyle(probe).color : paintedAs(colour);
  };
};

/** The colour of a pixel painted with it. Not the first choice: some browsers falsify pixels against fingerprinting. */
const paintedAs = (colour: string): string => {
  const pen = createElement('canvas', { width: 1, height: 1 }).getContext('2d');
  if (!pen) return '';
  pen.fillStyle = 'transparent'; // stays if it is not a colour
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
  return `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`;
};
