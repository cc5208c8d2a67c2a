/** For each country, how long after its choice its fields are shown. */
import type { Contestant } from './contestants.ts';
import type { BenchServer } from './server.ts';
import { type Condition, evaluate, openPage } from './visit.ts';

/** Runs in the form's document: ms from the choice to the last change of the document; 0 without a change. */
const choose = (country: string, quiet: number): Promise<number> => {
  const list = document.querySelector<HTMLSelectElement>('select[autocomplete~="country"]');
  if (!list) throw new Error('The form has no list of countries.');
  return new Promise((resolve) => {
    const chosen = performance.now();
    let latest = chosen;
    const finish = () => {
      observer.disconnect();
      resolve(latest - chosen);
    };
    let timer = setTimeout(finish, quiet);
    const observer = new MutationObserver(() => {
      latest = performance.now();
      clearTimeout(timer);
      timer = setTimeout(finish, quiet);
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
    list.value = country;
    if (list.value !== country) throw new Error(`The list has no ${country}.`);
    list.dispatchEvent(new Event('input', { bubbles: true }));
    list.dispatchEvent(new Event('change', { bubbles: true }));
  });
};

const LIST = `[...document.querySelector('select[autocomplete~="country"]').options].map(({ value }) => value).filter(Boolean)`;
const LIST_IS_WHOLE = `document.querySelector('select[autocomplete~="country"]')?.options.length > 100`;

/** Chooses the countries that `pick` selects from the form's list, in that order. */
export const chooseCountries = async (
  server: BenchServer,
  form: Contestant,
  condition: Condition,
  pick: (all: readonly string[]) => readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const page = await openPage(server, form, condition);
  try {
    await page.go();
    await page.until('payable', 1);
    const [frame] = page.chromium.frames();
    if (!frame) throw new Error('There is no frame.');
    // The names of all countries are loaded later.
    while (!(await evaluate(frame, LIST_IS_WHOLE))) await new Promise((resolve) => setTimeout(resolve, 100));
    const quiet = condition.shape ? 4 * condition.shape.roundTrip : 150;
    const times = new Map<string, number>();
    const all: string[] = await evaluate(frame, LIST);
    for (const country of pick(all)) {
      times.set(country, await evaluate(frame, `(${choose})(${JSON.stringify(country)}, ${quiet})`));
    }
    return times;
  } finally {
    await page.close();
  }
};
