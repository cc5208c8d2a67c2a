import type { FieldName } from '../../channel/fields.ts';
import { controlOf } from '../first/controls.ts';

/** Focuses a field and scrolls it to the middle of the view, where an on-screen keyboard does not cover it. */
export const focusField = (name: FieldName): void => {
  const control = controlOf(name);
  control?.focus({ preventScroll: true });
  control?.scrollIntoView({ block: 'center' });
};
