import { afterEach, describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../api/clock/manual-clock.ts';
import { createAddressQuestions, type FullSuggestion, queryOf } from './address-questions.ts';

afterEach(() => vi.restoreAllMocks());

const ADDRESS = { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', postal_code: '97205' };
const ENTRY = { label: '12 Orchard Lane, Portland', address: { ...ADDRESS, country: 'US' } };

const setUp = () => {
  const clock = createManualClock();
  const asked: unknown[] = [];
  const warnings: string[] = [];
  let shown: readonly FullSuggestion[] = [];
  let isByPage = false;
  let hear = (_: unknown) => {};
  const questions = createAddressQuestions({
    page: {
      reply: (message) => asked.push(message),
      hear: (_, receive) => {
        hear = receive;
      },
      warn: (about, hint) => warnings.push(`${about}: ${hint}`),
    },
    clock,
    guard: { hasFocusByPage: () => isByPage },
    country: () => 'US',
    isOffered: (country) => ['US', 'DE'].includes(country),
    suggest: (suggestions) => {
      shown = suggestions;
    },
  });
  return {
    asked,
    warnings,
    shown: () => shown.map(({ label }) => label),
    first: () => shown[0],
    pass: (ms: number) => clock.advance(ms),
    movedByPage: (is: boolean) => {
      isByPage = is;
    },
    answer: (answer: unknown) => hear(answer),
    end: questions.end,
    type: (text: string) => void questions.typed(text),
    /** Types this text, as the buyer, and pauses. */
    async ask(text: string) {
      void questions.typed(text);
      await clock.advance(200);
    },
  };
};

const question = (search: number, query: string) => ({ type: 'search', search, query, country: 'US' });
const dropped = (search: number) => ({ type: 'search', search });

describe('promises 1.8: the page receives what the buyer types in this one field', () => {
  it.each([
    ['12 Orchard Lane', '12 Orchard Lane'],
    ['  12 Orchard ', '12 Orchard'],
    ['東京都', '東京都'],
    ['12', null],
    ['   1  ', null],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), null],
  ])('%o is asked about as %o', (text, query) => expect(queryOf(text)).toBe(query));

  it.each([
    '4242424',
    '4242 424',
    '42-42-424',
    '4 2 4 2 4 2 4',
    '12 Orchard Lane, 97205',
    '٤٢٤٢٤٢٤',
    '４２４２４２４',
    '४२४२४२४',
    'x4242424x',
    '⑫⑫⑫⑫',
    '4242424242424242',
  ])('never a text with seven or more digits: %s', (text) => expect(queryOf(text)).toBeNull());

  it.each(['123', '12/34', '4242 42', '97205'])('nor one without a letter: %s', (text) =>
    expect(queryOf(text)).toBeNull(),
  );

  it('six digits, as a house and most of a postal code have, may be asked about', () =>
    expect(queryOf('1 Mill Lane 97205')).toBe('1 Mill Lane 97205'));

  it('nothing while the page moved the focus here, and nothing if it did so during the pause', async () => {
    const { ask, asked, type, pass, movedByPage } = setUp();
    movedByPage(true);
    await ask('12 Orchard');
    expect(asked).toEqual([]);
    movedByPage(false);
    type('12 Orchard L');
    movedByPage(true);
    await pass(10_000);
    expect(asked).toEqual([]);
    movedByPage(false);
    await ask('12 Orchard Lane');
    expect(asked).toEqual([question(1, '12 Orchard Lane')]);
  });
});

