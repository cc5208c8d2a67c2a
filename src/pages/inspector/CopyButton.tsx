import { useInspector } from './context.ts';

/**
 * Copies `text`; without a `label` the button is an icon. If the browser refuses access to the clipboard, the button's
 * text is selected, so that it can be copied by hand.
 */
export const CopyButton = ({ text, what, label }: { text: string; what: string; label?: string }) => {
  const { runAction } = useInspector();
  const copy = async (button: HTMLElement) => {
    await runAction(async () => {
      try {
        await navigator.clipboard.writeText(text);
        return `Copied ${what}`;
      } catch {
        getSelection()?.selectAllChildren(button);
        return `The browser does not let pages copy. ${what} is selected: copy it by hand.`;
      }
    });
  };
  return (
    <button
      type="button"
      class={label === undefined ? 'copy' : 'copy mono'}
      title={`Copy ${what}`}
      aria-label={label === undefined ? `Copy ${what}` : undefined}
      onClick={({ currentTarget }) => void copy(currentTarget)}
    >
      {label ?? (
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
          <path d="M10.5 3.5V3A.5.5 0 0 0 10 2.5H3a.5.5 0 0 0-.5.5v7a.5.5 0 0 0 .5.5h.5" />
        </svg>
      )}
    </button>
  );
};
