/** A fake IntersectionObserver: the test sets how much of an element is in view. */
import { vi } from 'vitest';

type Report = (entries: { intersectionRatio: number }[]) => void;

const reports = new Map<Element, Report>();
const asked = new Map<Element, readonly number[]>();

/** Replaces the global until `vi.unstubAllGlobals()`. */
export const stubIntersectionObserver = (): void => {
  reports.clear();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #report: Report;
      readonly #thresholds: readonly number[];
      constructor(report: Report, { threshold }: { threshold: readonly number[] }) {
        this.#report = report;
        this.#thresholds = threshold;
      }
      observe(target: Element) {
        reports.set(target, this.#report);
        asked.set(target, this.#thresholds);
      }
      disconnect() {
        for (const [target, report] of reports) if (report === this.#report) reports.delete(target);
      }
    },
  );
};

/** Reports to the element's latest observer how much of it is in view, from 0 to 1. */
export const reportRatio = (target: Element, intersectionRatio: number): void =>
  reports.get(target)?.([{ intersectionRatio }]);

/** The thresholds of the element's latest observer, from 0 to 1. */
export const thresholdsOf = (target: Element): readonly number[] | undefined => asked.get(target);
