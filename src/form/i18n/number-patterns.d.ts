/** Made by the plugin in `compile.ts`. */
declare module 'virtual:number-patterns' {
  /**
   * How numbers are written somewhere: in three lines dollars, euros and plain numbers. In each, between bars: what
   * stands before and after, the same where it is negative, the separators of groups and of decimals, from how many
   * digits on there are groups, how many digits those besides the last have, and the zero.
   */
  export const patterns: readonly string[];
  /**
   * By language: the pattern of most regions, then in turns the pattern of others and their codes, two letters each.
   */
  export const byLanguage: Readonly<Record<string, readonly (number | string)[]>>;
}
