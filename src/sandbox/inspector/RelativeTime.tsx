import { useInspector } from './context.ts';
import { formatDate, formatDateTime, formatRelativeTime, formatTimeOfDay } from './format.ts';

/**
 * Returns the date to show before a time that is not today. "Today" is by the sandbox's clock, which can be moved by
 * days.
 */
const useDate = (at: number): string => {
  const { now } = useInspector();
  return formatDate(at) === formatDate(now.value) ? '' : `${formatDate(at)} `;
};

/** A time relative to now, with date and time in its tooltip. `at` is in milliseconds. */
export const RelativeTime = ({ at }: { at: number }) => {
  const date = useDate(at);
  return (
    <span>
      {date && <span class="muted">{date}</span>}
      <Relative at={at} />
    </span>
  );
};

/** The time of day, and how long ago it was. `until` is the time of the last of several. In milliseconds. */
export const ExactTime = ({ at, until = at }: { at: number; until?: number }) => {
  const date = useDate(at);
  return (
    <>
      <span class="mono" title={formatDateTime(at)}>
        {date}
        {formatTimeOfDay(at)}
      </span>{' '}
      <Relative at={until} />
    </>
  );
};

const Relative = ({ at }: { at: number }) => {
  const { now } = useInspector();
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatRelativeTime(at, now.value)}
    </time>
  );
};
