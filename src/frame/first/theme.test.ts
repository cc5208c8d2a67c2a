import { Window } from 'happy-dom';
import { describe, expect, it } from 'vitest';
import { resolveAppearance } from '../../appearance/resolve.ts';
import { createTheme } from './theme.ts';

const open = (load = async () => ({ resolveAppearance })) => {
  const root = new Window().document.documentElement;
  const system: { matches: boolean; onchange: MediaQueryList['onchange'] } = {
    matches: false,
    onchange: null,
  };
  const property = (name: string) => root.style.getPropertyValue(name);
  // Only the parts that a theme uses: happy-dom's types differ from the browser's.
  const theme = createTheme({ dataset: root.dataset, style: root.style }, system, load);
  return { root, system, property, theme };
};

describe('createTheme()', () => {
  it("applies the page's scheme at once and loads nothing if there is no appearance", () => {
    const { root, theme } = open(() => Promise.reject(new Error('must not be called')));
    void theme.apply({ colorScheme: 'dark' });
    expect([root.dataset.scheme, root.dataset.labels, root.dataset.fields]).toEqual([
      ...['dark', 'above', 'separate'],
    ]);
    void theme.apply({ colorScheme: 'light', appearance: null });
    expect(root.dataset.scheme).toBe('light');
  });

  it('follows the system if the page declares no scheme', () => {
    const { root, system, theme } = open();
    void theme.apply({});
    expect(root.dataset.scheme).toBe('light');
    system.matches = true;
    Reflect.apply(system.onchange ?? (() => undefined), system, []);
    expect(root.dataset.scheme).toBe('dark');
    void theme.apply({ colorScheme: 'light' });
    expect([root.dataset.scheme, system.onchange]).toEqual(['light', null]);
  });

  it('replaces the previous appearance as a whole', async () => {
    const { root, property, theme } = open();
    await theme.apply({
      colorScheme: 'light',
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
    await theme.apply({ colorScheme: 'light', appearance });
    expect(property('--button')).toBe('#9a3412');
    await theme.apply({ colorScheme: 'dark' });
    expect([root.dataset.scheme, property('--button')]).toEqual(['dark', '#fdba74']);
  });

  it('applies the last of two changes, whichever loads first', async () => {
    const arrivals: (() => void)[] = [];
    const { property, theme } = open(
      () =>
        new Promise((resolve) => {
          arrivals.push(() => resolve({ resolveAppearance }));
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
    await theme.apply({ colorScheme: 'dark', appearance: { theme: 'light' } });
    expect([root.dataset.scheme, root.getAttribute('style') ?? '']).toEqual(['dark', '']);
  });
});
