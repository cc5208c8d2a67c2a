import { expect, it } from 'vitest';
import { SMALLEST_FRAME, SMALLEST_SIZE } from './smallest-frame.ts';

it('messages name the size that the guard asks for', () => {
  expect(SMALLEST_SIZE).toBe(`${SMALLEST_FRAME.width} by ${SMALLEST_FRAME.height} CSS pixels`);
});
