// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { render } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { exampleIntent, exampleState } from '../../payment/payment.fixture.ts';
import { busy, FIRST_VIEW, readingView, type View } from '../view/form-view.ts';
import { view } from '../view/view.ts';
import { exampleContext } from './context.fixture.ts';
import { FormRoot } from './FormRoot.tsx';
import { components } from './late.ts';

const intent = exampleIntent();

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('promises 2.9: the consequence of an answer is shown, even if the attempt begins and ends between two frames', async () => {
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const screen = signal<View>(FIRST_VIEW);
  render(<FormRoot {...exampleContext({ screen, late: signal(components) })} />, root);
  await vi.runAllTimersAsync();
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  screen.value = view(exampleState('ready', { intent }), true);
  await vi.runAllTimersAsync();
  expect(scrolled).not.toHaveBeenCalled();

  screen.value = busy(intent, { key: 'notice.confirming' });
  screen.value = readingView(intent);
  screen.value = view(exampleState('ready', { intent }), false); // with a notice
  await vi.runAllTimersAsync();
  expect(scrolled).toHaveBeenCalled();
  expect(scrolled.mock.contexts.map((part) => (part as Element).className)).toContain('notices');
});
