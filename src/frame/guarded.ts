import { useEffect, useRef } from 'preact/hooks';
import { useForm } from './context.ts';

/** A reference for the element that shows the amount which a press pays: the guard watches it. */
export const useGuarded = <Target extends Element>() => {
  const { desk } = useForm();
  const guard = desk.value?.guard;
  const target = useRef<Target>(null);
  useEffect(() => (guard && target.current ? guard.watch(target.current) : undefined), [guard]);
  return target;
};
