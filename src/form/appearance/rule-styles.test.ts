import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { parseColour } from './colour.ts';
import { contrast } from './contrast.ts';
import { resolveAppearance } from './resolve.ts';
import { writeRules } from './rule-styles.ts';
import { PROPERTIES, propertiesOf, RULE_NAMES } from './rules.ts';

const write = (appearance: object, page: 'light' | 'dark' = 'light') => {
  const description =
    page === 'dark' ? 'rgb(255, 255, 255);rgb(18, 18, 18)' : 'rgb(0, 0, 0);rgb(255, 255, 255)';
  const { ruled } = resolveAppearance(appearance, { scheme: page, panel: false }, description);
  const { css, problems } = ruled ? writeRules(ruled) : { css: '', problems: [] };
  const blocks = [...css.matchAll(/:where\(([^{]+)\)\{([^{}]+)\}/g)].map(([, selector = '', text = '']) => ({
    selector,
    declared: new Map(
      text
        .split(';')
        .map((one): [string, string] => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)]),
    ),
  }));
  const wornBy = (selector: string, property: string) =>
    blocks.findLast((one) => one.selector === selector && one.declared.has(property))?.declared.get(property);
  return { css, problems, blocks, wornBy };
};

const colour = (text: string | undefined) => {
  const parsed = parseColour(text ?? '');
  if (!parsed) throw new Error(`${text} is no colour.`);
  return parsed;
};

const FIELD = [
  '.field',
  '.field:has(.control:hover)',
  '.field:has(.control:focus-visible)',
  '.field[data-state="problem"]',
];
const CONTROL = '.control:not([data-quiet]:not(:focus-within) :placeholder-shown)';
const PAY = '.pay:not([data-kind="idle"], [data-kind="loading"])';

const anyColour = fc
  .tuple(fc.nat(0xffffff), fc.constantFrom('', 'cc', '33'))
  .map(([number, alpha]) => `#${number.toString(16).padStart(6, '0')}${alpha}`);
const anyRules = fc.dictionary(
  fc.constantFrom(...RULE_NAMES),
  fc.dictionary(
    fc.constantFrom('color', 'backgroundColor', 'placeholderColor', 'borderColor', 'outlineColor'),
    anyColour,
  ),
);

