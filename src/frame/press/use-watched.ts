import { useEffect, useRef } from 'preact/hooks';
import { useForm } from '../context.ts';
import type { PlaceName } from './places.ts';

/** A reference for the element that shows the amount which a press pays: the guard watches it. */
export const useWatched = <Target extends Element>(place: PlaceName) => {
  const { desk } = useForm();
  const guard = desk.value?.guard;
  const target = useRef<Target>(null);
  useEffect(() => (guard && target.current ? guard.watch(place, target.current) : undefined), [guard, place]);
  return target;
};
