import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** True while the document is being printed. Browsers that fire neither event in iframes print what's on screen. */
export const usePrinting = (): ReadonlySignal<boolean> => {
  const isPrinting = useSignal(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const set = (value: boolean) => () => {
      isPrinting.value = value;
    };
    const print = matchMedia('print');
    addEventListener('beforeprint', set(true), { signal });
    addEventListener('afterprint', set(false), { signal });
    print.addEventListener?.('change', ({ matches }) => set(matches)(), { signal });
    return () => ending.abort();
  }, [isPrinting]);
  return isPrinting;
};
