import type { FieldName } from '../../channel/fields.ts';
import { controlOf } from '../first/controls.ts';

let show = (): void => {};

/**
 * Scrolls what follows from the service's answer into view: the total, the button, the notices and the field to fix,
 * together if there is room, the later ones otherwise. The focus stays where it is. A frame that has yet to grow is
 * waited for: the page may still be setting earlier heights, so not the first resize counts but the one that makes room.
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
  // After the components have rendered, and `focusWhenShown` has set the focus.
  setTimeout(() => {
    addEventListener('resize', show);
    show();
  });
};
