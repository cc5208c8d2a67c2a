import { test as base } from '../support/fixtures.ts';
import { defineAttacks } from './attacks.ts';
import type { Buyer } from './buyer.ts';
import { defineFlows } from './flows.ts';
import { playwrightBuyer } from './playwright-buyer.ts';

const test = base.extend<{ buyer: Buyer }>({
  buyer: async ({ page }, use) => {
    await use(playwrightBuyer(page));
  },
});

test.describe('in every engine', { tag: '@thorough' }, () => {
  defineFlows(test);
  defineAttacks(test);
});
