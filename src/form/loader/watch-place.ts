/** What a developer should know of the place where the form stands, which the frame cannot see. Part of `mistakes.js`. */

/** How long, in ms, a page has to mount into the container that it put back. */
const SETTLES_AFTER = 500;

/** The same for another container of the same id, as a page without code for Back or the next visit of a view has it. */
const MOUNTED_AFTER = 10_000;

type Tell = (code: 'cut_off' | 'put_back', element: string) => void;

const watched = new WeakSet<Element>();

/** Tells of an iframe that is cut off, and of a container that comes back into the page without its form. */
export const watchPlace = (
  iframe: HTMLElement,
  findCutting: (iframe: HTMLElement) => string | undefined,
  tell: Tell,
): void => {
  const container = iframe.parentElement;
  if (!container || watched.has(iframe)) return;
  watched.add(iframe);
  // The form becomes higher, as with the address of a country, and its surroundings lower, as in a menu that closes.
  const sizes = new ResizeObserver(() => {
    const cutting = findCutting(iframe);
    if (!cutting) return;
    sizes.disconnect();
    tell('cut_off', cutting);
  });
  sizes.observe(iframe);
  sizes.observe(container);

  /** The container, or another one of its id. */
  const find = () => (container.isConnected ? container : document.getElementById(container.id));
  let isGone = false;
  const observer = new MutationObserver((records) => {
    if (!iframe.isConnected) sizes.disconnect(); // the container may stay, and would keep the iframe alive
    for (const node of records.flatMap(({ removedNodes }) => [...removedNodes])) {
      isGone ||= node.contains(container);
      if (node === iframe && !isGone) return observer.disconnect(); // unmount() came first
    }
    const place = isGone && find();
    if (!place) return;
    observer.disconnect();
    setTimeout(
      () => {
        if (find() === place && !place.firstElementChild)
          tell('put_back', place.id ? `#${place.id}` : `<${place.localName}>`);
      },
      place === container ? SETTLES_AFTER : MOUNTED_AFTER,
    );
  });
  observer.observe(document, { childList: true, subtree: true });
};
