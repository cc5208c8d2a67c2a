import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { RULES } from './rules.fixture.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Every text of the tests that may be a title or a part of one: of a test, a group, or a row of a table. */
const texts = ['src', 'e2e'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && !name.endsWith('rules.test.ts'))
    .flatMap((name) => {
      const found: string[] = [];
      const take = (value: unknown) => {
        if (typeof value === 'string' && value.includes('service-api')) found.push(value);
      };
      new Visitor({
        Literal: ({ value }) => take(value),
        TemplateElement: ({ value }) => take(value.cooked),
      }).visit(parseSync(name, readFileSync(`${root}/${folder}/${name}`, 'utf8')).program);
      return found;
    }),
);

/** `service-api, Create rule 5` and `service-api "Create" 5` are the same quotation. */
const normal = (title: string): string =>
  title
    .replace(/["“”]/g, '')
    .replace(/\brules? (?=\d)/g, '')
    .replace(/service-api,? /g, 'service-api, ');

const quotes = (title: string, id: string): boolean => {
  const at = normal(title).indexOf(`service-api, ${normal(id)}`);
  if (at < 0) return false;
  // `Authentication 1` is not quoted by `Authentication 12`, nor `Limits: Page` by `Limits: Page size`.
  return !/^[\w]/.test(normal(title).slice(at + `service-api, ${normal(id)}`.length));
};

const unquoted = (titles: readonly string[]): string[] =>
  Object.keys(RULES).filter((id) => !titles.some((title) => quotes(title, id)));

describe('the rules of the description', () => {
  it('each has a test whose title quotes it', () => {
    expect(unquoted(texts)).toEqual([]);
  });

  it('one that lost its test is found', () => {
    for (const id of Object.keys(RULES)) {
      const others = texts.filter((title) => !quotes(title, id));
      expect(unquoted(others)).toContain(id);
    }
    expect(unquoted(['service-api, Authentication 12'])).toContain('Authentication 1');
  });
});
