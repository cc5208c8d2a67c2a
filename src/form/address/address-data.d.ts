/** Made by the plugin in `compile.ts`. */
declare module 'virtual:address-data' {
  type AddressFormat = import('./format.ts').AddressFormat;
  /** The formats that need no request of their own. */
  export const atHand: Readonly<Record<string, AddressFormat>>;
  /** One or more formats by country: the content of a file. */
  type LoadFormats = () => Promise<{ formats: Readonly<Record<string, AddressFormat>> }>;
  /** By country, the files of the formats with a list of states. Countries of a region share one. */
  export const loaders: Readonly<Record<string, LoadFormats>>;
  /** All other formats, in one file: together they are smaller than some lists of states. */
  export const loadOthers: LoadFormats;
  /** How the postal codes of each state begin, by country: one file. */
  export const loadCodes: () => Promise<{
    codes: Readonly<Record<string, import('./state-by-code.ts').StateCodes>>;
  }>;
}
