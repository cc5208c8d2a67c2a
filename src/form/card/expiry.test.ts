import { describe, expect, it } from 'vitest';
import { checkExpiry } from './check-expiry.ts';
import { editExpiry, isFullExpiry } from './expiry.ts';
import { readWrittenDate } from './written-date.ts';

/** The text shown after typing at the end of `previous`. */
const formatExpiry = (input: string, previous = ''): string =>
  editExpiry({ previous, raw: input, caret: input.length }, readWrittenDate).value;

const now = { year: 2026, month: 11 };

it.each([
  ['1229', 2029, 12],
  ['12/29', 2029, 12],
  ['122029', 2029, 12],
  ['129', null, null],
  ['529', 2029, 5],
  ['5/2029', 2029, 5],
  ['2029-1', 2029, 1],
  ['2029-12-31', 2029, 12],
  ['١٢/٢٩', 2029, 12],
  ['１２／２９', 2029, 12],
  ['1/56', 2056, 1],
])('reads %j as the year %s, month %s', (input, year, month) => {
  const verdict = checkExpiry(input, now);
  expect(verdict).toEqual(
    year === null ? { state: 'incomplete' } : { state: 'valid', value: { year, month } },
  );
});

it.each([
  ['', { state: 'empty' }],
  [' / ', { state: 'empty' }],
  ['0', { state: 'incomplete' }],
  ['1', { state: 'incomplete' }],
  ['12 / ', { state: 'incomplete' }],
  ['12 / 202', { state: 'incomplete' }],
  ['13', { state: 'invalid', problem: 'month' }],
  ['00', { state: 'invalid', problem: 'month' }],
  ['20291-12', { state: 'invalid', problem: 'month' }],
  ['12029-1', { state: 'invalid', problem: 'past' }],
  ['2029', { state: 'incomplete' }],
  ['12/25', { state: 'invalid', problem: 'past' }],
  ['01/57', { state: 'invalid', problem: 'far_future' }],
  ['12/9999', { state: 'invalid', problem: 'far_future' }],
] as const)('says of %j: %j', (input, verdict) => {
  expect(checkExpiry(input, now)).toEqual(verdict);
});

describe('a wrong clock', () => {
  it.each([
    ['11/26', { year: 2026, month: 11 }, 'valid', 'this month'],
    ['10/26', { year: 2026, month: 11 }, 'valid', 'last month'],
    ['09/26', { year: 2026, month: 11 }, 'invalid', 'two months ago'],
    ['12/26', { year: 2027, month: 1 }, 'valid', 'last month, which was last year'],
    ['11/26', { year: 2027, month: 1 }, 'invalid', 'two months ago, which was last year'],
    ['12/29', { year: 2000, month: 1 }, 'valid', 'when a computer lost its date'],
    ['01/00', { year: 2099, month: 12 }, 'invalid', 'at the turn of a century'],
  ])('%s in %j is %s: %s', (input, month, state) => {
    expect(checkExpiry(input, month).state).toBe(state);
  });
});

/** The text shown after each key typed at the end. */
const typed = (keys: string): string[] => {
  const shown: string[] = [];
  let value = '';
  for (const key of keys) {
    const raw = value + key;
    value = editExpiry({ previous: value, raw, caret: raw.length }).value;
    shown.push(value);
  }
  return shown;
};

it.each([
  ['1229', ['1', '12 / ', '12 / 2', '12 / 29']],
  ['12/29', ['1', '12 / ', '12 / ', '12 / 2', '12 / 29']],
  ['12 / 29', ['1', '12 / ', '12 / ', '12 / ', '12 / ', '12 / 2', '12 / 29']],
  ['1/29', ['1', '01 / ', '01 / 2', '01 / 29']],
  ['529', ['05 / ', '05 / 2', '05 / 29']],
  ['05', ['0', '05 / ']],
  ['122029', ['1', '12 / ', '12 / 2', '12 / 20', '12 / 202', '12 / 2029']],
  ['12299', ['1', '12 / ', '12 / 2', '12 / 29', '12 / 29']],
  ['x1y2', ['', '1', '1', '12 / ']],
])('typing %s shows %j', (keys, shown) => {
  expect(typed(keys)).toEqual(shown);
});

it.each([
  ['12 / 29', '12 / 2', '12 / 2'],
  ['12 / 2', '12 / ', '12'],
  ['12 / ', '12 /', '1'],
  ['12', '1', '1'],
  ['1', '', ''],
])('deleting the last character of %j (%j) shows %j', (previous, raw, value) => {
  expect(formatExpiry(raw, previous)).toBe(value);
});

it.each([
  ['1229', '12 / 29'],
  ['1/29', '01 / 29'],
  ['1 29', '01 / 29'],
  ['garbage', ''],
  ['1', '1'],
])('shows %j, pasted or autofilled, as %j, over an empty field and over another date', (input, value) => {
  expect(formatExpiry(input)).toBe(value);
  expect(formatExpiry(input, '03 / 31')).toBe(value);
});

