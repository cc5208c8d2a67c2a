import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './secrets.ts';

describe('threat-model C19: anything that looks like a card number, a key or a secret is removed from a text', () => {
  it.each([
    ['No key sk_live_0a1b2c3d4e5f!', 'No key sk_live_…!'],
    ['at ?client_secret=lg_cs_0a1b2c%2e3d', 'at ?client_secret=lg_cs_…'],
    ['4242424242424242', '…'],
    ['4242 4242 4242 4242 was declined', '… was declined'],
    ['4242/4242/4242/4242', '…'],
    ['4242 – 4242 – 4242 – 4242', '…'],
    ['4242, 4242, 4242, 4242', '…'],
    ['4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4\u200b2\u200b4', '…'],
    ['٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', '…'],
    ['４２４２４２４２４２４２４２４２', '…'],
    ['①②③④⑤⑥⑦⑧⑨①②③④', '…'],
  ])('%s', (said, handedOn) => {
    expect(withoutSecrets(said)).toBe(handedOn);
  });

  it('amounts, times and references are kept', () => {
    const message = 'Between 100 and 99999999, at 1700000000, for 4242 (ref 12ab34cd5678ef9012).';
    expect(withoutSecrets(message)).toBe(message);
  });
});
