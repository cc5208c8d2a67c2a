/** Made by the plugin in `compile.ts`. */
declare module 'virtual:address-data' {
  type AddressFormat = import('./format.ts').AddressFormat;
  /** The formats that need no request of their own. */
  export const atHand: Readonly<Record<string, AddressFormat>>;
  /** The formats that are a file each: those with a list of states. */
  export const loaders: Readonly<Record<string, () => Promise<{ format: AddressFormat }>>>;
  /** All other formats, in one file: together they are smaller than some lists of states. */
  export const loadOthers: () => Promise<{ formats: Readonly<Record<string, AddressFormat>> }>;
}
