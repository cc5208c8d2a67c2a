import type { FieldName } from '../../channel/fields.ts';
import { controlOf } from '../first/controls.ts';

/**
 * Scrolls what follows from the service's answer into view: the total, the button, the notices and the field to fix,
 * together if there is room, the later ones otherwise. The focus stays where it is. A frame that has yet to grow is waited for.
 */
export const showAnswer = (field: FieldName | null): void => {
  const show = () => {
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
    const { scrollHeight } = document.documentElement;
    if (scrollHeight > innerHeight) addEventListener('resize', show, { once: true });
    else show();
  });
};
