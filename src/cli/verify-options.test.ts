import { describe, expect, it } from 'vitest';
import { parseVerify } from './verify-options.ts';

const KEY = `ed25519-${'A'.repeat(43)}=`;

describe('the options of card-form verify', () => {
  it('compares with the build that contains the program, unless it gets a releases.json', () => {
    expect(parseVerify(['--base-url', 'https://pay.example/'])).toEqual({
      origin: 'https://pay.example',
      releases: null,
      reportsTo: null,
      appSchemes: [],
      signedBy: null,
      edges: [],
      timeLimit: 600_000,
      isAnyCoding: false,
      metrics: null,
      isJson: false,
    });
    const all = ['--releases', '/copy/releases.json', '--signed-by', KEY, '--json'];
    const more = ['--edges', '10.0.0.1,edge-b.example:8443', '--time-limit', '60', '--metrics', 'a.prom'];
    expect(parseVerify(['--base-url', 'https://pay.example', ...all, ...more, '--any-coding'])).toEqual({
      origin: 'https://pay.example',
      releases: '/copy/releases.json',
      reportsTo: null,
      appSchemes: [],
      signedBy: KEY,
      edges: ['10.0.0.1', 'edge-b.example:8443'],
      timeLimit: 60_000,
      isAnyCoding: true,
      metrics: 'a.prom',
      isJson: true,
    });
  });

  it.each([
    [[], /^--base-url must be scheme and host of the service, .*; got nothing\.\n\nThe options are:/],
    [['--base-url', 'https://pay.example/partner'], /^--base-url must be scheme and host/],
    [['--base-url', 'https://pay.example"'], /^--base-url must be scheme and host/],
    [
      ['--base-url', 'https://pay.example', '--releases', '/srv/card-form'],
      /^--releases must be the path of a file named releases\.json; got "\/srv\/card-form"\.$/,
    ],
    [
      ['--base-url', 'https://pay.example', '--releases', 'releases.json', '--reports-to', '/reports'],
      /^--reports-to is not for --releases/,
    ],
    [['--base-url', 'https://pay.example', '--signed-by', 'sha384-x'], /^--signed-by must be a public key/],
  ])('%j: says what was expected and what came', (argv, message) => {
    expect(() => parseVerify(argv)).toThrow(message);
  });
});
