// @vitest-environment happy-dom
import { effect } from '@preact/signals';
import { options, render } from 'preact';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { allowedAmong } from '../../address/countries.ts';
import { checkPan } from '../../card/check-pan.ts';
import { readWrittenDate } from '../../card/written-date.ts';
import { exampleContext } from '../components/context.fixture.ts';
import { FormRoot } from '../components/FormRoot.tsx';
import { exampleForm } from '../merchant/merchant.fixture.ts';
import { createTyping } from './typing.ts';

vi.mock('../../card/check-pan.ts', async (original) => {
  const real = await original<typeof import('../../card/check-pan.ts')>();
  return { ...real, checkPan: vi.fn(real.checkPan) };
});

describe('promises 7.5: a key', () => {
  /** The component instances that rendered (Preact's internal `_component`). */
  const rendered: unknown[] = [];
  const before = options.diffed;
  options.diffed = (vnode) => {
    if (typeof vnode.type === 'function') rendered.push(Reflect.get(vnode, '__c'));
    before?.(vnode);
  };

  const setUp = async () => {
    // The browser is never idle, so the country names are not loaded.
    Reflect.set(window, 'requestIdleCallback', () => 0);
    Reflect.set(window, 'cancelIdleCallback', () => undefined);
    const root = document.createElement('div');
    document.body.replaceChildren(root);
    const form = exampleForm();
    form.allowCountries(allowedAmong(undefined), 'US');
    createTyping(root).connect(form.fields, () => true, readWrittenDate);
    render(<FormRoot {...exampleContext({ form })} />, root);
    await settled();
    const states: unknown[] = [];
    effect(() => {
      states.push([form.isComplete.value, form.isEmpty.value, form.brand.value]);
    });
    const input = root.querySelector('input');
    if (!input) throw new Error('The form has no input.');
    return { input, states };
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

  beforeEach(() => {
    rendered.length = 0;
    vi.mocked(checkPan).mockClear();
  });

  it('is checked once and renders each component at most once; a key that changes nothing renders none', async () => {
    const { input, states } = await setUp();
    const keys: { checks: number; renders: readonly unknown[] }[] = [];
    for (const digit of '4242424242424242') {
      vi.mocked(checkPan).mockClear();
      rendered.length = 0;
      input.value += digit;
      input.selectionStart = input.value.length;
      input.selectionEnd = input.value.length;
      input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: digit }));
      await settled();
      keys.push({ checks: vi.mocked(checkPan).mock.calls.length, renders: [...rendered] });
    }
    expect(input.value).toBe('4242 4242 4242 4242');
    expect(keys.map(({ checks }) => checks)).toEqual(Array(16).fill(1));
    expect(keys[1]?.renders).not.toContain(undefined);
    for (const { renders } of keys) expect(new Set(renders).size).toBe(renders.length);
    // The brand is open at the first key and certain by the fourth; after that no key re-renders anything.
    expect(keys.slice(4, -1).flatMap(({ renders }) => renders)).toEqual([]);
    expect(states.length).toBeLessThanOrEqual(4); // empty, not empty, with a brand, complete
  });
});
