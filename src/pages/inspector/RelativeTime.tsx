import { useInspector } from './context.ts';
import { formatDateTime, formatRelativeTime } from './format.ts';

/** A time relative to now, with date and time in its tooltip. `at` is in milliseconds. */
export const RelativeTime = ({ at }: { at: number }) => {
  const { now } = useInspector();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatRelativeTime(at, now.value)}
    </time>
  );
};
