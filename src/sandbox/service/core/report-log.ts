/** The violation reports that browsers sent, for the inspector. In memory only. */

/** Private data that a report seems to contain, although no report of the form should. */
export type Finding = 'card_number' | 'secret' | 'email';

/** A report, or a note that one was dropped. URLs have no query or fragment. */
export type BrowserReport = {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  at: number;
  /** The browser's type of report, such as `csp-violation`, `integrity-violation` or `deprecation`. */
  type: string;
} & (
  | {
      dropped: null;
      /** The URL of the document. */
      url: string;
      /** The report's details, by the browser's field names. */
      fields: Readonly<Record<string, string>>;
    }
  /** The rest of the report is discarded. */
  | { dropped: Finding }
);

export type ReportLog = {
  add(report: BrowserReport): void;
  /** Oldest first. */
  all(): readonly BrowserReport[];
};

/** Above this number, the oldest reports are dropped. */
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
