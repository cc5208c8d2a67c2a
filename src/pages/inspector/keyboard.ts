/** What a key of the keyboard does on the page of payments. Pure. */
export type KeyAction = { kind: 'find' } | { kind: 'create' } | { kind: 'open'; id: string } | null;

/** `ids`: the payments of the list, in its order. */
export const actionOfKey = (key: string, ids: readonly string[], selected: string | null): KeyAction => {
  switch (key) {
    case '/':
      return { kind: 'find' };
    case 'n':
      return { kind: 'create' };
    case 'j':
    case 'k': {
      const at = selected === null ? -1 : ids.indexOf(selected);
      const next = key === 'j' ? at + 1 : Math.max(at - 1, 0);
      const id = ids[next];
      return id === undefined ? null : { kind: 'open', id };
    }
    default:
      return null;
  }
};

/** Whether a key press is meant for a field, or is a shortcut of the browser. */
export const isForPage = ({ altKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  !altKey &&
  !ctrlKey &&
  !metaKey &&
  !(target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]'));
