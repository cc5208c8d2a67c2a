import { useComputed } from '@preact/signals';
import type { Money } from '../../api/money.ts';
import { payLabel } from '../view/pay-label.ts';
import { useForm } from './context.ts';
import { PressHint } from './PressHint.tsx';
import { useWatched } from './use-watched.ts';

/** The button, unless the page has it: then only what looks again is left here. */
export const PayArea = () => {
  const { screen, isButtonless } = useForm();
  const isHere = useComputed(
    () => !isButtonless || (screen.value.screen === 'form' && screen.value.action.kind === 'retry'),
  );
  return <>{useComputed(() => isHere.value && <PayButton />)}</>;
};

/**
 * The one button. It always says what it does; while it does nothing it stays where it is and keeps the
 * focus (`aria-disabled`, not `disabled`), so that nobody is thrown out of the form by a wait.
 *
 * Until a press would count (guard.ts), the pointer goes through the button to the place it stands in: who drives a
 * browser by a program waits for a button that can be hit, and need not know the rule. A person's press is refused
 * there with the same words.
 */
const PayButton = () => {
  const { screen, words, desk } = useForm();
  const watched = useWatched<HTMLButtonElement>('button');
  const action = useComputed(() =>
    screen.value.screen === 'form' ? screen.value.action : ({ kind: 'idle', total: null } as const),
  );
  const label = useComputed(() => {
    const now = action.value;
    switch (now.kind) {
      case 'pay':
        return <Label total={now.total} />;
      case 'idle':
        return now.total ? <Label total={now.total} /> : words.say('notice.loading');
      default:
        return words.say(now.message.key, now.message.values);
    }
  });
  // Words of another length than the total's would change the button's height when it comes.
  const isLoading = useComputed(
    () =>
      (action.value.kind === 'idle' && !action.value.total) ||
      (action.value.kind === 'busy' && action.value.message.key === 'notice.loading'),
  );
  const isOff = useComputed(() => action.value.kind === 'idle' || action.value.kind === 'busy');
  const isEarly = useComputed(() => action.value.kind === 'pay' && desk.value?.guard.armed.value === false);
  const pressEarly = (event: MouseEvent) => {
    const { guard, press } = desk.value ?? {};
    if (event.target === event.currentTarget && guard?.isLive(event)) void press?.('buyer');
  };
  const button = (
    <button
      ref={watched}
      class="pay"
      type="submit"
      data-early={useComputed(() => (isEarly.value ? '' : undefined))}
      data-kind={useComputed(() => (isLoading.value ? 'loading' : action.value.kind))}
      aria-disabled={useComputed(() => (isOff.value ? 'true' : undefined))}
      aria-busy={useComputed(() => (isLoading.value || action.value.kind === 'busy' ? 'true' : undefined))}
    >
      <span class="spinner" aria-hidden="true" />
      <svg class="lock" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v6.5h-9z" />
      </svg>
      <span class={useComputed(() => (isLoading.value ? 'unseen' : ''))}>{label}</span>
    </button>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys press the button itself
    <div class="pay-place" role="presentation" onClick={pressEarly}>
      <PressHint />
      {button}
    </div>
  );
};

/** What the button pays, in an element of its own among the words. */
const Label = ({ total }: { total: Money }) => {
  const { words } = useForm();
  const { sentence, isOurs } = words.template('pay');
  const { before, after, apart } = payLabel(sentence, isOurs);
  const amount = <bdi data-amount="">{words.money(total)}</bdi>;
  if (!apart) return [before, amount, after];
  return (
    <span class="apart">
      <span>{before}</span> {amount}
    </span>
  );
};
