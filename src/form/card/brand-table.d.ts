/** Made by the plugin in `build/tables/card.ts`. */
declare module 'virtual:brand-table' {
  /** Of each brand, in the order of `BRANDS`: id, lengths, gaps, length of the security code, prefixes (`rangesOf` in `brands.ts`). */
  export const table: readonly (readonly [
    import('./brand-names.ts').Brand,
    readonly number[],
    readonly number[],
    3 | 4,
    string,
  ])[];
}

declare module 'virtual:brand-words' {
  /** Printed names and names of the security code, of the brands that have not the usual one. */
  export const names: Readonly<Partial<Record<import('./brand-names.ts').Brand, string>>>;
  export const codes: typeof names;
}
