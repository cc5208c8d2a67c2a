import { describe, expect, it } from 'vitest';
import { withAppSchemes } from './app-schemes.ts';
import { headerRules, headersAt, ORIGIN, withoutHttps } from './headers.ts';

const release = '0.1.0-abc';
const rules = headerRules({ origin: ORIGIN, release, inline: { scripts: [], styles: [] } });
const FRAME = `/partner/v1/card-form/${release}/frame.html`;
const policyOf = (some: typeof rules) => headersAt(FRAME, some)?.['content-security-policy'];

describe('apps whose own pages may embed the form', () => {
  it('are none unless the owner names them: every rule stays the same to the byte', () => {
    expect(JSON.stringify(withAppSchemes(rules, []))).toBe(JSON.stringify(rules));
  });

  it('are in frame-ancestors of the documents, and nowhere else', () => {
    const allowed = withAppSchemes(rules, ['capacitor', 'tauri']);
    expect(policyOf(allowed)).toBe(
      policyOf(rules)?.replace('frame-ancestors https:;', 'frame-ancestors https: capacitor: tauri:;'),
    );
    const isDocument = ({ address }: (typeof rules)[number]) => address.includes('/frame');
    expect(allowed.filter((one) => !isDocument(one))).toEqual(rules.filter((one) => !isDocument(one)));
  });

  it('are listed with the pages of the developer’s own machine over plain http', () => {
    const headers = headersAt(FRAME, withAppSchemes(rules, ['ionic'])) ?? {};
    expect(withoutHttps(headers)['content-security-policy']).toContain(
      'frame-ancestors https: http://localhost:* http://127.0.0.1:* ionic:;',
    );
  });
});
