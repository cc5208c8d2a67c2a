/**
 * What the developer has to change on the page, shown in a form with a sandbox key: a number in the ribbon, which opens
 * the list. In English only. Plain DOM, beside what the components draw: see `components/test-cards.ts`.
 */
import { adoptStyles } from '../first/adopt-styles.ts';
import styles from '../styles/problem-panel.css?inline';

/** `cause` is a code or the name of an option. */
export type Problem = { cause: string; remedy: string };

/** The line of the page's Content-Security-Policy, to be pasted. */
const policyOf = (service: string): string =>
  `script-src ${service}/partner/v1/card-form.js ${service}/partner/v1/card-form/; frame-src ${service}/partner/v1/card-form/`;

/**
 * Adds a problem to the panel, which is inserted with the first. Without the ribbon it does nothing: only a sandbox key
 * has one.
 */
export const createProblemPanel = (): ((problem: Problem) => void) => {
  const count = create('summary', 'problem-count');
  const list = create('ul');
  const documentation = create('p', '', '"First-day mistakes" in the documentation: ');
  documentation.append(create('code', '', `${location.origin}/llms.txt`)); // the frame's sandbox lets no link open
  const content = create('div', 'problem-list');
  content.lang = 'en';
  content.dir = 'ltr';
  content.append(list, documentation);
  const panel = create('details', 'problems');
  panel.append(count, content);

  return ({ cause, remedy }) => {
    const root = document.querySelector('.ribbon')?.closest('#form');
    if (!root) return;
    if (!panel.isConnected) {
      adoptStyles(styles);
      root.prepend(panel); // the components draw after it
    }
    const item = create('li');
    item.append(create('strong', '', cause), ' ', remedy);
    if (remedy.includes('script-src')) item.append(create('code', '', policyOf(location.origin)));
    list.append(item);
    const noun = list.childElementCount === 1 ? 'problem' : 'problems';
    count.replaceChildren(
      `${list.childElementCount}`,
      create('span', 'unseen', ` ${noun} for the developer of the page`),
    );
    count.title = `${list.childElementCount} ${noun} for the developer of the page`;
  };
};

const create = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  text = '',
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
};
