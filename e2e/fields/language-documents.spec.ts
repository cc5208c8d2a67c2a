/**
 * The document in the language of the browser or the page: buyers can type before its texts load, and hydration changes
 * nothing.
 */
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';

/** The hydrated form as markup, without the countries and states, which load when the browser is idle. */
const markupOf = () =>
  (document.getElementById('form')?.innerHTML ?? '').replace(/<select.*?<\/select>/g, '');

const [language, number, direction] = ['ar', 'رقم البطاقة', 'rtl'] as const;

test.describe(`in a browser in ${language}`, () => {
  test.use({ locale: language });

  test(`can be typed into without the texts of ${language}`, async ({ open, page, service }) => {
    const held = await holdRequests(
      page,
      new RegExp(`/assets/(${language}[.]json|(other-language|payment)[.]js)$`),
    );
    const documents: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('frame.html')) documents.push(request.url().replace(/.*frame/, 'frame'));
    });
    const { frame } = await open(await service.createIntent(), { options: { locale: undefined } });
    const root = frame.locator(':root');
    await frame.getByLabel(number, { exact: true }).pressSequentially('4242');
    await expect(root).toHaveAttribute('lang', language);
    await expect(root).toHaveAttribute('dir', direction);
    expect(documents).toEqual([`frame.html?${language}`]);
    held.release();
    await expect(frame.locator('button.pay[data-kind="pay"]')).toBeEnabled();
    await expect(frame.getByLabel(number, { exact: true })).toHaveValue('4242');
    await expect(root).toHaveAttribute('lang', language);
  });

  test('ends up as the same form as from the English document', { tag: '@thorough' }, async ({
    open,
    page,
    service,
  }) => {
    const found: string[] = [];
    const languages: (string | null)[] = [];
    for (const isEnglish of [false, true]) {
      if (isEnglish)
        await page.route(/\/frame\.html\?/, (route) =>
          route.continue({ url: route.request().url().replace(/\?.*/, '') }),
        );
      const { frame } = await open(await service.createIntent(), { options: { locale: undefined } });
      await expect(frame.locator('button.pay[data-kind="pay"]:not([data-early])')).toBeEnabled();
      await expect(frame.locator(':root')).toHaveAttribute('lang', language); // its texts may arrive after the scripts
      found.push(await frame.locator(':root').evaluate(markupOf));
      languages.push(await frame.locator(':root').getAttribute('lang'));
    }
    expect(found[0]).toBe(found[1]);
    expect(found[0]).toContain(number);
    expect(languages).toEqual([language, language]);
  });
});

test('a page gets the document of the language that it requests; one in another language is rewritten, in English too', async ({
  open,
  page,
  service,
}) => {
  const asked: string[] = [];
  await page.route(/\/frame\.html/, async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.search);
    // Like a cache that ignores the query.
    await route.continue({ url: `${url.origin}${url.pathname}?${url.search === '' ? 'ja' : ''}` });
  });
  for (const [locale, label, placeholder, query] of [
    ['de-AT', 'Gültig bis', 'MM / JJ', '?de-AT'],
    ['en', 'Expiry date', 'MM / YY', ''],
  ] as const) {
    const { frame, ready } = await open(await service.createIntent(), { options: { locale } });
    await ready(/^Pay|bezahlen$/);
    await expect(frame.getByLabel(label)).toHaveAttribute('placeholder', placeholder);
    await expect(frame.locator(':root')).toHaveAttribute('lang', locale);
    await expect(frame.locator('#form')).not.toContainText(/カード|Card number of/);
    expect(asked.splice(0)).toEqual([query]);
  }
});

test('late texts are shown once they arrive: until then the form is in English', async ({
  open,
  page,
  service,
}) => {
  await page.route(/\/frame\.html\?/, (route) =>
    route.continue({ url: route.request().url().replace(/\?.*/, '') }),
  );
  const { asked, release } = await holdRequests(page, '**/assets/ar.json');
  const { frame } = await open(await service.createIntent(), { options: { locale: 'ar' } });
  const root = frame.locator(':root');
  await asked;
  await expect(frame.locator('button.pay[data-kind="pay"]')).toHaveText(/Pay\s\$58\.04/);
  await frame.getByLabel('Card number').fill('4242');
  release();
  await expect(root).toHaveAttribute('lang', 'ar');
  await expect(root).toHaveAttribute('dir', 'rtl');
  await expect(frame.getByLabel(number, { exact: true })).toHaveValue('4242');
});

test('if texts do not load, the form stays in English, placeholders too, and can be paid', {
  tag: '@thorough',
}, async ({ open, page, service }) => {
  await page.route('**/assets/ar.json', (route) => route.abort());
  const { frame } = await open(await service.createIntent(), { options: { locale: 'ar' } });
  const root = frame.locator(':root');
  await expect(frame.locator('button.pay[data-kind="pay"]')).toHaveText(/Pay\s\$58\.04/);
  await expect(root).toHaveAttribute('lang', 'en');
  await expect(root).toHaveAttribute('dir', 'ltr');
  await expect(frame.getByLabel('Expiry date')).toHaveAttribute('placeholder', 'MM / YY');
  await expect(frame.locator('#field-line2')).toHaveAttribute('placeholder', 'Add apartment, suite, floor');
});
