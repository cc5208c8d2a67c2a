import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseColour, writeColour } from './colour.ts';

describe('parseColour', () => {
  it.each([
    ['#2557d6', '#2557d6', 1],
    ['#25D', '#2255dd', 1],
    ['#25d8', '#2255dd', 8 / 15],
    ['#2557d680', '#2557d6', 128 / 255],
    [' Teal ', '#008080', 1],
    ['rgb(37, 87, 214)', '#2557d6', 1],
    ['rgba(37,87,214,.5)', '#2557d6', 0.5],
    ['rgb(37 87 214 / 50%)', '#2557d6', 0.5],
    ['rgb(100% 0% 50%)', '#ff0080', 1],
    ['hsl(0, 100%, 50%)', '#ff0000', 1],
    ['hsl(120deg 100% 25%)', '#008000', 1],
    ['hsl(-120 100% 50% / 1)', '#0000ff', 1],
    ['HSLA(180, 0%, 50%, 0)', '#808080', 0],
    // Values computed by browsers.
    ['oklch(1 0 0)', '#ffffff', 1],
    ['oklch(0.205 0 0)', '#171717', 1],
    ['oklch(62.3% 0.214 259.815)', '#2b7fff', 1],
  ])('reads %s as %s', (text, hex, alpha) => {
    const colour = parseColour(text);
    expect(colour && writeColour(colour)).toBe(hex);
    expect(colour?.alpha).toBeCloseTo(alpha, 5);
  });

  it.each([
    '',
    '#',
    '#12',
    '#12345',
    '#1234567',
    '#123456789',
    '#ggg',
    'papayawhip',
    'transparent',
    'currentcolor',
    'inherit',
    'constructor',
    '__proto__',
    'CanvasText',
    'rgb()',
    'rgb(1 2)',
    'rgb(1 2 3 4)',
    'rgb(1 2 3 /)',
    'rgb(1, 2 3)',
    'rgb(1, 2, 3 / 1)',
    'rgb(1,2,3,.5,6)',
    'rgb(256 0 0)',
    'rgb(-1 0 0)',
    'rgb(1e2 0 0)',
    'rgb(Infinity 0 0)',
    'rgb(0x1 0 0)',
    'rgb(1 2 3',
    'rgb(1 2 3))',
    'rgb(calc(1) 2 3)',
    'rgb(var(--ink) 2 3)',
    'rgb(from red r g b)',
    'hsl(0 50 50)',
    'hsl(0turn 50% 50%)',
    'oklch(none 0 0)',
    'lab(50% 0 0)',
    'color(srgb 1 0 0)',
    'light-dark(red, blue)',
    '#fff;',
    '#fff !important',
    '#fff/**/',
    'red blue',
    '\\72 ed',
    'ｒｅｄ',
  ])('rejects %j', (text) => {
    expect(parseColour(text)).toBeNull();
  });

  it('reads what writeColour writes as the same colour', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        expect(parseColour(writeColour({ red, green, blue }))).toEqual({ red, green, blue, alpha: 1 });
        expect(parseColour(`rgb(${red} ${green} ${blue})`)).toEqual({ red, green, blue, alpha: 1 });
      }),
    );
  });
});
