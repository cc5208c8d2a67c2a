/** A mutant, by what stays the same when lines move. */
export type Mutant = {
  file: string;
  /** The line of the code on which it begins, trimmed. */
  line: string;
  mutator: string;
  /** The code that is replaced, and by what; spaces and line breaks as one space. */
  original: string;
  replacement: string;
};

/** A mutant that no test can kill, and why. */
export type Equivalent = Mutant & { reason: string };

/** Of Stryker's report in JSON, what is used here. Lines and columns count from 1. */
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
  /** Left out by Stryker, with a reason in the report. */
  ignored: number;
  /** Entries of the list for which there is no survivor. */
  stale: readonly Equivalent[];
  /** The share, 0 to 1, of the covered mutants that were killed, without the equivalent ones. */
  score: number;
};

export function scoreOf(report: Report, equivalents: readonly Equivalent[]): Score;
