import { type AppScheme, withAppSchemes } from './app-schemes.ts';
import type { Rule } from './headers.ts';
import { withReports } from './reports.ts';

/** What the owner of the service chose for the documents of all releases. */
export type OwnersChoice = {
  /** Where browsers send violation reports; null for nowhere. */
  reportsTo: string | null;
  /** The schemes of apps whose own pages may embed the form. */
  appSchemes: readonly AppScheme[];
};

export const NOTHING_CHOSEN: OwnersChoice = { reportsTo: null, appSchemes: [] };

/** The rules with what the owner chose; the same rules for nothing. */
export const withChoice = (
  rules: readonly Rule[],
  { reportsTo, appSchemes }: OwnersChoice,
): readonly Rule[] => withReports(withAppSchemes(rules, appSchemes), reportsTo);
