import { useInspector } from './context.ts';

const NO_CLIPBOARD =
  'The browser does not let pages copy here. The secret key was printed where the sandbox was started.';

/** Puts a text that may arrive later on the clipboard. Browsers allow clipboard access only during the press itself. */
const copyText = (text: string | Promise<string>): Promise<void> =>
  typeof text === 'string'
    ? navigator.clipboard.writeText(text)
    : navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text.then((one) => new Blob([one], { type: 'text/plain' })) }),
      ]);

/**
 * Copies `text`, or the text it resolves to. Without a `label` the button shows an icon. If the browser denies access
 * to the clipboard, the button's text is selected, so that it can be copied by hand.
 */
export const CopyButton = ({
  text,
  what,
  label,
}: {
  text: string | (() => Promise<string>);
  what: string;
  label?: string;
}) => {
  const { runAction } = useInspector();
  const copy = async (button: HTMLElement) => {
    await runAction(async () => {
      // There is no clipboard on a plain-http page from another machine. Don't fetch the key then, either.
      if (typeof text !== 'string' && !navigator.clipboard) return NO_CLIPBOARD;
      const given = typeof text === 'string' ? text : text();
      try {
        await copyText(given);
        return `Copied ${what}`;
      } catch {
        await given; // throws the reason if the fetch failed
        if (typeof text !== 'string') return NO_CLIPBOARD;
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