// Formats in which people copy a date from a bank's page, a message or a spreadsheet.
it.each([
  ['2029-12-31', '12 / 2029'],
  ['2029-12-31T23:59:59Z', '12 / 2029'],
  ['202912', '12 / 2029'],
  ['2029 / 1', '01 / 2029'],
  ['31.12.2029', '12 / 2029'],
  ['12/31/2029', '12 / 2029'],
  ['1.6.2029', '06 / 2029'],
  ['06/06/2029', '06 / 2029'],
  ['31/12/29', '12 / 29'],
  ['30.6.29', '06 / 29'],
  ['12 – 2029', '12 / 2029'],
  ["12/'29", '12 / 29'],
  ['Exp. 12/29', '12 / 29'],
  ['valid thru 5/2029', '05 / 2029'],
  ['12/29 123', '12 / 29'],
  ['Maria Marsh 05 / 29', '05 / 29'],
  ['１２／２０２９', '12 / 2029'],
  ['٣١/١٢/٢٠٢٩', '12 / 2029'],
  ['2029年12月31日', '12 / 2029'],
  ['12月2029年', '12 / 2029'],
  ['Dec 2029', '12 / 2029'],
  ['31 Dec 2029', '12 / 2029'],
  ['2029 May', '05 / 2029'],
  ['31. März 2029', '03 / 2029'],
  ['31 août 2029', '08 / 2029'],
  ['31 de enero de 2029', '01 / 2029'],
  ['giugno 2029', '06 / 2029'],
  ['31 mei 2029', '05 / 2029'],
])('reads %j, pasted, as %j', (pasted, value) => {
  expect(formatExpiry(pasted)).toBe(value);
  expect(formatExpiry(pasted, '03 / 31')).toBe(value);
  expect(checkExpiry(value, now).state).toBe('valid');
});

describe('a year of two digits before its month has one reading if it is no day', () => {
  it.each(['34/12', '34-12', '34.12', '34 12', '34 / 12', '34–12', 'exp. 34/12', '３４／１２', '٣٤/١٢'])(
    '%j, pasted or filled in, is December 2034',
    (pasted) => {
      expect(formatExpiry(pasted)).toBe('12 / 34');
      expect(formatExpiry(pasted, '03 / 31')).toBe('12 / 34');
    },
  );

  it('for every such year and month', () => {
    for (let year = 32; year <= 99; year += 1)
      for (let month = 1; month <= 12; month += 1)
        expect(formatExpiry(`${year}/${month}`)).toBe(`${String(month).padStart(2, '0')} / ${year}`);
  });

  it('typed digit by digit, its first digits are a month', () => {
    expect(typed('34/12')).toEqual(['03 / ', '03 / 4', '03 / 4', '03 / 41', '03 / 41']);
    expect(formatExpiry('34 / 12', '34 / 1')).toBe('34 / 12');
    expect(checkExpiry('34 / 12', now)).toEqual({ state: 'invalid', problem: 'month' });
  });
});

// An error is better than a different month from the one meant.
it.each([
  ['13/29', 'month', 'there is no month 13'],
  ['2029-13-01', 'month', 'there is no month 13'],
  ['1329', 'month', 'there is no month 13'],
  ['05/06/2029', 'past', 'May and June are both possible'],
  ['29/12', 'month', 'the day may come first, or the year'],
  ['29-12-31', 'month', 'the day may come first, or the year'],
])('does not guess what %j, pasted, means (%s): %s', (pasted, problem) => {
  expect(checkExpiry(formatExpiry(pasted), now)).toEqual({ state: 'invalid', problem });
});

it.each([
  ['jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec'],
  ['Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember'],
  ['janv.,févr.,mars,avr.,mai,juin,juil.,août,sept.,oct.,nov.,déc.'],
  ['ene,feb,mar,abr,may,jun,jul,ago,sept,oct,nov,dic'],
  ['gen,feb,mar,apr,mag,giu,lug,ago,set,ott,nov,dic'],
  ['jan.,fev.,mar.,abr.,mai.,jun.,jul.,ago.,set.,out.,nov.,dez.'],
  ['jan,feb,mrt,apr,mei,jun,jul,aug,sep,okt,nov,dec'],
])('reads the months %s', (names) => {
  const months = names.split(',').map((name) => formatExpiry(`${name} 2029`).slice(0, 2));
  expect(months).toEqual(['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']);
});

it('does not change a date in the form that it shows', () => {
  for (const shown of ['1', '12 / ', '12 / 2', '12 / 29', '12 / 2029'])
    expect(formatExpiry(shown)).toBe(shown);
});

it('leaves the caret after the separator once the month is complete', () => {
  expect(editExpiry({ previous: '1', raw: '12', caret: 2 })).toEqual({
    digits: '12',
    value: '12 / ',
    caret: 5,
  });
});

it('edits the month in place', () => {
  const without = editExpiry({ previous: '12 / 29', raw: '1 / 29', caret: 1 });
  expect(without).toEqual({ digits: '129', value: '12 / 9', caret: 1 });
  expect(editExpiry({ previous: without.value, raw: '112 / 9', caret: 2 })).toEqual({
    digits: '1129',
    value: '11 / 29',
    caret: 5,
  });
});

it.each([
  ['', false],
  ['122', false],
  ['1229', true],
  ['1220', false],
  ['12202', false],
  ['122029', true],
])('no more digits can follow %s: %s', (digits, isDone) => {
  expect(isFullExpiry(digits)).toBe(isDone);
});

describe('before the script that reads all dates has loaded', () => {
  const edited = (raw: string) => editExpiry({ previous: '', raw, caret: raw.length }).value;

  it.each([
    ['12', '12 / '],
    ['5', '05 / '],
    ['1/', '01 / '],
    ['12/29', '12 / 29'],
    [' 12 / 2029 ', '12 / 2029'],
    ['1229', '12 / 29'],
  ])('%j is written as %j, as keys make it', (raw, value) => expect(edited(raw)).toBe(value));

  it.each(['2029-12', '31/12/2029', 'Dec 2029', 'Maria 05/29', '2029-12-31', '12 Mai 2029', '34/12'])(
    '%j stays as pasted, and is not misread',
    (raw) => expect(edited(raw)).toBe(raw),
  );
});
