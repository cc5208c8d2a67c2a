/** The violation reports that browsers sent, for the inspector. In memory alone. */

/** What a report seems to contain, although no report of the form should. */
export type Finding = 'card_number' | 'secret' | 'email';

/** A report, or that one was dropped. Addresses are without query and fragment. */
export type BrowserReport = {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  at: number;
  /** The type that the browser gave it, such as `csp-violation`, `integrity-violation` or `deprecation`. */
  type: string;
} & (
  | {
      dropped: null;
      /** The address of the document. */
      url: string;
      /** What the browser says about it, by the browser's names. */
      fields: Readonly<Record<string, string>>;
    }
  /** Nothing of it is kept. */
  | { dropped: Finding }
);

export type ReportLog = {
  add(report: BrowserReport): void;
  /** Oldest first. */
  all(): readonly BrowserReport[];
};

/** Beyond this many, the oldest reports are dropped. */
export const MAX_REPORTS = 200;

export const createReportLog = (): ReportLog => {
  const reports: BrowserReport[] = [];
  return {
    add: (report) => {
      reports.push(report);
      if (reports.length > MAX_REPORTS) reports.shift();
    },
    all: () => [...reports],
  };
};
