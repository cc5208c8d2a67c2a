/** Applies the page's background and the merchant's appearance to the document. */
import type { AppearanceProblem, ResolvedAppearance as Resolved } from '../../appearance/resolve.ts';
import { type Backdrop, judgeBackdrop } from '../../channel/backdrop.ts';

/**
 * `backdrop`: the loader's description of the page behind the form. `style`: what it read of the page's style
 * (`loader/describe-page.ts`). `fonts`: the page's own, as passed.
 */
export type ThemeChanges = {
  backdrop?: string | undefined;
  style?: unknown;
  appearance?: unknown;
  fonts?: unknown;
};

export type Theme = {
  /** Resolves once applied; never rejects. Options missing in `changes` keep their value. */
  apply(changes: ThemeChanges): Promise<void>;
  /** Problems with the appearance: what was ignored or adjusted. */
  problems(): readonly AppearanceProblem[];
};

/** Parses an appearance. */
export type ThemeParser = {
  resolve(
    appearance: unknown,
    page: Backdrop,
    description?: string,
    style?: unknown,
    fonts?: unknown,
  ): Resolved | Promise<Resolved>;
};

/** The used part of an element. */
type Root = {
  readonly dataset: DOMStringMap;
  readonly style: { setProperty(name: string, value: string): void; removeProperty(name: string): unknown };
};

/**
 * Sets scheme, panel and layout as data attributes of `root`, and everything else as custom properties. `load` fetches
 * the parser when there is an appearance; if that fails, the default theme applies.
 */
export const createTheme = (root: Root, load: () => Promise<ThemeParser>): Theme => {
  let backdrop: string | undefined;
  let style: unknown;
  let appearance: unknown;
  let fonts: unknown;
  let latest = 0;
  let applied: Resolved | undefined;

  const update = async () => {
    latest += 1;
    const mine = latest;
    const page = judgeBackdrop(backdrop);
    const isGiven = appearance !== undefined && appearance !== null;
    const resolved = isGiven
      ? await load()
          .then(({ resolve }) => resolve(appearance, page, backdrop, style, fonts))
          .catch(() => undefined)
      : undefined;
    if (mine !== latest) return; // outdated
    for (const property of applied?.properties.keys() ?? []) root.style.removeProperty(property);
    for (const name of Object.keys(applied?.look ?? {})) delete root.dataset[name];
    applied = resolved;
    Object.assign(root.dataset, { labels: 'above', fields: 'separate', ...page, ...applied?.look });
    for (const [property, value] of applied?.properties ?? []) root.style.setProperty(property, value);
  };

  return {
    apply(changes) {
      backdrop = changes.backdrop ?? backdrop;
      style = changes.style ?? style;
      fonts ??= changes.fonts; // cannot change
      if ('appearance' in changes) appearance = changes.appearance;
      return update();
    },
    problems: () => applied?.problems ?? [],
  };
};
