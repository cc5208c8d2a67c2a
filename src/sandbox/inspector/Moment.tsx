import { useModel } from './context.ts';
import { distanceText, momentText } from './words.ts';

/** A moment as its distance from now, in full on hover. `at` in milliseconds. */
export const Moment = ({ at }: { at: number }) => {
  const { now } = useModel();
  return (
    <time dateTime={new Date(at).toISOString()} title={momentText(at)}>
      {distanceText(at, now.value)}
    </time>
  );
};