describe('threat-model 1.3: questions and answers stay within the limits of the channel', () => {
  it('is asked once the buyer pauses, not at each key', async () => {
    const { type, pass, asked } = setUp();
    for (const text of ['12 ', '12 O', '12 Or', '12 Orc']) {
      type(text);
      await pass(199);
    }
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked).toEqual([question(1, '12 Orc')]);
  });

  it('a quick buyer whose page answers at once causes fewer than 20 messages a second', async () => {
    const { ask, asked, answer } = setUp();
    for (let at = 0; at < 5; at += 1) {
      await ask(`12 Orchard ${'x'.repeat(at)}`);
      if (at % 2) answer({ type: 'search', search: at + 1, suggestions: [ENTRY] });
    }
    expect(asked.length).toBeLessThan(10);
  });

  it('an answer counts once, by its number: a late one to an earlier question is dropped', async () => {
    const { ask, answer, shown } = setUp();
    await ask('12 Orc');
    await ask('12 Orchard');
    answer({ type: 'search', search: 1, suggestions: [{ ...ENTRY, label: 'old' }] });
    expect(shown()).toEqual([]);
    answer({ type: 'search', search: 2, suggestions: [ENTRY] });
    expect(shown()).toEqual([ENTRY.label]);
    answer({ type: 'search', search: 2, suggestions: [{ ...ENTRY, label: 'again' }] });
    answer({ type: 'search', search: 3, suggestions: [{ ...ENTRY, label: 'unasked' }] });
    expect(shown()).toEqual([ENTRY.label]);
  });

  it('cancels a question when the text changes or the field is left, and shows no answer to it', async () => {
    const { ask, asked, answer, end, type, shown } = setUp();
    await ask('12 Orc');
    type('12 Orch');
    expect(asked.at(-1)).toEqual(dropped(1));
    await ask('12 Orcha');
    end();
    expect(asked.at(-1)).toEqual(dropped(2));
    answer({ type: 'search', search: 2, suggestions: [ENTRY] });
    expect(shown()).toEqual([]);
    end();
    expect(asked).toHaveLength(4);
  });

  it('suggestions stay until new ones arrive, and disappear for a text that is not asked about', async () => {
    const { ask, answer, type, shown } = setUp();
    await ask('12 Orc');
    answer({ type: 'search', search: 1, suggestions: [ENTRY] });
    type('12 Orch');
    expect(shown()).toEqual([ENTRY.label]);
    type('12');
    expect(shown()).toEqual([]);
  });

  it('an answer after 5 seconds is ignored, and the developer gets a warning', async () => {
    const { ask, pass, answer, asked, warnings, shown } = setUp();
    await ask('12 Orc');
    await pass(4999);
    expect(warnings).toEqual([]);
    await pass(1);
    expect(asked.at(-1)).toEqual(dropped(1));
    answer({ type: 'search', search: 1, suggestions: [ENTRY] });
    expect(shown()).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('addressLookup: Has not answered within 5 seconds')]);
  });
});

describe('threat-model C83: a malformed answer leaves the field as it is, and causes one warning', () => {
  it.each<[string, object]>([
    ['no list', { mistake: 'It gave string.' }],
    ['an exception', { mistake: 'It threw an error, which the console shows.' }],
    ['null', { suggestions: [null] }],
    ['no address', { suggestions: [{ label: 'x' }] }],
    ['a number for a text', { suggestions: [{ ...ENTRY, address: { ...ADDRESS, city: 7 } }] }],
    ['a text that is too long', { suggestions: [{ ...ENTRY, label: 'x'.repeat(201) }] }],
    [
      'a postal code that is too long',
      { suggestions: [{ ...ENTRY, address: { ...ADDRESS, postal_code: '9'.repeat(21) } }] },
    ],
    ['a label without a letter', { suggestions: [{ ...ENTRY, label: '\u200b\u3164 ' }] }],
    ['a first line without a letter', { suggestions: [{ ...ENTRY, address: { ...ADDRESS, line1: ' ' } }] }],
    ['a country that is no code', { suggestions: [{ ...ENTRY, address: { ...ADDRESS, country: 'USA' } }] }],
    [
      'a country that the form does not offer',
      { suggestions: [{ ...ENTRY, address: { ...ADDRESS, country: 'FR' } }] },
    ],
  ])('%s', async (_, fields) => {
    const { ask, answer, shown, warnings } = setUp();
    for (const search of [1, 2]) {
      await ask(`12 Orchard ${search}`);
      answer({ type: 'search', search, ...fields });
    }
    expect(shown()).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('Expected a list of { label, address: { line1')]);
  });

  it('without a number, a file of the script is missing', async () => {
    const { ask, answer, warnings } = setUp();
    await ask('12 Orchard');
    answer({ type: 'search' });
    expect(warnings).toEqual([expect.stringContaining('script-src')]);
  });

  it('more entries than are shown are no answer, since the loader never posts them', async () => {
    const { ask, answer, shown } = setUp();
    await ask('12 Orchard');
    answer({ type: 'search', search: 1, suggestions: Array.from({ length: 9 }, () => ENTRY) });
    expect(shown()).toEqual([]);
  });

  it('the others of the same answer are shown, with every part, in the country that is chosen if they name none', async () => {
    const { ask, answer, first, shown } = setUp();
    await ask('12 Orchard');
    const elsewhere = { label: 'Berlin', address: { line1: 'Weg 1', country: 'de' } };
    answer({
      type: 'search',
      search: 1,
      suggestions: [null, { label: 'Here', address: ADDRESS }, elsewhere],
    });
    expect(shown()).toEqual(['Here', 'Berlin']);
    expect(first()?.address).toEqual({ ...ADDRESS, line2: '', country: 'US' });
  });
});
