import { Window } from 'happy-dom';
import { describe, expect, it } from 'vitest';
import { resolveAppearance } from '../../appearance/resolve.ts';
import { createWardrobe } from './theme.ts';

const open = (load = async () => ({ resolveAppearance })) => {
  const root = new Window().document.documentElement;
  const system: { matches: boolean; onchange: MediaQueryList['onchange'] } = {
    matches: false,
    onchange: null,
  };
  const worn = (name: string) => root.style.getPropertyValue(name);
  // Only what a wardrobe touches; happy-dom's types are not those of the browser.
  const wardrobe = createWardrobe({ dataset: root.dataset, style: root.style }, system, load);
  return { root, system, worn, wardrobe };
};

describe('the wardrobe', () => {
  it('wears the scheme of the page at once, and fetches nothing, where there is no appearance', () => {
    const { root, wardrobe } = open(() => Promise.reject(new Error('must not be asked')));
    void wardrobe.wear({ colorScheme: 'dark' });
    expect([root.dataset.scheme, root.dataset.labels]).toEqual(['dark', 'above']);
    void wardrobe.wear({ colorScheme: 'light', appearance: null });
    expect(root.dataset.scheme).toBe('light');
  });

  it('follows the system where the page does not say', () => {
    const { root, system, wardrobe } = open();
    void wardrobe.wear({});
    expect(root.dataset.scheme).toBe('light');
    system.matches = true;
    Reflect.apply(system.onchange ?? (() => undefined), system, []);
    expect(root.dataset.scheme).toBe('dark');
    void wardrobe.wear({ colorScheme: 'light' });
    expect([root.dataset.scheme, system.onchange]).toEqual(['light', null]);
  });

  it('takes an appearance in place of the one before, whole', async () => {
    const { root, worn, wardrobe } = open();
    await wardrobe.wear({
      colorScheme: 'light',
      appearance: { theme: 'dark', labels: 'floating', variables: { borderRadius: '3px', spacing: '1px' } },
    });
    expect([root.dataset.scheme, root.dataset.labels, worn('--radius')]).toEqual(['dark', 'floating', '3px']);
    expect(worn('--page')).toBe('#16181c');
    expect(wardrobe.problems()).toMatchObject([{ option: 'appearance.variables.spacing' }]);
    await wardrobe.wear({ appearance: { variables: { spacingUnit: '5px' } } });
    expect([root.dataset.scheme, root.dataset.labels, worn('--radius')]).toEqual(['light', 'above', '']);
    expect([worn('--page'), worn('--space')]).toEqual(['', '5px']);
    await wardrobe.wear({ appearance: undefined });
    expect([worn('--space'), wardrobe.problems()]).toEqual(['', []]);
  });

  it('keeps the appearance when only the scheme of the page changes', async () => {
    const { root, worn, wardrobe } = open();
    const appearance = { variables: { colorPrimary: '#9a3412' }, darkVariables: { colorPrimary: '#fdba74' } };
    await wardrobe.wear({ colorScheme: 'light', appearance });
    expect(worn('--button')).toBe('#9a3412');
    await wardrobe.wear({ colorScheme: 'dark' });
    expect([root.dataset.scheme, worn('--button')]).toEqual(['dark', '#fdba74']);
  });

  it('wears the last of two wishes, whichever arrives first', async () => {
    const arrivals: (() => void)[] = [];
    const { worn, wardrobe } = open(
      () =>
        new Promise((resolve) => {
          arrivals.push(() => resolve({ resolveAppearance }));
        }),
    );
    const first = wardrobe.wear({ appearance: { variables: { borderRadius: '1px' } } });
    const second = wardrobe.wear({ appearance: { variables: { borderRadius: '2px' } } });
    arrivals[1]?.();
    await second;
    arrivals[0]?.();
    await first;
    expect(worn('--radius')).toBe('2px');
  });

  it('is worn as it comes where an appearance cannot be read, so that the form can still be paid with', async () => {
    const { root, wardrobe } = open(() => Promise.reject(new Error('offline')));
    await wardrobe.wear({ colorScheme: 'dark', appearance: { theme: 'light' } });
    expect([root.dataset.scheme, root.getAttribute('style') ?? '']).toEqual(['dark', '']);
  });
});
