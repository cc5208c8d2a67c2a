import type { ComponentChildren } from 'preact';
import { useInspector } from './context.ts';

type Props = {
  /** Runs when the button is pressed. Resolves to a sentence that reports what it did. */
  run: () => Promise<string>;
  children: ComponentChildren;
  title?: string;
  'aria-label'?: string;
};

/** A small button that changes the sandbox. */
export const ActionButton = ({ run, children, ...attributes }: Props) => {
  const { runAction } = useInspector();
  return (
    <button type="button" class="small" {...attributes} onClick={() => void runAction(run)}>
      {children}
    </button>
  );
};
