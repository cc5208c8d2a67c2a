/**
 * The form on the screen: mounted with the current choices, updated when they change, and mounted again if necessary.
 */
import type { CardFormApi, CardFormInstance, CardFormUpdate } from '../../form/loader/types.ts';
import { changeBetween } from './changes.ts';
import { type Choices, type ChosenOptions, optionsOf } from './choices.ts';

/** A log entry: an event of the form, or a call by the page. */
export type Happening = { kind: 'event' | 'call'; name: string; detail: unknown };

type Deps = {
  publishableKey: string;
  log(happening: Happening): void;
};

export type LiveForm = {
  /** Shows a form with these choices for this payment. Throws the errors of `mount()`. */
  show(choices: Choices, clientSecret: string): void;
  /** Presses the page's own button. */
  submit(): void;
  remove(): void;
};

type Shown = { form: CardFormInstance; choices: Choices; clientSecret: string };

export const createLiveForm = (
  api: CardFormApi,
  container: Element,
  { publishableKey, log }: Deps,
): LiveForm => {
  let shown: Shown | null = null;

  const remove = () => {
    shown?.form.unmount();
    shown = null;
  };

  const mount = (choices: Choices, clientSecret: string) => {
    remove();
    const options: ChosenOptions = optionsOf(choices);
    // The secret is not logged: others may see a screenshot of the playground.
    log({ kind: 'call', name: 'mount', detail: options });
    const form = api.mount(container, { publishableKey, clientSecret, ...options });
    shown = { form, choices, clientSecret };
    form.on('*', (name, detail) => {
      // A replaced form still reports that it was unmounted; ignore that.
      if (shown?.form === form) log({ kind: 'event', name, detail });
    });
  };

  const update = (current: Shown, choices: Choices, changes: CardFormUpdate) => {
    log({ kind: 'call', name: 'update', detail: changes });
    current.form.update(changes);
    shown = { ...current, choices };
  };

  return {
    show(choices, clientSecret) {
      if (shown === null || shown.clientSecret !== clientSecret) {
        mount(choices, clientSecret);
        return;
      }
      const change = changeBetween(shown.choices, choices);
      if (change.kind === 'remount') mount(choices, clientSecret);
      else if (change.kind === 'update') update(shown, choices, change.changes);
      else shown = { ...shown, choices };
    },
    submit: () => shown?.form.submit(),
    remove,
  };
};
