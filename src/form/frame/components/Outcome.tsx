import { useEffect, useRef } from 'preact/hooks';
import type { View } from '../view/form-view.ts';
import { printable } from '../view/printable.ts';
import { useForm } from './context.ts';
import { writeReceipt } from './receipt.ts';
import { TextElement } from './TextElement.tsx';

/** The outcome of the payment, or the pending state, with at most one action. */
export const Outcome = ({ tone, title, details, action, receipt }: Extract<View, { screen: 'outcome' }>) => {
  const { actions, words } = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused button has disappeared. Focus the heading, but only if the focus is in this frame.
  useEffect(() => {
    if (document.hasFocus()) heading.current?.focus();
  }, [title.key]);
  const place = useRef<HTMLDivElement>(null);
  const { locale } = words.negotiated.value;
  useEffect(() => {
    if (!receipt || !place.current) return;
    const card = actions.value?.paidWith.value ?? '';
    const shown = { intent: receipt, card, description: printable(receipt.description ?? '') };
    writeReceipt(place.current, shown, { locale, say: words.say });
  }, [receipt, locale]);
  return (
    <section class="outcome" data-tone={tone}>
      <div class="outcome-mark" aria-hidden="true">
        {MARK[tone]}
      </div>
      <div role="status">
        <h2 ref={heading} tabIndex={-1}>
          <TextElement of={words.say(title.key, title.values)} />
        </h2>
        {details.map(({ key, values }) => (
          <TextElement as="p" key={key} of={words.say(key, values)} />
        ))}
      </div>
      {receipt && <div class="receipt" ref={place} />}
      {action && (
        <button class="pay" type="button" data-kind="retry" onClick={() => actions.value?.retry()}>
          <TextElement of={words.say(`action.${action}`)} />
        </button>
      )}
    </section>
  );
};

const MARK = {
  good: (
    <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <path d="m14 25 7 7 13-15" />
    </svg>
  ),
  busy: <span class="spinner" />,
  neutral: (
    <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <path d="M16 24h16" />
    </svg>
  ),
  bad: (
    <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <path d="M24 14v12M24 32v1.5" />
    </svg>
  ),
};
