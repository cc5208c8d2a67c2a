// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { createIframe } from '../form/loader/iframe.ts';
import { earlyFrame } from './early-frame.ts';

describe('earlyFrame', () => {
  const parsed = (html: string) => {
    const holder = document.createElement('div');
    holder.innerHTML = html;
    const [iframe, ...rest] = holder.childNodes;
    if (!(iframe instanceof HTMLIFrameElement) || rest.length > 0) throw new Error(`no iframe: ${html}`);
    return iframe;
  };
  const attributes = (element: Element) =>
    Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value]));

  it('is the iframe that the script would create, with data-card-form-frame', () => {
    const made = attributes(createIframe('https://pay.example/partner/v1/card-form/frame'));
    expect(made).not.toHaveProperty('style'); // strict pages forbid this attribute; mount() sets the style itself
    expect(attributes(parsed(earlyFrame('https://pay.example')))).toEqual({
      ...made,
      allow: 'autofill;payment;publickey-credentials-get',
      'data-card-form-frame': '',
      // Until the script sets the style: full width, the form's height, no border and no gap.
      width: '100%',
      height: '924',
      frameborder: '0',
      align: 'top',
    });
  });

  it('has the address of a pinned release', () => {
    const { src } = parsed(earlyFrame('https://pay.example/', { version: '0.1.0-abc' }));
    expect(src).toBe('https://pay.example/partner/v1/card-form/0.1.0-abc/frame.html');
  });

  it.each([
    ['de-AT', '?de-AT'],
    ['zh-Hant', '?zh-Hant'],
    ['en-GB', ''],
    ['auto', ''],
    ['', ''],
    ['"&x', '?%22%26x'],
  ])('contract 2.5: for the locale %j its address has the query %j', (locale, query) => {
    const frame = 'https://pay.example/partner/v1/card-form/';
    expect(parsed(earlyFrame('https://pay.example', { locale })).src).toBe(`${frame}frame${query}`);
    expect(parsed(earlyFrame('https://pay.example', { locale, version: '0.1.0-abc' })).src).toBe(
      `${frame}0.1.0-abc/frame.html${query}`,
    );
  });

  it('escapes its attributes', () => {
    const iframe = parsed(earlyFrame(`https://pay.example/a'b&c`));
    expect(iframe.getAttribute('src')).toBe("https://pay.example/a'b&c/partner/v1/card-form/frame");
    expect(() => earlyFrame('"><script>')).toThrow('baseUrl must be');
    expect(() => earlyFrame('https://pay.example', { version: '"><script>' })).toThrow('version must be');
  });
});
