// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { searchAddresses } from './search-addresses.ts';
import type { CardFormAddressQuestion, CardFormOptions } from './types.ts';

const report = vi.fn();
beforeEach(() => vi.stubGlobal('reportError', report.mockReset()));
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const ENTRY = { label: 'Here', address: { line1: '12 Orchard Lane', country: 'US' } };

/** A form whose page answers with anything: most shops have no compiler. */
const setUp = (find: (question: CardFormAddressQuestion) => unknown) => {
  const iframe = document.body.appendChild(document.createElement('div'));
  const page: Pick<CardFormOptions, 'addressLookup'> = {};
  Reflect.set(page, 'addressLookup', find);
  let search = 0;
  return {
    iframe,
    ask: (query?: string) => {
      search += query === undefined ? 0 : 1;
      return searchAddresses(iframe, page, { search, query, country: 'US' });
    },
  };
};

const observed = () => new Promise((resolve) => setTimeout(resolve));

describe('promises 1.8: the page is asked with the typed text', () => {
  it('and its list is posted under the number of the question, with the parts that a suggestion has', async () => {
    const find = vi.fn(async () => [
      { ...ENTRY, id: 7, address: { ...ENTRY.address, geo: [1, 2], city: null } },
    ]);
    const { ask } = setUp(find);
    expect(await ask('12 Orchard')).toEqual({
      search: 1,
      suggestions: [{ label: 'Here', address: { line1: '12 Orchard Lane', country: 'US' } }],
    });
    expect(find.mock.calls).toEqual([
      [{ query: '12 Orchard', country: 'US', signal: expect.any(AbortSignal) }],
    ]);
  });

  it('a list need not be promised', async () => {
    expect(await setUp(() => []).ask('12 Orchard')).toEqual({ search: 1, suggestions: [] });
  });
});

describe('promises 1.8: `signal` is aborted', () => {
  const waiting = () => {
    const signals: AbortSignal[] = [];
    const form = setUp(({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    return { ...form, isAborted: (at = 0) => signals[at]?.aborted };
  };

  it('when the buyer types on, and the earlier question ends without an answer', async () => {
    const { ask, isAborted } = waiting();
    const first = ask('12 Orc');
    expect(isAborted()).toBe(false);
    void ask('12 Orch');
    expect([isAborted(0), isAborted(1)]).toEqual([true, false]);
    expect(await first).toEqual({ search: 1 });
  });

  it('when the field is left', async () => {
    const { ask, isAborted } = waiting();
    const first = ask('12 Orc');
    expect(await ask()).toEqual({ search: 1 });
    expect(isAborted()).toBe(true);
    expect(await first).toEqual({ search: 1 });
  });

  it('when the form is removed, even with its ancestors, and not when it is moved', async () => {
    const { ask, isAborted, iframe } = waiting();
    const shadow = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    shadow.append(iframe);
    const asked = ask('12 Orc');
    shadow.append(iframe);
    await observed();
    expect(isAborted()).toBe(false);
    document.body.replaceChildren();
    await observed();
    expect(isAborted()).toBe(true);
    expect(await asked).toEqual({ search: 1 });
  });

  it('not once the page has answered', async () => {
    let given: AbortSignal | undefined;
    const { ask, iframe } = setUp(({ signal }) => {
      given = signal;
      return [ENTRY];
    });
    await ask('12 Orc');
    iframe.remove();
    await observed();
    await ask();
    expect(given?.aborted).toBe(false);
  });

  it('an exception that the page throws because of it is no error', async () => {
    const { ask } = setUp(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    const first = ask('12 Orc');
    await ask();
    expect(await first).toEqual({ search: 1 });
    expect(report).not.toHaveBeenCalled();
  });
});

describe('threat-model 1.3: the posted message is small, whatever the page returns', () => {
  const fail = () => {
    throw new Error('no');
  };
  it.each<[string, () => unknown]>([
    ['a getter that throws', () => [Object.defineProperty({}, 'label', { get: fail })]],
    ['an exception', fail],
    ['a rejection', async () => fail()],
  ])('%s is an error of the page, and a mistake', async (_, find) => {
    const { ask } = setUp(find);
    expect(await ask('12 Orchard')).toEqual({
      search: 1,
      mistake: 'It threw an error, which the console shows.',
    });
    expect(report).toHaveBeenCalledOnce();
  });

  it.each([
    ['object', { features: [] }],
    ['undefined', undefined],
    ['null', null],
    ['string', 'Here'],
  ])('%s is no list', async (name, given) => {
    expect(await setUp(() => given).ask('12 Orchard')).toEqual({ search: 1, mistake: `It gave ${name}.` });
  });

  it('10,000 entries: the first eight, and no other is read', async () => {
    const entries = Array.from({ length: 10_000 }, () => ENTRY);
    Object.defineProperty(entries, 8, {
      get: () => {
        throw new Error('read');
      },
    });
    const { suggestions } = await setUp(() => entries).ask('12 Orchard');
    expect(suggestions).toHaveLength(8);
  });

  it('anything but a text of at most 200 characters becomes null, and missing values stay missing', async () => {
    const given = [
      null,
      7,
      {
        label: 'x'.repeat(201),
        address: { line1: 'x'.repeat(10_000_000), line2: {}, city: ['a'], state: 7 },
      },
      { label: new String('x'), address: 'Here' },
    ];
    expect(await setUp(() => given).ask('12 Orchard')).toEqual({
      search: 1,
      suggestions: [
        { address: {} },
        { address: {} },
        { label: null, address: { line1: null, line2: null, city: null, state: null } },
        { label: null, address: {} },
      ],
    });
  });

  it('each part is read once', async () => {
    let reads = 0;
    const given = [
      {
        get label() {
          reads += 1;
          return reads === 1 ? 'Here' : 'x'.repeat(1000);
        },
        address: ENTRY.address,
      },
    ];
    const { suggestions } = await setUp(() => given).ask('12 Orchard');
    expect(suggestions?.[0]?.label).toBe('Here');
  });

  it('the largest answer fits into a message', async () => {
    const { measure } = await import('../channel/bounds.ts');
    const text = 'x'.repeat(200);
    const address = { line1: text, line2: text, city: text, state: text, postal_code: text, country: text };
    const answer = await setUp(() => Array(8).fill({ label: text, address })).ask('12 Orchard');
    expect(measure({ type: 'search', ...answer })).toBe('plain');
  });
});
