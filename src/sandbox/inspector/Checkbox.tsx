import type { ComponentChildren } from 'preact';

/** A checkbox with its label. */
export const Checkbox = ({
  checked,
  set,
  children,
}: {
  checked: boolean;
  set: (checked: boolean) => void;
  children: ComponentChildren;
}) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => set(currentTarget.checked)} />
    {children}
  </label>
);
