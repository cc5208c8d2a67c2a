/** Amounts and times as the inspector writes them. Pure; the present is an argument. */

/** An amount in minor units: `$12.34`. */
export const moneyText = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(minor / 100);

const UNITS: readonly (readonly [ms: number, short: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** A length of time in its largest one or two units: `2 min 30 s`, `7 d`, `40 ms`. */
export const lengthText = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  const [unit, name] = UNITS[first] ?? [1000, 's'];
  const [smaller, smallerName] = UNITS[first + 1] ?? [0, ''];
  const rest = smaller === 0 ? 0 : Math.floor((ms % unit) / smaller);
  return `${Math.floor(ms / unit)} ${name}${rest > 0 ? ` ${rest} ${smallerName}` : ''}`;
};

/** How far a moment is from now: `now`, `12 s ago`, `in 7 d`. */
export const distanceText = (at: number, now: number): string => {
  const far = Math.abs(now - at);
  if (far < 2000) return 'now';
  const [unit, name] = UNITS.find(([ms]) => far >= ms) ?? [1000, 's'];
  const count = `${Math.round(far / unit)} ${name}`;
  return at > now ? `in ${count}` : `${count} ago`;
};

const two = (part: number): string => String(part).padStart(2, '0');

/** A moment in full, in the time zone of the machine: `2026-01-31 09:05:07`. */
export const momentText = (at: number): string => {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

/** The time of day alone, with milliseconds: for what follows each other closely. */
export const clockText = (at: number): string =>
  `${momentText(at).slice(11)}.${String(new Date(at).getMilliseconds()).padStart(3, '0')}`;

/** A card number in groups, as it is printed. */
export const numberText = (pan: string): string =>
  /^3[47]/.test(pan)
    ? pan.replace(/^(\d{4})(\d{6})/, '$1 $2 ')
    : pan.length === 14
      ? pan.replace(/^(\d{4})(\d{6})/, '$1 $2 ')
      : pan.replace(/(\d{4})(?=\d)/g, '$1 ');
