import { allRequired, findFirefox, MISSING } from '../browsers/find-browsers.mjs';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { expect, test } from '../support/fixtures.ts';
import { startMerchant } from '../support/merchant.ts';
import { createPlans, formatTable, payOnDyingConnections, problemsOf, type Run } from './browser-retries.ts';

/** Set by `npm run test:browser-retries`, which also prints the table. */
const RUNS = Number(process.env.RETRY_RUNS ?? 6);
const SEED = Number(process.env.RETRY_SEED ?? 1);
const IS_ASKED_FOR = process.env.RETRY_RUNS !== undefined;

/** Two buyers at a time, each in a separate browser: a background tab sends no reads. */
const BUYERS = 2;

// All buyers share one IP address and therefore its rate limit.
test.use({ sandboxOptions: { clientRateLimit: 1_000_000 } });

for (const engine of ['chromium', 'firefox'] as const) {
  test(`threat-model C49: a press whose request the browser repeats is charged once and ends as paid: ${engine}`, {
    tag: '@thorough',
  }, async ({ playwright, service }) => {
    const firefox = engine === 'firefox' ? findFirefox() : null;
    const isMissing = engine === 'firefox' && firefox === null;
    if (isMissing && allRequired()) throw new Error(MISSING.firefox);
    test.skip(isMissing, MISSING.firefox);
    const proxy = await startFaultyProxy(service.url);
    const merchant = await startMerchant(`${proxy.url}/partner/v1/card-form.js`);

    const left = [...createPlans(SEED, RUNS).entries()];
    const runs: Run[] = [];
    const wrong: string[] = [];
    const buyer = async () => {
      const browser = await playwright[engine].launch(firefox?.launchOptions);
      const page = await browser.newPage({ locale: 'en-US', viewport: { width: 900, height: 900 } });
      for (let next = left.shift(); next; next = left.shift()) {
        const [number, plan] = next;
        try {
          const run = await payOnDyingConnections(page, plan, { service, merchant, proxy });
          runs.push(run);
          wrong.push(
            ...problemsOf(run).map((what) => `run ${number}: ${what}, after ${JSON.stringify(plan)}`),
          );
        } catch (error) {
          wrong.push(`run ${number}: ${error}, after ${JSON.stringify(plan)}`);
        }
      }
      await browser.close();
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: BUYERS }, buyer));
    if (IS_ASKED_FOR) {
      console.log(`\n${formatTable(engine, SEED, (performance.now() - began) / 1000, runs, wrong.length)}\n`);
    }
    await merchant.stop();
    await proxy.stop();

    expect(wrong).toEqual([]);
    expect(runs).toHaveLength(RUNS);
    // Otherwise no request was really repeated, and the assertions above would prove nothing.
    expect(runs.filter((run) => run.deliveries > run.presses).length).toBeGreaterThan(RUNS / 2);
    expect(runs.filter((run) => run.acted > run.presses).length).toBeGreaterThan(0);
  });
}
