/** Applies the page's colour scheme and the merchant's appearance to the document. */
import type { AppearanceProblem, ResolvedAppearance, Scheme } from '../../appearance/resolve.ts';
import { colorSchemeOf } from '../../channel/color-scheme.ts';

/** `colorScheme` is the value of the page's CSS property. */
export type ThemeChanges = { colorScheme?: string | undefined; appearance?: unknown };

export type Theme = {
  /** Resolves once applied; never rejects. Options that are not in `changes` keep their value. */
  apply(changes: ThemeChanges): Promise<void>;
  /** What was ignored or adjusted in the appearance. */
  problems(): readonly AppearanceProblem[];
};

/** The part of an element that is used here. */
type Root = {
  readonly dataset: DOMStringMap;
  readonly style: { setProperty(name: string, value: string): void; removeProperty(name: string): unknown };
};

/**
 * Scheme, label position and grouping become data attributes of `root`, everything else custom properties. `load`
 * fetches the parser when there is an appearance; if that fails, the default theme applies.
 */
export const createTheme = (
  root: Root,
  system: Pick<MediaQueryList, 'matches' | 'onchange'>,
  load: () => Promise<{ resolveAppearance(appearance: unknown, page: Scheme): ResolvedAppearance }>,
): Theme => {
  /** Undefined if the page declares no scheme: then the system's applies. */
  let page: Scheme | undefined;
  let appearance: unknown;
  let latest = 0;
  let applied: ResolvedAppearance | null = null;

  const show = (next: ResolvedAppearance | null, scheme: Scheme) => {
    for (const property of applied?.properties.keys() ?? []) root.style.removeProperty(property);
    applied = next;
    root.dataset.scheme = applied?.scheme ?? scheme;
    root.dataset.labels = applied?.labels ?? 'above';
    root.dataset.fields = applied?.fields ?? 'separate';
    for (const [property, value] of applied?.properties ?? []) root.style.setProperty(property, value);
  };

  const update = async () => {
    latest += 1;
    const mine = latest;
    const scheme = page ?? (system.matches ? 'dark' : 'light');
    if (appearance === undefined || appearance === null) return show(null, scheme);
    const parser = await load().catch(() => null);
    if (mine === latest) show(parser?.resolveAppearance(appearance, scheme) ?? null, scheme); // otherwise outdated
  };

  return {
    apply(changes) {
      if (changes.colorScheme !== undefined) page = colorSchemeOf(changes.colorScheme);
      system.onchange = page ? null : () => void update();
      if ('appearance' in changes) appearance = changes.appearance;
      return update();
    },
    problems: () => applied?.problems ?? [],
  };
};
