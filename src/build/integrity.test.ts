import { describe, expect, it } from 'vitest';
import { inlineHashes, integrityOf } from '../api/served/inline.ts';
import { documentWithIntegrity, integrityPlaceholder, withHashes } from './integrity.ts';

const form = Buffer.from('form()');
const more = Buffer.from('more()');
const scripts = new Map([
  ['/r/form.js', form],
  ['/r/more.js', more],
]);
const html = '<head>\n<link rel="preconnect" href="/">\n<script>a()</script>\n</head>';

describe("threat-model 2.3: the frame's document", () => {
  it('has the hash of every script in an import map before anything else', () => {
    const [formHash, moreHash] = [integrityOf(form, 'sha256'), integrityOf(more, 'sha256')];
    expect(documentWithIntegrity(html, scripts)).toBe(
      `<head>\n<script type="importmap">{"integrity":{"/r/form.js":"${formHash}","/r/more.js":"${moreHash}"}}</script>\n` +
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

describe('threat-model 2.3: a file that loads others by hash', () => {
  const text = `load("${integrityPlaceholder('page.js')}", "${integrityPlaceholder('assets/de.json')}")`;

  it('contains the hashes of the files that it loads', () => {
    const contents: Readonly<Record<string, Buffer>> = { 'page.js': form, 'assets/de.json': more };
    expect(withHashes(text, (path) => contents[path])).toBe(
      `load("${integrityOf(form, 'sha256')}", "${integrityOf(more, 'sha256')}")`,
    );
  });

  it('fails the build if one of them was not built', () => {
    expect(() => withHashes(text, (path) => (path === 'page.js' ? form : undefined))).toThrow(
      'assets/de.json, which was not built',
    );
  });
});
