import { describe, expect, it } from 'vitest';
import { loadFormat } from './load.ts';
import { loadStateCodes, stateOfCode } from './state-by-code.ts';

const tableOf = async (country: string) => {
  const codes = await loadStateCodes(country);
  if (!codes) throw new Error(`${country} has no table.`);
  return codes;
};

describe('promises 2.3: the state that a code names', () => {
  it.each([
    ['97205', 'OR'],
    ['97205-1234', 'OR'],
    ['10001', 'NY'],
    ['94103', 'CA'],
    ['60601', 'IL'],
    ['77002', 'TX'],
    ['02139', 'MA'],
    ['20500', 'DC'],
    ['20814', 'MD'],
    ['20101', 'VA'],
    ['33101', 'FL'],
    ['34002', 'AA'],
    ['09012', 'AE'],
    ['96201', 'AP'],
    ['99501', 'AK'],
    ['96813', 'HI'],
    ['96799', 'AS'],
    ['96910', 'GU'],
    ['96950', 'MP'],
    ['00901', 'PR'],
    ['00802', 'VI'],
    ['88510', 'TX'],
    ['06390', 'NY'], // Fishers Island, among Connecticut's
    ['05501', 'MA'],
    ['73301', 'TX'],
    ['83414', 'WY'],
    ['00000', null],
  ])('US %s: %s', async (code, state) => {
    expect(stateOfCode(await tableOf('US'), code)).toBe(state);
  });

  it.each([
    ['100-0001', '東京都'],
    ['060-0001', '北海道'],
    ['530-0001', '大阪府'],
    ['600-8001', '京都府'],
    ['460-0001', '愛知県'],
    ['420-0001', '静岡県'],
    ['231-0012', '神奈川県'],
    ['900-0001', '沖縄県'],
    ['817-0001', null], // Fukuoka's or Nagasaki's, according to the data
    ['498-0001', null],
  ])('Japan %s: %s', async (code, state) => {
    expect(stateOfCode(await tableOf('JP'), code)).toBe(state);
  });

  it('no code of the US names two states', async () => {
    const patterns = Object.values(await tableOf('US')).map((codes) => new RegExp(`^(?:${codes})`));
    const claimed = Array.from({ length: 100_000 }, (_, number) => `${number}`.padStart(5, '0')).filter(
      (code) => patterns.filter((pattern) => pattern.test(code)).length > 1,
    );
    expect(claimed).toEqual([]);
  });

  it.each(['US', 'JP'])('every state of %s is in its table', async (country) => {
    const { states } = await loadFormat(country);
    expect(Object.keys(await tableOf(country))).toEqual(states?.map(({ value }) => value));
  });

  it.each(['DE', 'ZZ', ''])('%j has no table', async (country) => {
    expect(await loadStateCodes(country)).toBeNull();
  });
});
