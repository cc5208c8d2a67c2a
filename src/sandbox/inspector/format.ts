/** Formats amounts, times and card numbers. Times are in milliseconds, in the browser's time zone. */

/** Formats an amount in minor units: `$12.34`. */
export const formatMinor = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(minor / 100);

const UNITS: readonly (readonly [ms: number, short: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** Formats a duration in its largest one or two units: `2 min 30 s`, `7 d`, `40 ms`. */
export const formatDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  const [unit, name] = UNITS[first] ?? [1000, 's'];
  const [smaller, smallerName] = UNITS[first + 1] ?? [0, ''];
  const rest = smaller === 0 ? 0 : Math.floor((ms % unit) / smaller);
  return `${Math.floor(ms / unit)} ${name}${rest > 0 ? ` ${rest} ${smallerName}` : ''}`;
};

/** Formats a time relative to now: `now`, `12 s ago`, `in 7 d`. */
export const formatRelativeTime = (at: number, now: number): string => {
  const distance = Math.abs(now - at);
  if (distance < 2000) return 'now';
  const [unit, name] = UNITS.find(([ms]) => distance >= ms) ?? [1000, 's'];
  const count = `${Math.round(distance / unit)} ${name}`;
  return at > now ? `in ${count}` : `${count} ago`;
};

const twoDigits = (part: number): string => String(part).padStart(2, '0');

/** `2026-01-31 09:05:07` */
export const formatDateTime = (at: number): string => {
  const date = new Date(at);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`;
};

/** `2026-01-31` */
export const formatDate = (at: number): string => formatDateTime(at).slice(0, 10);

/** `2026-01-31 09:05` */
export const formatMinute = (at: number): string => formatDateTime(at).slice(0, 16);

/** Formats the time of day with milliseconds, which distinguish requests within a second: `09:05:07.040`. */
export const formatTimeOfDay = (at: number): string =>
  `${formatDateTime(at).slice(11)}.${String(new Date(at).getMilliseconds()).padStart(3, '0')}`;

/** Formats a card number in groups, as printed on the card. */
export const formatCardNumber = (pan: string): string =>
  /^3[47]/.test(pan) || pan.length === 14
    ? pan.replace(/^(\d{4})(\d{6})/, '$1 $2 ')
    : pan.replace(/(\d{4})(?=\d)/g, '$1 ');
