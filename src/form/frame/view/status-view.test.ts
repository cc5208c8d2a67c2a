import { expect, it } from 'vitest';
import { exampleIntent, exampleState } from '../../payment/payment.fixture.ts';
import type { Intent } from '../../payment/payment-state.ts';
import { busy, FIRST_VIEW, readingView, type View } from './form-view.ts';
import { statusView } from './status-view.ts';
import { view } from './view.ts';

const payable = (intent: Intent, online: boolean) => view(exampleState('ready', { intent }), online);

const intent = exampleIntent();

const END: View = {
  screen: 'outcome',
  tone: 'good',
  title: { key: 'notice.succeeded' },
  details: [],
  action: null,
};

it.each<[string, View, Partial<ReturnType<typeof statusView>>]>([
  ['an end is shown as in the form', END, END],
  ['nothing is known yet', FIRST_VIEW, { tone: 'busy', title: { key: 'notice.loading' } }],
  [
    'what was read last, while it is read again',
    readingView(intent),
    { tone: 'neutral', title: { key: 'end.not_charged' } },
  ],
  [
    'a press of another tab is under way',
    busy(intent, { key: 'notice.still_confirming' }),
    { tone: 'busy', title: { key: 'notice.still_confirming' }, action: null },
  ],
  [
    'it can be paid',
    payable(intent, true),
    { tone: 'neutral', title: { key: 'end.not_charged' }, action: null },
  ],
  ['the browser is offline', payable(intent, false), { tone: 'bad', title: { key: 'notice.offline' } }],
  [
    'something can be tried again',
    view(exampleState('load_failed', { intent }), true),
    { tone: 'bad', title: { key: 'notice.load_failed' }, action: 'check_status' },
  ],
])("view: 'status' says how far the payment is: %s", (_, shown, expected) => {
  expect(statusView(shown)).toMatchObject({ screen: 'outcome', ...expected });
});
