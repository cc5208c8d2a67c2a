// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSuccessUrl } from './after-payment.ts';

const { canParse } = URL;

beforeEach(() => {
  Reflect.deleteProperty(URL, 'canParse');
});

afterEach(() => {
  URL.canParse = canParse;
});

it('a browser without URL.canParse goes on to the page for after the payment', () => {
  const tag = document.createElement('script');
  expect(readSuccessUrl(tag)).toBeNull();
  tag.setAttribute('data-success-url', '/thanks');
  expect(readSuccessUrl(tag)).toBe(new URL('/thanks', location.href).href);
  tag.setAttribute('data-success-url', 'https://evil.example/thanks');
  expect(() => readSuccessUrl(tag)).toThrow('a page of this site');
});
