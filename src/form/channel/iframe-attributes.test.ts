import { describe, expect, it } from 'vitest';
import { page, tablesIn } from '../../../e2e/developer/docs.ts';
import { heightsOf } from './iframe-attributes.ts';

const known = { billingDetails: { address: {} } };

describe('heightsOf', () => {
  const of = (options: object, width = 390) => heightsOf({ publishableKey: 'pk_live_1', ...options }, width);

  it('matches the table in docs/quick-start.md', () => {
    const table = tablesIn(page('quick-start')).find(({ head }) => head[0] === 'Width of the container');
    const columns = [
      {},
      { defaultValues: known },
      { defaultValues: known, fields: { billingDetails: { address: 'never' } } },
      { payButton: 'host' },
    ];
    const rows = table?.rows.map(([width = '']) =>
      columns.map((options) => `${of(options, Number.parseInt(width, 10))[1]} px`),
    );
    expect(rows).toEqual(table?.rows.map(([, ...heights]) => heights));
    expect(rows).toHaveLength(6);
  });

  it('is for a status what docs/reference.md reserves, at every width and with every option', () => {
    const status = { ...known, payButton: 'host', view: 'status' };
    const reserved = / style="min-height: (\d+)px"/.exec(page('reference').text)?.[1];
    expect([of(status), of(status, 900), of({ view: 'status' })].map(([, rest]) => `${rest}`)).toEqual(
      Array(3).fill(reserved),
    );
  });

  it('leaves room for the ribbon above a form with a sandbox key', () => {
    expect(of({})[0]).toBe(0);
    expect(of({ publishableKey: 'pk_live_sandbox0000000000000000000000001' })[0]).toBe(36);
  });
});
