// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { unclobbered } from './unclobbered.ts';

describe('unclobbered', () => {
  /** Does what browsers do for a field or an image of that name. */
  const clobber = (thing: object, name: string) =>
    Object.defineProperty(thing, name, { configurable: true, value: document.createElement('img') });

  it('returns properties and methods of the class, whatever elements are named', () => {
    const form = document.createElement('form');
    document.body.append(form);
    for (const name of ['append', 'isConnected', 'querySelector']) clobber(form, name);
    const child = document.createElement('p');
    unclobbered(form).append(child);
    expect(unclobbered(form).isConnected).toBe(true);
    expect(unclobbered(form).querySelector('p')).toBe(child);
    form.remove();
  });

  it('returns no property that the class does not have', () => {
    clobber(document, 'host');
    expect('host' in unclobbered(document) && Reflect.get(unclobbered(document), 'host')).toBeUndefined();
    Reflect.deleteProperty(document, 'host');
  });
});
