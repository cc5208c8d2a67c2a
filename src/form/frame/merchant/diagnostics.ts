/**
 * Answers `diagnostics()`: messages to the page, when the form became usable, and how often something was refused or
 * failed. Contains only names, codes, times and counts, so a merchant can send it to an error tracker.
 */
import type { Failure } from '../../../api/errors.ts';
import type { CLIENT_ROUTES } from '../../../api/routes.ts';
import type { DiagnosticsRequest } from '../../channel/commands.ts';
import type { CardFormDiagnosis, CardFormDiagnostics } from '../../channel/diagnostics.ts';
import { MOST_TROUBLES } from '../../channel/messages.ts';
import type { PressRefusal } from '../press/press.ts';

/** The largest number that a message may contain. */
const LARGEST = 999_999_999_999;

/** The used part of `performance`. */
type Timeline = Pick<Performance, 'timeOrigin' | 'now' | 'getEntriesByName'>;

export type DiagnosticsLog = {
  /** Counts a refused press. */
  pressRefused(why: PressRefusal): void;
  /** Counts a request that failed or got no answer. */
  requestFailed(route: keyof typeof CLIENT_ROUTES, failure: Failure): void;
  /** Counts going offline, and the page breaking a limit of the channel. */
  troubled(kind: 'offline' | 'protocol'): void;
  /** Records that the total is on the button. Only the first call counts. */
  payable(): void;
  answer(request: DiagnosticsRequest): CardFormDiagnostics;
};

/** Call on hydration. `timeline` is this document's, `entries` are the logged messages to the page. */
export const createDiagnosticsLog = (
  timeline: Timeline,
  entries: () => readonly CardFormDiagnosis[],
): DiagnosticsLog => {
  const hydratedAt = timeline.now();
  let payableAt: number | null = null;
  const presses: CardFormDiagnostics['presses'] = {};
  const troubles: CardFormDiagnostics['troubles'] = {};

  const count = (kind: string) => {
    const before = troubles[kind] ?? 0;
    if (before === 0 && Object.keys(troubles).length >= MOST_TROUBLES) return;
    troubles[kind] = before + 1;
  };

  /**
   * Time from which the buyer could type. Read from the browser, because the first response has no bytes left to record
   * it. A frame out of view paints later than it becomes usable, but is hydrated before that.
   */
  const typeableAt = (): number => {
    const [paint] = timeline.getEntriesByName('first-contentful-paint');
    return Math.min(paint?.startTime ?? hydratedAt, hydratedAt);
  };

  return {
    pressRefused(why) {
      presses[why] = (presses[why] ?? 0) + 1;
    },
    requestFailed: (route, failure) => count(`${route}.${reasonOf(failure)}`),
    troubled: count,
    payable() {
      payableAt ??= timeline.now();
    },
    answer({ release, timeOrigin, timings: { mounted } }) {
      /** Converts a time of this document to the page's timeline. */
      const inPage = (at: number) => bounded(timeline.timeOrigin + at - timeOrigin);
      return {
        release,
        timings: {
          mounted: bounded(mounted),
          typeable: inPage(typeableAt()),
          ...(payableAt === null ? {} : { payable: inPage(payableAt) }),
        },
        presses: { ...presses },
        troubles: { ...troubles },
        entries: [...entries()],
      };
    },
  };
};

const reasonOf = (failure: Failure): string | number => {
  switch (failure.kind) {
    case 'no_answer':
      return failure.reason;
    case 'throttled':
      return 429;
    case 'refused':
      return failure.status;
    default:
      return failure satisfies never;
  }
};

/** A whole number that fits a message, even if the clocks of the two documents differ. */
const bounded = (ms: number): number => Math.min(Math.max(0, Math.round(ms)), LARGEST);
