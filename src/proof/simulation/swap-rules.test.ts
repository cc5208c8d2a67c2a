import { expect, it } from 'vitest';
import { createFindings } from './findings.ts';
import { createSwapRules } from './swap-rules.ts';

/** The rules after a tab pressed once for `lg_pi_old`, and got `lg_pi_new` afterwards. */
const afterASwap = () => {
  const findings = createFindings();
  const rules = createSwapRules(findings);
  const tab = { presses: [{ number: 1 }, { number: 2 }] };
  rules.has(tab, 'lg_pi_old');
  rules.has(tab, 'lg_pi_old');
  rules.has(tab, 'lg_pi_new');
  return { rules, tab, broken: findings.broken };
};

it('promises 1.6: no press made for one intent pays another', () => {
  const { rules, tab, broken } = afterASwap();
  rules.paid('lg_pi_new', { number: 3, tab, intent: 'lg_pi_new' });
  expect(broken).toEqual([]);
  rules.paid('lg_pi_new', { number: 2, tab, intent: 'lg_pi_old' });
  expect(broken).toEqual(['promises 1.6: a press made for one intent paid another']);
});

it('promises 1.6: no form gives up an intent that one of its presses has charged', () => {
  const { rules, tab, broken } = afterASwap();
  rules.paid('lg_pi_old', { number: 1, tab: { presses: [] }, intent: 'lg_pi_old' });
  expect(broken).toEqual([]);
  rules.paid('lg_pi_old', { number: 2, tab, intent: 'lg_pi_old' });
  expect(broken).toEqual(['promises 1.6: a form forgot the charge of the intent that it gave up']);
});
