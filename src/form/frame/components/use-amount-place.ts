import { useEffect, useRef } from 'preact/hooks';
import type { PlaceName } from '../press/places.ts';
import { useForm } from './context.ts';

/** A ref for an element that shows the amount a press would pay: the guard watches whether it is in view. */
export const useAmountPlace = <Target extends Element>(place: PlaceName) => {
  const { guard } = useForm();
  const element = useRef<Target>(null);
  useEffect(
    () => (guard && element.current ? guard.watch(place, element.current) : undefined),
    [guard, place],
  );
  return element;
};
