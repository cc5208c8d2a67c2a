import { describe, expect, it } from 'vitest';
import { purgeCalls } from './edges.ts';

const ORIGIN = 'https://pay.example';
const ADDRESSES = ['/partner/v1/card-form.js', '/partner/v1/card-form/frame'];

describe('a purge', () => {
  it('is one command for each address that it names, or one for all', () => {
    expect(purgeCalls('cdn purge {url}', ORIGIN, ADDRESSES)).toEqual([
      { kind: 'command', command: 'cdn purge https://pay.example/partner/v1/card-form.js' },
      { kind: 'command', command: 'cdn purge https://pay.example/partner/v1/card-form/frame' },
    ]);
    expect(purgeCalls('cdn purge-all', ORIGIN, ADDRESSES)).toEqual([
      { kind: 'command', command: 'cdn purge-all' },
    ]);
  });

  it('is a POST to an address of the CDN', () => {
    expect(purgeCalls('https://cdn.example/purge?url={url}', ORIGIN, ADDRESSES)).toEqual([
      {
        kind: 'post',
        url: 'https://cdn.example/purge?url=https%3A%2F%2Fpay.example%2Fpartner%2Fv1%2Fcard-form.js',
      },
      {
        kind: 'post',
        url: 'https://cdn.example/purge?url=https%3A%2F%2Fpay.example%2Fpartner%2Fv1%2Fcard-form%2Fframe',
      },
    ]);
    expect(purgeCalls('http://10.0.0.1{path}', ORIGIN, ADDRESSES)[0]).toEqual({
      kind: 'post',
      url: 'http://10.0.0.1/partner/v1/card-form.js',
    });
  });
});
