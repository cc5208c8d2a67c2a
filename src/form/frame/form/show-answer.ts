import type { FieldName } from '../../channel/fields.ts';
import { controlOf } from '../first/controls.ts';

/** How long after an answer the frame may still grow or shrink, in ms: the page's script sets its height. */
const RESIZES_WITHIN = 1000;

/**
 * Scrolls what follows from the service's answer into view: the total, the button, the notices and the field to fix,
 * together if there is room, the later ones otherwise, and again while the frame takes its new height. The focus stays where
 * it is.
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
    show();
    addEventListener('resize', show);
    setTimeout(() => removeEventListener('resize', show), RESIZES_WITHIN);
  });
};
