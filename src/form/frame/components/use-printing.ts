import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Whether the document is being printed. A browser that tells a frame of neither event prints it as it is on the screen. */
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
