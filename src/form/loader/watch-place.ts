/** Finds problems with the form's place that the frame can't see, for developers. Part of `mistakes.js`. */

/** Time in ms for a page to mount into the container that it put back. */
const SETTLES_AFTER = 500;

/** The same for another container with this id, as after Back on a page without code or on the next visit of a view. */
const MOUNTED_AFTER = 10_000;

type Tell = (code: 'cut_off' | 'put_back', element: string) => void;

const watched = new WeakSet<Element>();

/** Reports an iframe that is cut off, and a container that comes back into the page without its form. */
export const watchPlace = (
  iframe: HTMLElement,
  findCutting: (iframe: HTMLElement) => string | undefined,
  tell: Tell,
): void => {
  const container = iframe.parentElement;
  if (!container || watched.has(iframe)) return;
  watched.add(iframe);
  // The form grows, for example with the address of a country, and its surroundings shrink, as in a menu that closes.
  const sizes = new ResizeObserver(() => {
    const cutting = findCutting(iframe);
    if (!cutting) return;
    sizes.disconnect();
    tell('cut_off', cutting);
  });
  sizes.observe(iframe);
  sizes.observe(container);

  /** The container, or another element with its id. */
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
