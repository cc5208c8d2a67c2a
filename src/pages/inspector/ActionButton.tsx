import type { ComponentChildren } from 'preact';
import { useInspector } from './context.ts';

type Props = {
  /** What a press does. Resolves to the sentence that says so. */
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
