/**
 * promises 2.2, 2.5, 2.7, 2.8: the form as a buyer sees it, read and measured on the built files, and proof that these
 * readings and measurements can fail: each mistake is applied to the form, noticed, and removed.
 */
import { expect, type Open, test } from '../support/fixtures.ts';
import { type Form, STATES } from '../support/form-states.ts';
import { type CheckName, findings } from './checks.ts';
import { MISTAKEN, type Mistake } from './mistakes.ts';
import { PAGE } from './page.ts';
import { readingOf, sightOf, steadyReading, wear } from './sight.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' }, deviceScaleFactor: 2 });

const ALWAYS: readonly CheckName[] = [
  'legible',
  'edged',
  'problems',
  'labelled',
  'typed',
  'totalFirst',
  'apart',
  'fits',
  'pressable',
  'still',
  'axe',
];
const IN_FORCED_COLOURS: readonly CheckName[] = ['edged', 'fits', 'focusShown', 'axe'];
const ON_PAPER: readonly CheckName[] = ['discreet', 'legible', 'apart'];

/** The findings of the one check that must notice the mistake. */
const noticed = async (
  form: Form,
  noticedBy: Mistake['noticedBy'],
  known: string,
): Promise<readonly string[]> => {
  if (noticedBy !== 'reading') return findings(form, [noticedBy]);
  const reading = readingOf(await sightOf(form));
  return reading === known ? [] : [reading];
};

for (const { state, locale = 'en', media = 'light', width = 400, height = 1500, mistakes } of MISTAKEN) {
  test(`${state} in ${locale}, ${media}, ${width} px: ${mistakes.length} mistakes are noticed`, async ({
    page,
    service,
    open,
  }) => {
    await page.setViewportSize({ width, height });
    const painted: Open = (intent, merchantPage) => open(intent, { css: PAGE, ...merchantPage });
    const form = await STATES[state]({ page, service, open: painted, locale });
    await page.emulateMedia({
      colorScheme: media === 'dark' ? 'dark' : 'light',
      forcedColors: media === 'forced' ? 'active' : 'none',
      media: media === 'print' ? 'print' : 'screen',
    });
    await expect(form.root).toHaveAttribute('data-scheme', media === 'dark' ? 'dark' : 'light');
    await form.settled();
    const calm = await wear(form, '*, ::after, ::placeholder { transition: none !important }');
    const known = await steadyReading(form);
    const softly = expect.configure({ soft: true }); // a missed mistake does not hide others
    for (const one of mistakes) {
      const takeOff = await wear(form, one.css);
      softly(
        await noticed(form, one.noticedBy, known),
        `promises ${one.breaks}: a form that ${one.name}`,
      ).not.toEqual([]);
      await takeOff();
    }
    // Without a mistake the form reads correctly and no check finds anything. Forced colours paint texts that are
    // hidden for measuring.
    if (media !== 'forced')
      softly(known).toMatchSnapshot(['readings', `${state}-${locale}-${media}-${width}.txt`]);
    const usual = media === 'forced' ? IN_FORCED_COLOURS : media === 'print' ? ON_PAPER : ALWAYS;
    const needed = mistakes.flatMap(({ noticedBy }) => (noticedBy === 'reading' ? [] : [noticedBy]));
    const names = [...new Set([...usual, ...needed])];
    await softly(async () => expect(await findings(form, names)).toEqual([])).toPass({ timeout: 60_000 });
    await calm();
  });
}