describe('threat-model C37: whatever the colours of rules are', () => {
  it('every state has text, example and background that can be read together, and a line that is seen', () => {
    let pairs = 0;
    fc.assert(
      fc.property(
        anyRules,
        fc.constantFrom('light' as const, 'dark' as const),
        anyColour,
        (rules, page, text) => {
          const { blocks } = write({ rules, variables: { colorText: text } }, page);
          const behind = colour(page === 'dark' ? '#121212' : '#ffffff');
          for (const { declared } of blocks) {
            for (const [ground, ink] of [
              ['--field', '--field-ink'],
              ['--field', '--field-soft'],
              ['background', 'color'],
            ] as const) {
              const [under, over] = [declared.get(ground), declared.get(ink)];
              if (under?.startsWith('#') !== true) continue;
              pairs += 1;
              expect(contrast(colour(under), colour(over))).toBeGreaterThanOrEqual(4.5);
            }
            const line = declared.get('--field-line');
            if (line) expect(contrast(colour(line), behind)).toBeGreaterThanOrEqual(3);
          }
        },
      ),
      { numRuns: runs(2000) },
    );
    expect(pairs).toBeGreaterThan(runs(2000));
  });

  it("texts without their own background are legible on the form's background", () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const { wornBy } = write({ rules });
        for (const [selector, ground] of [
          ['.total', '#f3f4f4'],
          ['.field-hint, .secure', '#ffffff'],
          ['.field .field-head label', '#ffffff'],
          ['.details, .details summary', '#f3f4f4'],
        ] as const) {
          const text = wornBy(selector, 'color');
          if (text) expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.45);
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it('the focus has an outline outside of the border, at least 2 px wide and 3:1 beside the page and any shadow', () => {
    const shadow = fc
      .tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 4 }), anyColour)
      .map(([y, blur, of]) => `0 ${y}px ${blur}px ${of}`);
    fc.assert(
      fc.property(anyRules, shadow, (rules, boxShadow) => {
        const { wornBy, blocks } = write({
          rules: { ...rules, field: { ...rules.field, boxShadow }, button: { ...rules.button, boxShadow } },
        });
        for (const selector of ['.control:focus-visible', '.pay:focus-visible']) {
          const [, width = '', of] = /^(\d)px solid (#\w{6})$/.exec(wornBy(selector, 'outline') ?? '') ?? [];
          expect(Number(width)).toBeGreaterThanOrEqual(2);
          expect(wornBy(selector, 'outline-offset')).toMatch(/^\dpx$/);
          expect(contrast(colour(of), colour('#fff'))).toBeGreaterThanOrEqual(3);
        }
        const drawn = blocks.flatMap(
          ({ declared }) => declared.get('--field-shadow') ?? declared.get('box-shadow') ?? [],
        );
        for (const one of drawn) {
          const [, blur = '', of = ''] = /(\d+)px \d+px (#\w{8})$/.exec(one) ?? [];
          if (blur !== '0' || !of) continue;
          const { red, green, blue, alpha } = colour(of);
          const [r, g, b] = [red, green, blue].map((channel) => 255 + (channel - 255) * alpha);
          expect(contrast({ red: r ?? 0, green: g ?? 0, blue: b ?? 0 }, colour('#fff'))).toBeLessThanOrEqual(
            2.02,
          );
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('writeRules', () => {
  it('writes nothing for rules that say nothing, and no state of a part without rules', () => {
    expect(write({ rules: { field: {}, nothing: { color: 'red' } } }).css).toBe('');
    const { css } = write({ rules: { total: { fontWeight: 800 } } });
    expect(css).toBe('@media screen{#form :where(.total){font-weight:800}}');
  });

  it('rest, hover, complete, focus, invalid, disabled: the later state counts', () => {
    const { css } = write({ rules: { 'field:complete': { borderColor: '#080' } } });
    const order = [...FIELD.slice(0, 2), '.field[data-state="complete"]', ...FIELD.slice(2), ':disabled'];
    const places = order.map((selector) => css.indexOf(`${selector}${selector === ':disabled' ? '' : ')'}`));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  it('a state inherits the rules of the part at rest unless it sets its own', () => {
    const { wornBy } = write({
      rules: {
        field: { backgroundColor: '#eee', color: '#111' },
        'field:hover': { backgroundColor: '#ddd' },
      },
    });
    expect(FIELD.map((selector) => [wornBy(selector, '--field'), wornBy(selector, '--field-ink')])).toEqual([
      ['#eeeeee', '#111111'],
      ['#dddddd', '#111111'],
      ['#eeeeee', '#111111'],
      ['#eeeeee', '#111111'],
    ]);
  });

  it('darkRules override rules only in dark, property by property', () => {
    const appearance = {
      rules: { button: { backgroundColor: '#000', fontWeight: 700 } },
      darkRules: { button: { backgroundColor: '#fff' } },
    };
    const [light, dark] = [write(appearance), write(appearance, 'dark')];
    expect([light.wornBy(PAY, 'background'), light.wornBy(PAY, 'color')]).toEqual(['#000000', '#ffffff']);
    expect([dark.wornBy(PAY, 'background'), dark.wornBy(PAY, 'color')]).toEqual(['#ffffff', '#0b1730']);
    expect([light.wornBy('.pay', 'font-weight'), dark.wornBy('.pay', 'font-weight')]).toEqual(['700', '700']);
  });

  it.each<[object, string, string]>([
    [
      { rules: { 'field:hover': { color: '#eee' } } },
      'rules.field:hover.color',
      '#eeeeee on #ffffff has a contrast of 1.16:1',
    ],
    [{ rules: { total: { color: '#eee' } } }, 'rules.total.color', 'at least 4.5:1 is needed'],
    [
      { rules: { 'field:focus': { outlineColor: '#fff' } } },
      'rules.field:focus.outlineColor',
      'at least 3:1 is needed',
    ],
    [{ rules: { field: { boxShadow: '0 0 0 4px #000' } } }, 'rules.field.boxShadow', 'is drawn at'],
    [
      { labels: 'floating', rules: { label: { color: 'red' } } },
      'rules.label.color',
      'is placeholderColor of the field',
    ],
    [
      { fields: 'grouped', rules: { field: { borderWidth: '2px' } } },
      'rules.field.borderWidth',
      'has no room between grouped fields',
    ],
    [
      { labels: 'hidden', card: 'row', rules: { field: { letterSpacing: '.1em' } } },
      'rules.field.letterSpacing',
      'has no room where the card is a row',
    ],
  ])('reports for %j what it changed', (appearance, option, message) => {
    expect(write(appearance).problems).toEqual([
      { option: `appearance.${option}`, message: expect.stringContaining(message) },
    ]);
  });

  it('names the object that a colour came from', () => {
    const { problems } = write(
      { rules: { total: { color: '#000' } }, darkRules: { total: { color: '#111' } } },
      'dark',
    );
    expect(problems.map(({ option }) => option)).toEqual(['appearance.darkRules.total.color']);
  });

  it('anything that extends beyond a field has room on every side', () => {
    const { css, wornBy } = write({
      rules: { 'field:focus': { outlineWidth: '4px', outlineOffset: '4px' } },
    });
    expect(css).toContain('padding-block:max(var(--padding), 8px)');
    expect(wornBy('.field-head', 'margin-bottom')).toBe('8px');
    expect(write({ rules: { 'field:focus': { outlineWidth: '3px' } } }).css).not.toContain('padding-block');
  });

  it('a label is never closer to its field than the focus of the field reaches, whatever its gap', () => {
    const gapOf = (rules: object) => write({ rules }).wornBy('.field-head', 'margin-bottom');
    const label = { gap: '0' };
    expect(gapOf({ label })).toBe('3px'); // the form's own ring
    expect(gapOf({ label, field: { color: '#111' } })).toBe('2px');
    expect(gapOf({ label, 'field:focus': { outlineWidth: '3px' } })).toBe('3px');
    expect(gapOf({ label: { gap: '5px' }, field: { color: '#111' } })).toBe('5px');
    expect(gapOf({ label, button: { boxShadow: '0 0 8px #000' } })).toBe('3px'); // beside no label
  });

  it('text of a field is clear of what is drawn inside the field in any state', () => {
    const paddingOf = (rules: object) => write({ rules }).wornBy(CONTROL, 'padding-inline');
    const field = { padding: '1px' };
    expect(paddingOf({ field })).toBe('1px');
    expect(paddingOf({ field, 'field:focus': { boxShadow: 'inset 0 0 0 3px #000' } })).toBe('3px');
    expect(paddingOf({ field, 'field:invalid': { boxShadow: 'inset 2px 0 0 #000' } })).toBe('2px');
    expect(paddingOf({ field: { ...field, boxShadow: '0 1px 2px #0003' } })).toBe('1px');
  });

  it('colours change without a transition if a text would be illegible in between', () => {
    const rules = { button: { backgroundColor: '#000', color: '#fff', transitionDuration: '200ms' } };
    const calm = write({ rules: { ...rules, 'button:hover': { backgroundColor: '#222' } } });
    expect(calm.wornBy('.pay', 'transition')).toMatch(/^background-color 200ms,color 200ms/);
    const turned = write({ rules: { ...rules, 'button:hover': { backgroundColor: '#fff', color: '#000' } } });
    expect(turned.wornBy('.pay', 'transition')).toBe('border-color 200ms,box-shadow 200ms');
    expect(calm.css).toContain('@media (prefers-reduced-motion:no-preference){#form :where(.pay){transition');
  });

  it('a bar for fingers is at least 44 px high, and one with a label in it at least 50', () => {
    const { css } = write({
      labels: 'floating',
      rules: { field: { height: '36px' }, button: { height: '36px' } },
    });
    expect(css).toContain(':root:root:root{--field-height:50px}');
    expect(css).toMatch(/pointer:coarse\)\{#form :where\(\.pay\)\{min-height:44px/);
  });

  it('no amount is spaced or changed in its letters', () => {
    const { wornBy } = write({ rules: { button: { letterSpacing: '.2em' } } });
    expect(wornBy('.pay [data-amount]', 'letter-spacing')).toBe('0');
    for (const name of ['total', 'details', 'notice'])
      expect(propertiesOf(name)).not.toEqual(expect.arrayContaining(['letterSpacing']));
    expect(Object.keys(PROPERTIES)).not.toEqual(expect.arrayContaining(['opacity']));
  });
});
