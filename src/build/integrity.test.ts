import { describe, expect, it } from 'vitest';
import { inlineHashes, integrityOf } from '../operate/hosting/inline.ts';
import {
  documentWithIntegrity,
  loaderWithIntegrity,
  MISTAKES_INTEGRITY,
  PAGE_INTEGRITY,
  pageWithIntegrity,
} from './integrity.ts';

const pay = Buffer.from('pay()');
const de = Buffer.from('words()');
const scripts = new Map([
  ['/r/form.js', pay],
  ['/r/de.js', de],
]);
const html = '<head>\n<link rel="preconnect" href="/">\n<script>a()</script>\n</head>';

describe("threat-model 2.3: the frame's document", () => {
  it('has the hash of every script in an import map before anything else', () => {
    const [payHash, deHash] = [integrityOf(pay, 'sha256'), integrityOf(de, 'sha256')];
    expect(documentWithIntegrity(html, scripts)).toBe(
      `<head>\n<script type="importmap">{"integrity":{"/r/form.js":"${payHash}","/r/de.js":"${deHash}"}}</script>\n` +
        '<link rel="preconnect" href="/">\n<script>a()</script>\n</head>',
    );
  });

  it('lists the import map among the inline scripts that the policy allows', () => {
    expect(inlineHashes(documentWithIntegrity(html, scripts)).scripts).toHaveLength(2);
  });

  it('fails the build if it loads no script', () => {
    expect(() => documentWithIntegrity('<p>', scripts)).toThrow('loads no script');
  });
});

describe('threat-model 2.3: the loader', () => {
  it('contains the hash of the one script that it loads', () => {
    const loader = loaderWithIntegrity(`load("${PAGE_INTEGRITY}")`, pay);
    expect(loader).toBe(`load("${integrityOf(pay, 'sha256')}")`);
  });

  it('fails the build if that script was not built', () => {
    expect(() => loaderWithIntegrity(PAGE_INTEGRITY, undefined)).toThrow('page.js, which was not built');
    expect(() => pageWithIntegrity(MISTAKES_INTEGRITY, undefined)).toThrow(
      'mistakes.js, which was not built',
    );
  });

  it('has a second file with the hash of the one script that that loads', () => {
    expect(pageWithIntegrity(`load("${MISTAKES_INTEGRITY}")`, pay)).toBe(
      `load("${integrityOf(pay, 'sha256')}")`,
    );
  });
});
