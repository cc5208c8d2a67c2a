/**
 * Marks which edges of a grouped field are outer edges of its group: `data-edges="top left"`. Fields wrap depending on
 * their labels, and CSS cannot tell where a line ends. Affects only colours and corners, never sizes.
 */

/** Fields with their own outline. */
const ALONE = '#field-name, #field-email';

const markGroup = (cells: readonly HTMLElement[], isRtl: boolean) => {
  const tops = cells.map(({ offsetTop }) => offsetTop);
  for (const [index, cell] of cells.entries()) {
    const top = tops[index];
    const [startsLine, endsLine] = [tops[index - 1] !== top, tops[index + 1] !== top];
    const edges = {
      top: top === tops[0],
      right: isRtl ? startsLine : endsLine,
      bottom: top === tops.at(-1),
      left: isRtl ? endsLine : startsLine,
    };
    cell.dataset.edges = Object.entries(edges)
      .filter(([, isOuter]) => isOuter)
      .map(([edge]) => edge)
      .join(' ');
  }
};

/** Marks the edges in this document now, and whenever its fields change. */
export const markOuterEdges = (root: HTMLElement): void => {
  const mark = () => {
    if (root.dataset.fields !== 'grouped') return;
    for (const fields of root.querySelectorAll('.fields')) {
      const cells = fields.querySelectorAll<HTMLElement>(`.field:not(:has(${ALONE}))`);
      markGroup([...cells], root.dir === 'rtl');
    }
  };
  new ResizeObserver(mark).observe(root);
  new MutationObserver(mark).observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['data-fields', 'dir'],
  });
  mark();
};
