/** What the parts of a connected form share. */
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

/** What begins with the payment and goes on with the form. */
export type Begun = {
  page: PageLink;
  guard: Guard;
  lifecycle: Lifecycle;
  /** The service's time. */
  time: ServiceTime;
  /** Whether the page has the Pay button. */
  isButtonless: Signal<boolean>;
  /** What a press would pay now, for the guard. */
  payable: Signal<Payable | null>;
  /** Aborted when the form is removed. */
  ending: AbortController;
};

/** With the components. */
export type Shared = {
  form: FormModel;
  /** Why the last press was refused, as a message to the buyer. */
  pressHint: Signal<MessageKey | null>;
  /** Whether the page took the focus from a card field that the buyer was typing in. */
  isInterrupted: Signal<boolean>;
};

/** Once the page's options have been applied. */
export type ShownForm = Shared &
  Begun & {
    options: Options;
  };

/** Once the buyer can be offered to pay. */
export type Parts = ShownForm & {
  session: Session;
  /** What the buyer sees. */
  screen: ReadonlySignal<View>;
  /** Whether it has a total that a press would pay. */
  canBePaid: ReadonlySignal<boolean>;
  /** Whether fields and options can be changed: false while a payment is under way or over. */
  canEdit: ReadonlySignal<boolean>;
};
