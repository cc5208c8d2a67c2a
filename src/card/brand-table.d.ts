/** Made by the plugin in `compile.ts`. */
declare module 'virtual:brand-table' {
  /** Of each brand: printed name, lengths, gaps, name and length of the security code, prefixes (`rangesOf` in `brands.ts`). */
  export const table: Readonly<
    Record<
      import('./brand-names.ts').Brand,
      readonly [string, readonly number[], readonly number[], string, 3 | 4, string]
    >
  >;
}
