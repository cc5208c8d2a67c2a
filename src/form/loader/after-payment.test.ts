// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readSuccessUrl } from './after-payment.ts';

const { canParse } = URL;

beforeEach(() => {
  Reflect.deleteProperty(URL, 'canParse');
});

afterEach(() => {
  URL.canParse = canParse;
  vi.unstubAllGlobals();
});

it('a browser without URL.canParse goes on to the page for after the payment', () => {
  const tag = document.createElement('script');
  expect(readSuccessUrl(tag)).toBeNull();
  tag.setAttribute('data-success-url', '/thanks');
  expect(readSuccessUrl(tag)).toBe(new URL('/thanks', location.href).href);
  tag.setAttribute('data-success-url', 'https://evil.example/thanks');
  expect(() => readSuccessUrl(tag)).toThrow('a page of this site');
});

it.each(['https://shop.example', 'capacitor://localhost'])(
  'data-success-url is a page of the scheme and host that the page has: %s',
  (site) => {
    vi.stubGlobal('location', new URL(`${site}/checkout`));
    const read = (address: string) => {
      const tag = document.createElement('script');
      tag.setAttribute('data-success-url', address);
      return readSuccessUrl(tag);
    };
    expect(read('/thanks')).toBe(`${site}/thanks`);
    for (const address of [
      `blob:${site}/0c1e9a3e`,
      'blob:null/0c1e9a3e',
      'javascript:alert(1)',
      'data:text/html,hello',
      '//elsewhere.example/thanks',
      'http://shop.example/thanks',
      'capacitor://elsewhere/thanks',
    ])
      expect(() => read(address), address).toThrow('a page of this site');
  },
);
