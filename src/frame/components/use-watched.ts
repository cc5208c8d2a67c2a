import { useEffect, useRef } from 'preact/hooks';
import type { PlaceName } from '../press/places.ts';
import { useForm } from './context.ts';

/** A reference for the element that shows the amount which a press pays: the guard watches it. */
export const useWatched = <Target extends Element>(place: PlaceName) => {
  const { desk } = useForm();
  const guard = desk.value?.guard;
  const target = useRef<Target>(null);
  useEffect(() => (guard && target.current ? guard.watch(place, target.current) : undefined), [guard, place]);
  return target;
};
