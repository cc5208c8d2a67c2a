import { useModel } from './context.ts';

/** Puts a text on the clipboard. Where the browser refuses, the text is selected for a copy by hand. */
export const Copy = ({ text, what, shown }: { text: string; what: string; shown?: string }) => {
  const { act } = useModel();
  const copy = async (button: HTMLElement) => {
    await act(async () => {
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
      class={shown === undefined ? 'copy' : 'copy mono'}
      title={`Copy ${what}`}
      aria-label={shown === undefined ? `Copy ${what}` : undefined}
      onClick={({ currentTarget }) => void copy(currentTarget)}
    >
      {shown ?? (
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
          <path d="M10.5 3.5V3A.5.5 0 0 0 10 2.5H3a.5.5 0 0 0-.5.5v7a.5.5 0 0 0 .5.5h.5" />
        </svg>
      )}
    </button>
  );
};
