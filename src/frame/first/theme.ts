/** What the form wears: the scheme of the page, and what the merchant chose. */
import type { AppearanceProblem, ResolvedAppearance, Scheme } from '../../appearance/resolve.ts';
import { colorSchemeOf } from '../../channel/color-scheme.ts';

/** `colorScheme`: how the page is painted, as it says it. */
type Changes = { colorScheme?: string | undefined; appearance?: unknown };

/** Changes clothes while the form stands; what was typed is not touched. */
export type Wardrobe = {
  /** Fulfils when it is worn. What is not in the changes stays. Never rejects. */
  wear(changes: Changes): Promise<void>;
  /** What of the appearance was left out or changed. */
  problems(): readonly AppearanceProblem[];
};

/** What of an element is touched. */
type Root = {
  readonly dataset: DOMStringMap;
  readonly style: { setProperty(name: string, value: string): void; removeProperty(name: string): unknown };
};

/**
 * `root` gets the scheme and the labels as data and the rest as custom properties. What reads an appearance is
 * fetched by `load` when there is one; if it cannot be, the form is worn as it comes.
 */
export const createWardrobe = (
  root: Root,
  system: Pick<MediaQueryList, 'matches' | 'onchange'>,
  load: () => Promise<{ resolveAppearance(appearance: unknown, page: Scheme): ResolvedAppearance }>,
): Wardrobe => {
  /** Undefined where the page did not say: then it is the system's. */
  let page: Scheme | undefined;
  let appearance: unknown;
  let turn = 0;
  let look: ResolvedAppearance | null = null;

  const put = (next: ResolvedAppearance | null, scheme: Scheme) => {
    for (const property of look?.properties.keys() ?? []) root.style.removeProperty(property);
    look = next;
    root.dataset.scheme = look?.scheme ?? scheme;
    root.dataset.labels = look?.labels ?? 'above';
    for (const [property, value] of look?.properties ?? []) root.style.setProperty(property, value);
  };

  const change = async () => {
    turn += 1;
    const mine = turn;
    const scheme = page ?? (system.matches ? 'dark' : 'light');
    if (appearance === undefined || appearance === null) return put(null, scheme);
    const reader = await load().catch(() => null);
    if (mine === turn) put(reader?.resolveAppearance(appearance, scheme) ?? null, scheme); // else a later wish won
  };

  return {
    wear(changes) {
      if (changes.colorScheme !== undefined) page = colorSchemeOf(changes.colorScheme);
      system.onchange = page ? null : () => void change();
      if ('appearance' in changes) appearance = changes.appearance;
      return change();
    },
    problems: () => look?.problems ?? [],
  };
};
