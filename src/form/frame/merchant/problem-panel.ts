/**
 * Problems that the developer has to fix on the page, shown in a form with a sandbox key: a number in the ribbon, which
 * opens the list. English only. Plain DOM, next to the components' output: see `components/test-cards.ts`.
 */
import { adoptStyles } from '../first/adopt-styles.ts';
import styles from '../styles/problem-panel.css?inline';

/** `cause` is a code or an option's name. */
export type Problem = { cause: string; remedy: string };

/** The Content-Security-Policy for the page, ready to paste. */
const policyOf = (service: string): string =>
  `script-src ${service}/partner/v1/card-form.js ${service}/partner/v1/card-form/; frame-src ${service}/partner/v1/card-form/`;

/**
 * Returns a function that adds a problem to the panel, and inserts the panel with the first one. Does nothing without
 * the ribbon, which only a sandbox key has.
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
      root.prepend(panel); // the components render after it
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
