import type { FieldName } from '../../channel/fields.ts';
import { controlOf } from '../first/controls.ts';

let show = (): void => {};

/**
 * Scrolls the result of the service's answer into view: total, button, notices, and the field to fix; all of them if
 * there is room, otherwise the later ones. The focus stays. Waits for a frame that has yet to grow: the page may still
 * be setting earlier heights, so the first resize doesn't count, but the one that makes room does.
 */
export const showAnswer = (field: FieldName | null): void => {
  removeEventListener('resize', show);
  show = () => {
    if (document.documentElement.scrollHeight > innerHeight) return;
    removeEventListener('resize', show);
    const parts = [
      document.querySelector('.summary'),
      document.querySelector('.pay'),
      document.querySelector('.notices'),
      field && controlOf(field),
    ];
    for (const part of parts) if (part) part.scrollIntoView({ block: 'nearest' });
  };
  // After the components have rendered and `focusWhenShown` has set the focus.
  setTimeout(() => {
    addEventListener('resize', show);
    show();
  });
};
