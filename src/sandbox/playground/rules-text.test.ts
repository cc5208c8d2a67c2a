import { describe, expect, it } from 'vitest';
import { RULE_NAMES } from '../../form/appearance/rules.ts';
import { DEFAULTS, optionsOf } from './choices.ts';
import { readLink, writeLink } from './link.ts';
import { ruleExample, ruleOfText, ruleProblem } from './rules-text.ts';

describe('rules as they are typed', () => {
  it('are pairs with a colon, separated by semicolons', () => {
    expect(ruleOfText(' color:#333;; boxShadow : 0 1px 2px #0001 ;')).toEqual({
      color: '#333',
      boxShadow: '0 1px 2px #0001',
    });
  });

  it.each([
    ['field:hover', 'backgroundColor: #eee', null],
    ['field:hover', '', null],
    ['field:hover', 'padding: 12px', 'padding is not for field:hover, which has color,'],
    ['total', 'color red', 'color red is unknown'],
    ['total', 'color: inherit', 'color must be a colour such as'],
  ])('of %s: %j: what the form says about it', (name, text, problem) => {
    expect(ruleProblem(name, text)).toEqual(problem === null ? null : expect.stringContaining(problem));
  });

  it('reach the form, and a link carries those that it takes', () => {
    const choices = { ...DEFAULTS, rules: { total: 'fontWeight: 700', error: 'color: inherit' } };
    expect(optionsOf(choices).appearance).toEqual({
      rules: { total: { fontWeight: '700' }, error: { color: 'inherit' } },
    });
    expect(readLink(writeLink(choices)).choices).toEqual({
      ...DEFAULTS,
      rules: { total: 'fontWeight: 700' },
    });
    expect(readLink('rule.total:hover=color').problems).toHaveLength(1);
  });

  it('have an example for every part and state', () => {
    expect(RULE_NAMES.map(ruleExample).filter((text) => text.startsWith('undefined'))).toEqual([]);
  });
});
