import { findWebKit, MISSING } from '../browsers/find-browsers.mjs';
import { test as base, expect } from '../support/fixtures.ts';
import { defineAttacks } from './attacks.ts';
import type { Buyer } from './buyer.ts';
import { defineFlows } from './flows.ts';
import { type WatchedBuyer, webdriverBuyer } from './webdriver-buyer.ts';
import { type OpenedWebKit, startWebKit, type WebKit } from './webkit.ts';

type Fixtures = { opened: OpenedWebKit; watched: WatchedBuyer };

const withScreen = base.extend<Fixtures, { webkit: WebKit }>({
  webkit: [
    // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
    async ({}, use) => {
      const found = findWebKit();
      if (found?.kind !== 'webdriver') throw new Error(MISSING.webkit);
      const webkit = await startWebKit(found);
      await use(webkit);
      await webkit.stop();
    },
    { scope: 'worker' },
  ],

  opened: async ({ webkit }, use) => {
    const opened = await webkit.open();
    await use(opened);
    await opened.close();
  },

  watched: async ({ opened }, use) => {
    await use(webdriverBuyer(opened.session));
  },

  // Without Playwright's browser, which this engine does not need.
  watch: async ({ watched }, use) => {
    const foreseen: RegExp[] = [];
    await use({ expect: (pattern) => foreseen.push(pattern) });
    const trouble = (await watched.trouble()).map(String);
    const unforeseen = trouble.filter((one) => !foreseen.some((pattern) => pattern.test(one)));
    expect(unforeseen, 'trouble on the page').toEqual([]);
  },
});

const test = withScreen.extend<{ buyer: Buyer }>({
  buyer: async ({ watched }, use) => {
    await use(watched);
  },
});

test.describe('in every engine', { tag: '@thorough' }, () => {
  defineFlows(test);
  defineAttacks(test);
});
