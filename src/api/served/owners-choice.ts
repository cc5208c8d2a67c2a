import { type AppScheme, withAppSchemes } from './app-schemes.ts';
import type { Rule } from './headers.ts';
import { withReports } from './reports.ts';

/** The owner's settings for the documents of all releases. */
export type OwnersChoice = {
  /** Destination of browsers' violation reports; null for none. */
  reportsTo: string | null;
  /** Schemes of apps whose own pages may embed the form. */
  appSchemes: readonly AppScheme[];
};

export const NOTHING_CHOSEN: OwnersChoice = { reportsTo: null, appSchemes: [] };

/** Applies the owner's settings. Returns the same rules if nothing is chosen. */
export const withChoice = (
  rules: readonly Rule[],
  { reportsTo, appSchemes }: OwnersChoice,
): readonly Rule[] => withReports(withAppSchemes(rules, appSchemes), reportsTo);
