import { Window } from 'happy-dom';
import { describe, expect, it } from 'vitest';
import { resolveAppearance } from '../../appearance/resolve.ts';
import { createTheme } from './theme.ts';

const open = (load = async () => ({ resolve: resolveAppearance })) => {
  const root = new Window().document.documentElement;
  const property = (name: string) => root.style.getPropertyValue(name);
  // Only the parts that a theme uses: happy-dom's types differ from the browser's.
  const theme = createTheme({ dataset: root.dataset, style: root.style }, load);
  return { root, property, theme };
};

const LIGHT = 'rgb(0, 0, 0);rgb(255, 255, 255)';
const DARK = 'rgb(255, 255, 255);rgb(10, 10, 10)';

describe('createTheme()', () => {
  it('applies the backdrop and loads nothing if there is no appearance', async () => {
    const { root, theme } = open(() => Promise.reject(new Error('must not be called')));
    await theme.apply({ backdrop: DARK });
    const { scheme, labels, fields, panel } = root.dataset;
    expect([scheme, labels, fields, panel]).toEqual(['dark', 'above', 'separate', 'false']);
    await theme.apply({ backdrop: LIGHT, appearance: null });
    expect(root.dataset.scheme).toBe('light');
    await theme.apply({});
    expect(root.dataset.scheme).toBe('light'); // unchanged
    await theme.apply({ backdrop: 'rgb(255, 255, 255);?' });
    expect([root.dataset.scheme, root.dataset.panel]).toEqual(['dark', 'true']);
  });

  it('leaves the background to an appearance, if there is one', async () => {
    const { root, property, theme } = open();
    await theme.apply({ backdrop: 'rgb(0, 0, 0);?', appearance: {} });
    expect([root.dataset.panel, property('--page'), property('--padding')]).toEqual([
      ...['false', '#ffffff', '16px'],
    ]);
  });

  it('replaces the previous appearance as a whole', async () => {
    const { root, property, theme } = open();
    await theme.apply({
      backdrop: LIGHT,
      appearance: { theme: 'dark', fields: 'grouped', variables: { borderRadius: '3px', spacing: '1px' } },
    });
    expect(root.dataset.fields).toBe('grouped');
    expect([root.dataset.scheme, root.dataset.labels, property('--radius')]).toEqual([
      'dark',
      'floating',
      '3px',
    ]);
    expect(property('--page')).toBe('#16181c');
    expect(theme.problems()).toMatchObject([{ option: 'appearance.variables.spacing' }]);
    await theme.apply({ appearance: { variables: { spacingUnit: '5px' } } });
    expect([root.dataset.scheme, root.dataset.labels, property('--radius')]).toEqual(['light', 'above', '']);
    expect(root.dataset.fields).toBe('separate');
    expect([property('--page'), property('--space')]).toEqual(['', '5px']);
    await theme.apply({ appearance: undefined });
    expect([property('--space'), theme.problems()]).toEqual(['', []]);
  });

  it("keeps the appearance when only the page's scheme changes", async () => {
    const { root, property, theme } = open();
    const appearance = { variables: { colorPrimary: '#9a3412' }, darkVariables: { colorPrimary: '#fdba74' } };
    await theme.apply({ backdrop: LIGHT, appearance });
    expect(property('--button')).toBe('#9a3412');
    await theme.apply({ backdrop: DARK });
    expect([root.dataset.scheme, property('--button')]).toEqual(['dark', '#fdba74']);
  });

  it('applies the last of two changes, whichever loads first', async () => {
    const arrivals: (() => void)[] = [];
    const { property, theme } = open(
      () =>
        new Promise((resolve) => {
          arrivals.push(() => resolve({ resolve: resolveAppearance }));
        }),
    );
    const first = theme.apply({ appearance: { variables: { borderRadius: '1px' } } });
    const second = theme.apply({ appearance: { variables: { borderRadius: '2px' } } });
    arrivals[1]?.();
    await second;
    arrivals[0]?.();
    await first;
    expect(property('--radius')).toBe('2px');
  });

  it('falls back to the default theme if the parser fails to load', async () => {
    const { root, theme } = open(() => Promise.reject(new Error('offline')));
    await theme.apply({ backdrop: DARK, appearance: { theme: 'light' } });
    expect([root.dataset.scheme, root.getAttribute('style') ?? '']).toEqual(['dark', '']);
  });
});
