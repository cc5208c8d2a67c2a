/**
 * Answers `diagnostics()`: what the page was told, when the form could be used, and how often something was refused or
 * failed. Only names, codes, times and counts go in, so that a merchant can send the answer to an error tracker.
 */
import type { Failure } from '../../../api/errors.ts';
import type { CLIENT_ROUTES } from '../../../api/routes.ts';
import type { DiagnosticsRequest } from '../../channel/commands.ts';
import type { CardFormDiagnosis, CardFormDiagnostics } from '../../channel/diagnostics.ts';
import { MOST_TROUBLES } from '../../channel/messages.ts';
import type { PressRefusal } from '../press/press.ts';

/** The largest number that a message carries. */
const LARGEST = 999_999_999_999;

/** The part of `performance` that is used. */
type Timeline = Pick<Performance, 'timeOrigin' | 'now' | 'getEntriesByName'>;

export type DiagnosticsLog = {
  /** A press did not count. */
  pressRefused(why: PressRefusal): void;
  /** A request got an error or no answer. */
  requestFailed(route: keyof typeof CLIENT_ROUTES, failure: Failure): void;
  /** The browser went offline, or the page broke a limit of the channel. */
  troubled(kind: 'offline' | 'protocol'): void;
  /** The total is on the button. Only the first time counts. */
  payable(): void;
  answer(request: DiagnosticsRequest): CardFormDiagnostics;
};

/** To be called when the form is hydrated. `timeline` is this document's, `entries` what the page was told. */
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
   * When the buyer could type. The first response has no byte left to note it, so it is read from the browser; a frame
   * that is out of view paints later than it could be used, but then it has been hydrated before.
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
      /** A time of this document on the page's timeline. */
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

/** A whole number that a message can carry, whatever the clocks of the two documents say. */
const bounded = (ms: number): number => Math.min(Math.max(0, Math.round(ms)), LARGEST);
