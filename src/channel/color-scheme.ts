/** The color scheme of the page around the frame. A transparent frame must match it to be readable. */
export type ColorScheme = 'light' | 'dark';

/**
 * The scheme that the browser uses for the page; `light` if the page supports none. `description` is the computed
 * `color-scheme` of the container followed by whether the system prefers dark, such as `light dark true`.
 */
export const colorSchemeOf = (description: string): ColorScheme =>
  /dark/.test(description) && (/true$/.test(description) || !/light/.test(description)) ? 'dark' : 'light';
