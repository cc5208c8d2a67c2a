/**
 * Copies an element of the page, with its surroundings and content, to a place where nothing is drawn, so that it can
 * be put into each state and the browser computes the look. The page's own elements stay untouched. The copy is in a
 * closed shadow root within the form's iframe, which no observer or selector of the page sees. It loads and runs
 * nothing: only fields and buttons are real ones.
 */
import { unclobbered } from '../unclobbered.ts';
import { unclobberedDocument } from '../unclobbered-document.ts';
import { COPY_HOST, COPY_ROOT, type Sheets, STATES } from './sheets.ts';
import { type LookState, type Mark, matches, saysState, stateMarksFor } from './state-names.ts';

/** `now`: as it is on the page, perhaps with the focus. `rest`: in no state. */
export type Pose = LookState | 'now' | 'rest';

export type Pseudo = '' | '::before' | '::after' | '::placeholder';

/** The value of a property of a page's element, or of one of its pseudo-elements, in a pose. */
export type Look = (element: Element, property: string, pseudo?: Pseudo) => string;

const HTML = 'http://www.w3.org/1999/xhtml';

/** Unknown elements in this namespace are not drawn, run nothing, and have classes. */
const SVG = 'http://www.w3.org/2000/svg';

/** Elements that must be copied as they are, since `:disabled`, `:placeholder-shown` and `:any-link` depend on it. */
const REAL = /^(a|button|fieldset|input|label|legend|select|textarea)$/;

/** Attributes that load, run or move something. Inline styles become rules, which no policy forbids. */
const LEFT_OUT = /^(on.*|autofocus|is|src|srcset|style)$/;
const LOADING = /^(.+:)?href$/;

const MOST_WITHIN = 80;
const MOST_SIBLINGS = 30;

/** The number of levels on which siblings are copied. Further up, no selector depends on them. */
const LEVELS = 3;

/** A selector that outweighs all of the page's, like an inline style. */
const outweighing = (index: number) => `[card-form-n="${index}"]`.repeat(20);

const parentOf = (node: Element): Element | null => {
  const { parentElement, getRootNode } = unclobbered(node);
  if (parentElement) return parentElement;
  const root = getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
};

/** The pseudo-classes that a state gives the field and the elements around it. */
const AT: Readonly<Record<LookState, string>> = {
  hover: '',
  focus: 'focus focus-visible',
  invalid: 'invalid',
};
const AROUND: Readonly<Record<LookState, string>> = { hover: 'hover', focus: 'focus-within', invalid: '' };
const EVERY = ['hover', 'focus', 'focus-visible', 'focus-within', 'active', 'invalid'];

const hosts = new WeakMap<Element, ShadowRoot>();

/** Stays in place, so that another look changes nothing that an observer sees. */
export const shadowIn = (iframe: Element): ShadowRoot => {
  const known = hosts.get(iframe);
  if (known?.isConnected) return known;
  const host = unclobberedDocument().createElement('div');
  host.style.all = 'initial';
  const shadow = host.attachShadow({ mode: 'closed' });
  iframe.append(host);
  hosts.set(iframe, shadow);
  return shadow;
};

const PSEUDOS: readonly Pseudo[] = ['', '::before', '::after', '::placeholder'];

