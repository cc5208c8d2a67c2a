/** The result of `diagnostics()`: part of the public interface (`loader/types.ts`). */
export type CardFormDiagnostics = {
  /** The release of the script, as in `CardForm.version`. */
  release: string;
  timings: CardFormTimings;
  /** How often a press on Pay or a call of `submit()` did not count, by the `code` of the reason. */
  presses: Partial<Record<CardFormPressReason, number>>;
  /**
   * How often something went wrong between page, form and service. `offline`: the browser went offline. `protocol`: the
   * page exceeded a limit of the form. All others are requests of the form: `retrieve`, `confirm` or `release`, a dot,
   * and the status of the answer or, without a usable one, the `code` of its error: `confirm.502`, `retrieve.timeout`.
   * A declined card is `confirm.402`.
   */
  troubles: Record<string, number>;
  /**
   * The element of the page that cuts off the form, such as `#checkout` or `<main>`: it is smaller than the form and
   * cannot be scrolled. Missing if there is none, and until the form is ready.
   */
  cutOffBy?: string | undefined;
  /** Oldest first, at most 99. If no form has loaded: the last `loaderror`, or empty. */
  entries: CardFormDiagnosis[];
};

/** In ms since the page's navigation began (`performance.timeOrigin`). Missing until it has happened. */
export type CardFormTimings = {
  /** `mount()` was called. The iframe of an early frame began to load before that. */
  mounted: number;
  /** The form was painted, so that the buyer could type. */
  typeable?: number | undefined;
  /** The buyer could press Pay, with a total on it, if the form was complete. */
  payable?: number | undefined;
};

/** The reason why a press did not count. */
export type CardFormPressReason =
  | 'not_ready'
  | 'incomplete'
  | 'too_soon'
  | 'moved'
  | 'too_small'
  | 'obscured';

/** One entry of `diagnostics()`. */
export type CardFormDiagnosis = {
  /** Milliseconds since the form was opened; 0 if it was not. */
  at: number;
  /** The name of an event, or `opened`. */
  event: string;
  /** Its code, outcome or hint, if it has one. */
  what?: string | undefined;
};
