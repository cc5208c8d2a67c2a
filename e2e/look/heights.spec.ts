/**
 * promises 2.7: the height of the form by the width of its container. `npm run heights` prints the table and writes it
 * into docs/quick-start.md; otherwise these tests compare that table with the browser's result.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../support/fixtures.ts';
import { measureHeights, tableOf, WIDTHS } from './heights.ts';

const DOCS = fileURLToPath(new URL('../../docs/quick-start.md', import.meta.url));

/** The table in the documentation. */
const TABLE = /^\| Width of the container .*\n(?:\|.*\n)+/m;

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 1400 } });

test('the table of heights in docs/quick-start.md matches the browser', async ({ open, service }) => {
  test.slow();
  const heights = await measureHeights(open, service);
  const table = tableOf(heights);
  const docs = readFileSync(DOCS, 'utf8');
  if (test.info().config.updateSnapshots === 'all') {
    console.log(`${table}\n\nThe ribbon of a sandbox key: ${heights.ribbon} px`);
    writeFileSync(
      DOCS,
      docs
        .replace(TABLE, () => `${table}\n`)
        .replace(/(?<=the ribbon of a sandbox key takes )\d+(?= pixels)/, `${heights.ribbon}`),
    );
    return;
  }
  expect(TABLE.exec(docs)?.[0].trim()).toBe(table);
  expect(docs).toContain(`the ribbon of a sandbox key takes ${heights.ribbon} pixels`);

  const [guest, known] = heights.rows[WIDTHS.indexOf(390)] ?? [];
  expect(guest, 'a guest in the US on a phone, with the ribbon').toBeLessThanOrEqual(960 - heights.ribbon);
  expect(known, 'a known address on a phone, with the ribbon').toBeLessThanOrEqual(560 - heights.ribbon);
});
