import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { nodeErrorCode } from './node-error-code.ts';

it("an error of another context, as Node's own are in Jest, has its code", () => {
  const error: unknown = runInNewContext("Object.assign(new Error('no such file'), { code: 'ENOENT' })");
  expect(error).not.toBeInstanceOf(Error);
  expect(nodeErrorCode(error)).toBe('ENOENT');
});

it('a value that is no error has none', () => {
  for (const thrown of [undefined, null, 'ENOENT', new Error('ENOENT')])
    expect(nodeErrorCode(thrown)).toBeUndefined();
});