/** `control` is the field within `target`, or `target` itself. */
export const createStage = (
  iframe: Element,
  target: Element,
  control: Element,
  { sheet, candidates }: Sheets,
) => {
  const shadow = shadowIn(iframe);
  const copies = new Map<Element, Element>();
  const inline: string[] = [];

  const copy = (element: Element): Element => {
    const { localName, attributes, namespaceURI } = unclobbered(element);
    const isReal = namespaceURI === HTML && REAL.test(localName);
    const made = unclobberedDocument().createElementNS(isReal ? HTML : SVG, localName);
    for (const attribute of attributes) {
      const own = attribute.cloneNode();
      const isLeftOut = LEFT_OUT.test(attribute.name) || (!isReal && LOADING.test(attribute.name));
      if (!isLeftOut && own instanceof Attr) made.setAttributeNode(own);
    }
    const style = attributes.getNamedItem('style')?.value;
    if (style && element instanceof HTMLElement) {
      made.setAttribute('card-form-n', `${inline.length}`);
      inline.push(`${outweighing(inline.length)}{${unclobbered(element).style.cssText}}`);
    }
    copies.set(element, made);
    return made;
  };
  let within = 0;
  const copyWhole = (element: Element): Element => {
    const made = copy(element);
    for (const child of unclobbered(element).children)
      if (++within < MOST_WITHIN) made.append(copyWhole(child));
    return made;
  };

  let top = copyWhole(target);
  const chain: Element[] = [target];
  for (let node = target, up = parentOf(node); up; node = up, up = parentOf(node)) {
    const siblings = [...unclobbered(up).children];
    const isNear = chain.length <= LEVELS && siblings.length <= MOST_SIBLINGS && siblings.includes(node);
    const around = copy(up);
    if (!siblings.includes(node)) around.setAttribute(COPY_HOST, '');
    around.append(...(isNear ? siblings.map((one) => (one === node ? top : copy(one))) : [top]));
    top = around;
    chain.push(up);
  }
  const inner = [...copies.keys()].filter((one) => target.contains(one));
  for (let up = control.parentElement; up && up !== target && target.contains(up); up = up.parentElement)
    chain.push(up);
  if (!chain.includes(control)) chain.push(control);
  top.setAttribute(COPY_ROOT, '');
  const own = new CSSStyleSheet();
  own.replaceSync(
    `${inline.join('\n')}\n*,::before,::after,::placeholder{transition:none!important;animation:none!important}`,
  );
  shadow.adoptedStyleSheets = [sheet, own];
  shadow.replaceChildren(top);

  const original = new Map([...copies].map(([element, made]) => [element, made.cloneNode()] as const));

  /** Resets a copied element's attributes to the page's. */
  const restore = (element: Element, made: Element) => {
    const as = original.get(element);
    if (!(as instanceof Element)) return;
    for (const { name } of [...made.attributes]) if (!as.hasAttribute(name)) made.removeAttribute(name);
    for (const { name, value } of as.attributes)
      if (made.getAttribute(name) !== value) made.setAttribute(name, value);
  };
  /** Removes what a script of the page set for the element's current state. */
  const clean = (made: Element) => {
    for (const name of [...made.classList]) if (saysState(name)) made.classList.remove(name);
    for (const { name, value } of [...made.attributes])
      if (saysState(name) && value !== 'false') made.removeAttribute(name);
  };
  const setMark = (made: Element, { name, value }: Mark) => {
    if (name === 'class') made.classList.add(value.replaceAll('\\', ''));
    else made.setAttribute(name, value);
  };
  const put = (moment: Pose) => {
    for (const [element, made] of copies) {
      restore(element, made);
      if (moment === 'now') {
        made.setAttribute(STATES, EVERY.filter((one) => matches(element, `:${one}`)).join(' '));
        continue;
      }
      const isInPath = chain.includes(element);
      const isControl = element === control;
      if (!isInPath && !inner.includes(element)) continue;
      clean(made);
      if (moment === 'rest') continue;
      const marks = stateMarksFor(candidates, moment, made, isControl); // before it has states, or `.ring:focus` fits
      made.setAttribute(STATES, [isInPath ? AROUND[moment] : '', isControl ? AT[moment] : ''].join(' '));
      for (const mark of marks) setMark(made, mark);
    }
  };

  const isIdle = ![target, control].some(
    (one) =>
      [':hover', ':focus-within', ':invalid', ':active'].some((state) => matches(one, state)) ||
      [...one.classList].some(saysState) ||
      [...one.attributes].some(({ name, value }) => saysState(name) && value !== 'false'),
  );

  const real: Look = (element, property, pseudo = '') =>
    getComputedStyle(element, pseudo || null).getPropertyValue(property);

  /** The computed styles of these elements and properties on the stage. */
  const snapshot = (elements: readonly Element[], properties: readonly string[]) => {
    const values = new Map<string, string>();
    for (const [index, element] of elements.entries()) {
      const made = copies.get(element);
      for (const pseudo of made ? PSEUDOS : []) {
        const style = getComputedStyle(made ?? element, pseudo || null);
        for (const property of properties)
          values.set(`${index} ${property} ${pseudo}`, style.getPropertyValue(property));
      }
    }
    return values;
  };

  return {
    /** The target and every element in it. */
    inner,
    /** The look of these elements in a pose. A value that equals the stage's `now` is taken from the page. */
    at(moment: Pose, elements: readonly Element[], properties: readonly string[]): Look {
      if (moment === 'now' || (moment === 'rest' && isIdle)) return real;
      put('now');
      const now = snapshot(elements, properties);
      put(moment);
      const then = snapshot(elements, properties);
      return (element, property, pseudo = '') => {
        const key = `${elements.indexOf(element)} ${property} ${pseudo}`;
        const value = then.get(key);
        return value === undefined || value === now.get(key) ? real(element, property, pseudo) : value;
      };
    },
    leave: () => shadow.replaceChildren(),
  };
};
