/** Made by the plugin in `compile.ts`. */
declare module 'virtual:hosted-fonts' {
  /** By family, the `@font-face` rules of a hosted font and of its fallbacks. */
  export const fontFaces: Readonly<Record<string, () => string>>;
}
