/** Identifies a mutant by what stays the same when lines move. */
export type Mutant = {
  file: string;
  /** The line of code it begins on, trimmed. */
  line: string;
  mutator: string;
  /** The code that is replaced, and its replacement; whitespace is collapsed to single spaces. */
  original: string;
  replacement: string;
};

/** A mutant that no test can kill, and why. */
export type Equivalent = Mutant & { reason: string };

/** The part of Stryker's JSON report used here. Lines and columns count from 1. */
export type Report = {
  files: Record<
    string,
    {
      source: string;
      mutants: readonly {
        location: { start: { line: number; column: number }; end: { line: number; column: number } };
        mutatorName: string;
        replacement?: string;
        status: string;
      }[];
    }
  >;
};

export type Score = {
  killed: number;
  equivalent: number;
  /** Covered by a test, not killed and not listed as equivalent. */
  survived: readonly (Mutant & { at: string })[];
  notCovered: readonly (Mutant & { at: string })[];
  /** Skipped by Stryker, with a reason in the report. */
  ignored: number;
  /** List entries without a matching survivor. */
  stale: readonly Equivalent[];
  /** Share, 0 to 1, of the covered mutants that were killed, not counting the equivalent ones. */
  score: number;
};

export function scoreOf(report: Report, equivalents: readonly Equivalent[]): Score;
