import { describe, expect, it } from 'vitest';
import { resolveAppearance } from './resolve.ts';
import { writeRules } from './rule-styles.ts';

const PAGE = { scheme: 'light', panel: false } as const;

/** The loader's reading of a field and a button with a faint border, like Bootstrap's. */
const FROM = [
  ['rules.field.borderColor', '#dee2e6ff'],
  ['rules.field.borderWidth', '1px 1px 1px 1px'],
  ['rules.field.height', '38px'],
  ['rules.field:focus.borderColor', '#86b7feff'],
  ['rules.field:focus.boxShadow', '0px 0px 0px 4px #0d6efd40'],
  ['rules.button.backgroundColor', '#0d6efdff'],
  ['variables.colorPrimary', '#0d6efdff'],
  ['variables.borderRadius', '6px'],
] as const;

const look = (appearance: object) => {
  const resolved = resolveAppearance(appearance, PAGE, 'rgb(0, 0, 0);rgb(255, 255, 255)');
  const written = resolved.ruled ? writeRules(resolved.ruled) : { css: '', problems: [] };
  return {
    ...resolved,
    css: written.css,
    said: [...resolved.problems, ...written.problems].map(({ option, message }) => `${option}: ${message}`),
  };
};

describe('promises 2.14, threat-model C86: appearance.from', () => {
  it('is written as variables and rules are', () => {
    const { properties, css } = look({ from: FROM });
    expect(properties.get('--radius')).toBe('6px');
    expect(css).toContain('--field-height:38px');
  });

  it('may have a border fainter than 3:1, and says so', () => {
    const { css, said } = look({ from: FROM });
    expect(css).toContain('--field-line:#dee2e6');
    expect(said).toContainEqual(
      expect.stringMatching(/^appearance\.from\.field\.borderColor: #dee2e6 has a contrast of 1\.3:1.*kept/),
    );
    // A given value may not be as faint.
    expect(look({ rules: { field: { borderColor: '#dee2e6' } } }).css).not.toContain('--field-line:#dee2e6');
  });

  it('given variables win, and so do given rules, in all states', () => {
    const { css, properties } = look({
      from: FROM,
      variables: { borderRadius: '0px' },
      rules: { field: { borderColor: '#333333' } },
    });
    expect(properties.get('--radius')).toBe('0px');
    expect(css).toContain('--field-line:#333333');
    expect(css).not.toContain('#86b7fe');
    const coloured = look({ from: FROM, variables: { colorPrimary: '#7c2d12' } });
    expect(coloured.properties.get('--button')).toBe('#7c2d12');
    expect(coloured.css).not.toContain('#0d6efd');
  });

  it('a variable given for dark wins in dark only', () => {
    const appearance = { from: FROM, darkVariables: { colorBorder: '#a1a1aa', borderRadius: '0px' } };
    const { css, properties } = look(appearance);
    expect(css).toContain('--field-line:#dee2e6');
    expect(properties.get('--radius')).toBe('6px');
    const dark = look({ ...appearance, theme: 'dark' });
    expect(dark.css).not.toContain('--field-line:#dee2e6');
    expect(dark.properties.get('--radius')).toBe('0px');
  });

  it('a shadow within a field is seen against the inside of the field, not the page', () => {
    const outlineOf = (shadow: string) =>
      /:focus-visible:not\(\[readonly\], :disabled\)\)\{outline:([^;]*)/.exec(
        look({
          from: [
            ['rules.field.backgroundColor', '#1e3a8aff'],
            ['rules.field.borderColor', '#1e3a8aff'],
            ['rules.field:focus.borderColor', '#1e3a8aff'],
            ['rules.field:focus.boxShadow', `inset 0px 0px 0px 2px ${shadow}`],
          ],
        }).css,
      )?.[1];
    expect(outlineOf('#1e3a8aff')).toBeUndefined(); // nothing changes
    expect(outlineOf('#ffffffff')).toBe('2px solid transparent'); // plain to see
  });

  it('the focus looks as on the page where it can be noticed, and has the outline of the form elsewhere', () => {
    const outlineOf = (from: unknown) =>
      /:focus-visible:not\(\[readonly\], :disabled\)\)\{outline:([^;]*)/.exec(look({ from }).css)?.[1];
    expect(outlineOf(FROM)).toBe('2px solid transparent');
    const unseen = FROM.map(([path, value]) =>
      path === 'rules.field:focus.borderColor'
        ? [path, '#dee2e6ff']
        : path === 'rules.field:focus.boxShadow'
          ? [path, 'none']
          : [path, value],
    );
    expect(outlineOf(unseen)).toBeUndefined();
    expect(look({ from: unseen }).css).toMatch(/\.control:focus-visible\)\{outline:2px solid #/);
  });

  it('a field with an error or without a use keeps the outline of the form', () => {
    expect(look({ from: FROM }).css).toContain('.field:not([data-state="problem"])');
  });

  it.each([
    ['missing #emial', 'appearance.from.field: matches no element of the page; got "#emial".'],
    ['selector ..', 'appearance.from.field: must be a valid selector; got "..".'],
    ['type', 'appearance.from.field: must be a selector or an element.'],
    ['bare', 'appearance.from.field: draws no background and no border.'],
    ['hidden', 'appearance.from.field: is not displayed'],
  ])('says of %s what there is to do', (code, message) => {
    const { said } = look({ from: [['problem.field', code]] });
    expect(said).toContainEqual(expect.stringContaining(message));
  });

  it('nothing else becomes a message or a style', () => {
    const { said, css } = look({
      from: [
        ['problem.field', 'pay attackers'],
        ['problem.<b>', 'type'],
        ['rules.field.color', 'url(x)'],
        5,
        ['a'],
      ],
    });
    expect(said.join()).not.toMatch(/attackers|<b>/);
    expect(css).not.toContain('url');
  });

  it('that was not read yet counts as nothing', () => {
    for (const from of [true, {}, null, 'x']) expect(look({ from }).css).toBe('');
  });
});
