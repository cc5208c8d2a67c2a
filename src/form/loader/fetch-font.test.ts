import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LARGEST_FONT } from '../channel/page-font.ts';
import { fetchFont } from './fetch-font.ts';

const fetched = vi.fn();
beforeEach(() => vi.stubGlobal('fetch', fetched.mockReset()));
afterEach(() => vi.unstubAllGlobals());

const fonts = [
  { family: 'Brand', src: '/brand.woff2' },
  { family: 'Brand', src: 'https://cdn.example/bold.woff2', weight: 700 },
];
const file = (size: number) => new Response(new Uint8Array(size));

describe("threat-model 1.6: the page's script fetches a font of the page, as the page itself could", () => {
  it('sends the bytes of the file that the frame names by its place in the list', async () => {
    fetched.mockResolvedValue(new Response(Uint8Array.of(1, 2, 3)));
    const { font, bytes } = await fetchFont({ fonts }, { font: 1 });
    expect(fetched.mock.calls).toEqual([['https://cdn.example/bold.woff2']]);
    expect([font, bytes && new Uint8Array(bytes)]).toEqual([1, Uint8Array.of(1, 2, 3)]);
  });

  it('sends a file of at most 300 kB', async () => {
    fetched.mockResolvedValueOnce(file(LARGEST_FONT));
    expect((await fetchFont({ fonts }, { font: 0 })).bytes?.byteLength).toBe(300_000);
    fetched.mockResolvedValueOnce(file(LARGEST_FONT + 1));
    expect(await fetchFont({ fonts }, { font: 0 })).toEqual({ font: 0, size: 300_001 });
  });

  it('sends the status instead of an error page', async () => {
    fetched.mockResolvedValue(new Response('Not found', { status: 404 }));
    expect(await fetchFont({ fonts }, { font: 0 })).toEqual({ font: 0, status: 404 });
  });

  it.each<[string, object, number]>([
    ['CORS or the policy of the page forbids it', { fonts }, 0],
    ['the list has no such file', { fonts }, 3],
    ['there is no list', {}, 0],
  ])('sends no bytes if %s', async (_, page, font) => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await fetchFont(page, { font })).toEqual({ font });
  });
});
