import { expect, it } from 'vitest';
import type { MessageKey } from '../../i18n/en.ts';
import { foldableIn } from './folding.ts';
import type { View } from './form-view.ts';

const after = (
  keys: readonly MessageKey[],
  changes: Partial<Extract<View, { screen: 'form' }>> = {},
): View => ({
  screen: 'form',
  intent: null,
  previousTotal: null,
  locked: false,
  notices: keys.map((key) => ({ tone: 'info', message: { key } })),
  action: { kind: 'idle', total: null },
  noticesFirst: false,
  fieldToFix: null,
  ...changes,
});
const ALL = ['name', 'email', 'address'];

it.each<[string, View, readonly string[]]>([
  ['a decline', after(['decline.generic'], { fieldToFix: 'number' }), ALL],
  ['a wrong security code', after(['decline.incorrect_cvc'], { fieldToFix: 'cvc' }), ALL],
  ['a refused card number', after([], { fieldToFix: 'number' }), ALL],
  ['another total', after(['notice.total_changed']), ALL],
  ['a wait', after(['notice.throttled']), ALL],
  ['no answer', after(['notice.not_charged']), ALL],
  [
    'a decline about the address: all but the address',
    after(['decline.incorrect_address'], { fieldToFix: 'number' }),
    ['name', 'email'],
  ],
  ['a refused postal code: nothing', after([], { fieldToFix: 'postal_code' }), []],
  ['refused details, without saying which: nothing', after(['notice.details_refused']), []],
  ['the page’s no: nothing', after(['notice.order_refused']), []],
  ['a lost connection: nothing', after(['notice.total_changed', 'notice.offline']), []],
  ['an order that lacks something: nothing', after(['notice.unavailable', 'decline.generic']), []],
  ['no attempt: nothing', after([]), []],
  ['an attempt under way: nothing', after(['decline.generic'], { locked: true }), []],
  [
    'the end: nothing',
    { screen: 'outcome', tone: 'good', title: { key: 'notice.succeeded' }, details: [], action: null },
    [],
  ],
])('promises 2.9: what may fold after %s', (_, view, options) => {
  expect(foldableIn(view)).toEqual(options);
});
