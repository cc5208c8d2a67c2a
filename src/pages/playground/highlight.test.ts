import { expect, it } from 'vitest';
import { EVERYTHING } from './choices.fixture.ts';
import { TARGETS } from './choices.ts';
import { codeFor } from './code.ts';
import { highlight } from './highlight.ts';

const SERVICE = { origin: 'https://pay.example', publishableKey: `pk_live_${'0'.repeat(32)}` };

it.each(TARGETS)('the coloured parts together are the code: %s', (target) => {
  const { text } = codeFor(target, EVERYTHING, SERVICE);
  const parts = highlight(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.every((part) => part.text !== '')).toBe(true);
});

it('tells comments, strings, tags and words apart', () => {
  expect(highlight(`<b a="x">const c = 'https://d'; // e\n</b>`)).toEqual([
    { kind: 'tag', text: '<b' },
    { kind: 'plain', text: ' a=' },
    { kind: 'string', text: '"x"' },
    { kind: 'tag', text: '>' },
    { kind: 'word', text: 'const' },
    { kind: 'plain', text: ' c = ' },
    { kind: 'string', text: "'https://d'" },
    { kind: 'plain', text: '; ' },
    { kind: 'comment', text: '// e' },
    { kind: 'plain', text: '\n' },
    { kind: 'tag', text: '</b' },
    { kind: 'tag', text: '>' },
  ]);
  expect(highlight('() => 1')).toEqual([{ kind: 'plain', text: '() => 1' }]);
});
