import { useInspector } from './context.ts';

const NO_CLIPBOARD =
  'The browser does not let pages copy here. The secret key was printed where the sandbox was started.';

/** Puts a text on the clipboard that may come later: browsers allow it only within the press itself. */
const copyText = (text: string | Promise<string>): Promise<void> =>
  typeof text === 'string'
    ? navigator.clipboard.writeText(text)
    : navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text.then((one) => new Blob([one], { type: 'text/plain' })) }),
      ]);

/**
 * Copies `text`, or what it resolves to; without a `label` the button is an icon. If the browser refuses access to the
 * clipboard, the button's text is selected, so that it can be copied by hand.
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
      // Not on a page by plain http from another machine: then the key is not fetched either.
      if (typeof text !== 'string' && !navigator.clipboard) return NO_CLIPBOARD;
      const given = typeof text === 'string' ? text : text();
      try {
        await copyText(given);
        return `Copied ${what}`;
      } catch {
        await given; // if that failed, it says why
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
