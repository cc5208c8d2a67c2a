/** Types shared by the parts of a connected form. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { MessageKey } from '../../i18n/en.ts';
import type { FormModel } from '../form/card-form.ts';
import type { Options } from '../merchant/options.ts';
import type { Guard, Payable } from '../press/guard.ts';
import type { View } from '../view/form-view.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { PageLink } from './page-link.ts';
import type { ServiceTime } from './service-time.ts';
import type { Session } from './session.ts';

/** Created with the payment, and kept for the form. */
export type Begun = {
  page: PageLink;
  guard: Guard;
  lifecycle: Lifecycle;
  /** The service's time. */
  time: ServiceTime;
  /** True if the Pay button is on the page. */
  isButtonless: Signal<boolean>;
  /** The amount a press would pay now, for the guard. */
  payable: Signal<Payable | null>;
  /** Aborted when the form is removed. */
  ending: AbortController;
};

/** Shared with the components. */
export type Shared = {
  form: FormModel;
  /** Message key for the buyer: the reason the last press was refused. */
  pressHint: Signal<MessageKey | null>;
  /** True if the page took the focus from a card field while the buyer was typing. */
  isInterrupted: Signal<boolean>;
};

/** Available once the page's options have been applied. */
export type ShownForm = Shared &
  Begun & {
    options: Options;
  };

/** Available once the buyer can pay. */
export type Parts = ShownForm & {
  session: Session;
  /** The buyer's screen. */
  screen: ReadonlySignal<View>;
  /** True if the screen has a total that a press would pay. */
  canBePaid: ReadonlySignal<boolean>;
  /** True if fields and options can be changed: false while a payment is in progress or over. */
  canEdit: ReadonlySignal<boolean>;
};
