/**
 * Rules for every look of the form, judged by what a person sees on the screen. Each check returns what is wrong. None
 * knows the mistakes in `mistakes.ts`, which prove that the checks can fail.
 */
import { violations } from '../support/axe.ts';
import { formFrame } from '../support/form-frame.ts';
import type { Form } from '../support/form-states.ts';
import { NO_OVERFLOW, overflowOf } from '../support/overflow.ts';
import { painted } from '../support/painted.ts';
import {
  type Box,
  type Colour,
  contrast,
  distance,
  type Picture,
  pixelsIn,
  readPicture,
} from '../support/pixels.ts';
import { type Control, type Item, type Sight, sightOf, wear } from './sight.ts';

/** A form, and its appearance a moment ago. */
export type Look = { form: Form; sight: Sight };

type Check = (look: Look) => readonly string[] | Promise<readonly string[]>;

const named = ({ kind, text, id }: Item) => `${kind} "${text || 'next line'}"${id && ` in ${id}`}`;

const bottom = ({ y, height }: Box) => y + height;

/** Points on the four sides of a box, each with one outside it. */
const sidesOf = ({ x, y, width, height }: Box, away = 3) =>
  [0.3, 0.5, 0.7].flatMap((share) => {
    const [across, down] = [x + width * share, y + height * share];
    const [right, lower] = [x + width, y + height];
    return [
      { at: [across, y], in: [0, 1], out: [across, y - away] },
      { at: [across, lower], in: [0, -1], out: [across, lower + away] },
      { at: [x, down], in: [1, 0], out: [x - away, down] },
      { at: [right, down], in: [-1, 0], out: [right + away, down] },
    ] as const;
  });

/** The colours of a control's border on its four sides, and the best contrast of border or fill with the outside. */
const edgesOf = ({ bare }: Sight, { box }: Control) =>
  sidesOf(box).map(({ at: [x, y], in: [dx, dy], out }) => {
    const [ground, filling] = [bare(...out), bare(x + dx * 4, y + dy * 4)];
    // A round 1 px border is antialiased over three pixels, which together have its colour.
    const channel = (at: 0 | 1 | 2) =>
      [-0.75, -0.25, 0.25, 0.75, 1.25, 1.75].reduce(
        (sum, by) => sum + (bare(x + dx * by, y + dy * by)[at] - (by < 0 ? ground : filling)[at]) / 2,
        ground[at],
      );
    const within = (value: number) => Math.min(255, Math.max(0, value));
    const edge: Colour = [within(channel(0)), within(channel(1)), within(channel(2))];
    return { edge, contrast: Math.max(contrast(edge, ground), contrast(filling, ground)), x, y };
  });

/** 1.4.3, 1.4.11: everything rendered is painted completely and is legible. */
const legible: Check = ({ sight: { items } }) =>
  items.flatMap((item) => {
    const { ink, box, kind, text } = item;
    if (!ink) return [`${named(item)} is not painted`];
    // Antialiased text is slightly paler than its computed colour; axe checks that one.
    const least = kind === 'picture' ? 3 : 4.2;
    if (kind === 'text' && text.length > 3 && ink.width < box.width * 0.8 - 8)
      return [`${named(item)} is cut off`];
    return item.contrast < least && text.length > 1
      ? [`${named(item)} has ${item.contrast.toFixed(2)}:1`]
      : [];
  });

/** 1.4.11: fields and the button have edges, and an enabled button is filled. */
const edged: Check = ({ sight }) =>
  sight.controls.flatMap((control) => {
    const { id, isQuiet, isFocused, isOff } = control;
    if (isQuiet || isFocused || isOff) return [];
    const [faint] = edgesOf(sight, control).filter((side) => side.contrast < 2.6);
    return faint ? [`${id} has an edge of ${faint.contrast.toFixed(2)}:1 at ${faint.x}, ${faint.y}`] : [];
  });

/** promises 2.5: a problem is described at its field, in red, and the field's border is also red. */
const problems: Check = ({ sight }) => {
  const valid = sight.controls.filter(
    ({ isInvalid, isQuiet, isFocused, id }) => !isInvalid && !isQuiet && !isFocused && id !== 'pay',
  );
  const usual = valid[0] && edgesOf(sight, valid[0])[0]?.edge;
  return sight.controls
    .filter(({ isInvalid }) => isInvalid)
    .flatMap((control) => {
      const { id, box, describedBy, isFocused } = control;
      const said = sight.items.filter((item) => item.id === describedBy && item.kind === 'text' && item.ink);
      const [first] = said;
      if (!first) return [`${id} is wrong, and nothing says so`];
      const isNear = first.box.y >= bottom(box) - 1 && first.box.y < bottom(box) + 140;
      const isOfProblem =
        isFocused || !usual || edgesOf(sight, control).every(({ edge }) => distance(edge, usual) > 40);
      return [
        ...(isNear ? [] : [`what is wrong with ${id} is not below it`]),
        ...(first.hue === 'red' ? [] : [`what is wrong with ${id} is not red`]),
        ...(isOfProblem ? [] : [`${id} looks as if it were valid`]),
      ];
    });
};

/** A label starts where its field does, directly above it or inside it. */
const labelled: Check = ({ sight: { items, controls, isRtl } }) =>
  controls.flatMap(({ id, box, isQuiet }) => {
    if (isQuiet || id === 'pay') return [];
    const label = items.find((item) => item.id === `label of ${id}`);
    if (!label) return [`${id} has no label`];
    const inset = isRtl ? box.x + box.width - label.box.x - label.box.width : label.box.x - box.x;
    const above = box.y - bottom(label.box);
    const isInside = label.box.y > box.y && bottom(label.box) < bottom(box);
    const isAbove = above > -1 && above < 10;
    const hasValue = items.some((item) => item.id === id && item.kind === 'value');
    if (isInside && hasValue && bottom(label.ink ?? label.box) > box.y + box.height * 0.55)
      return [`the label of ${id} covers the value`];
    return (isAbove && Math.abs(inset) < 3) || (isInside && inset > 8 && inset < 20)
      ? []
      : [`the label of ${id} is ${Math.round(inset)} px from its start, ${Math.round(above)} px above it`];
  });

/** A value starts where reading starts, and can't be mistaken for an example. */
const typed: Check = ({ sight: { items, controls, isRtl } }) => {
  const open = controls.filter(
    // Selected text in the focused field has its own colours.
    ({ isQuiet, isReadOnly, isFocused }) => !isQuiet && !isReadOnly && !isFocused,
  );
  const inside = items.filter(
    ({ id, kind }) => kind !== 'text' && kind !== 'picture' && open.some((one) => one.id === id),
  );
  const [values, examples] = ['value', 'example'].map((kind) =>
    inside.filter((item) => item.kind === kind && item.ink),
  );
  const faintest = Math.min(...(values ?? []).map((item) => item.contrast));
  const alike = (examples ?? []).filter((item) => item.contrast * 1.4 > faintest);
  const astray = inside.filter(({ ink, box, text }) => {
    if (!ink) return false;
    // Ignores the other end of the field, where the brand marks are.
    const inset = isRtl ? box.x + box.width - ink.x - ink.width : ink.x - box.x;
    return inset > 22 && text !== '';
  });
  return [
    ...alike.map((item) => `${named(item)} looks as if it had been typed`),
    ...astray.map((item) => `${named(item)} does not start where the field does`),
  ];
};

/** The total is the largest text of the form. */
const totalFirst: Check = ({ sight: { items } }) => {
  const heightOf = (item: Item) => item.box.height;
  const texts = items.filter(({ kind, ink }) => kind === 'text' && ink);
  const total = texts.find(({ id }) => id === 'total');
  const larger = total ? texts.filter((item) => item !== total && heightOf(item) >= heightOf(total)) : [];
  return larger.map((item) => `${named(item)} is as large as the total`);
};

/** Texts don't overlap. */
const apart: Check = ({ sight: { items } }) => {
  const texts = items.filter(({ kind, ink }) => kind === 'text' && ink);
  return texts.flatMap((one, index) =>
    texts.slice(index + 1).flatMap((other) => {
      const [a, b] = [one.ink, other.ink];
      if (!a || !b) return [];
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const down = Math.min(bottom(a), bottom(b)) - Math.max(a.y, b.y);
      return across > 2 && down > 2 ? [`${named(one)} lies over ${named(other)}`] : [];
    }),
  );
};

/** 1.4.10: nothing is wider than its box, and neither page nor form scrolls sideways. */
const fits: Check = async ({ form: { root, page } }) => {
  const found = await overflowOf(root);
  const sideways = (one: Element) => [one.scrollWidth - one.clientWidth, one.clientWidth - innerWidth];
  const scrolls = [await root.evaluate(sideways), await page.locator(':root').evaluate(sideways)];
  const upright = await root.evaluate((one) => one.scrollHeight - one.clientHeight);
  return [
    ...(JSON.stringify(found) === JSON.stringify(NO_OVERFLOW) ? [] : [JSON.stringify(found)]),
    ...(scrolls.flat().some((by) => by !== 0) ? [`scrolls sideways, or has a scroll bar: ${scrolls}`] : []),
    ...(upright > 0 ? [`the form is ${upright} px higher than its frame`] : []),
  ];
};

/** 2.5.8, and for fingers: anything that can be pressed is 24 px high and wide, fields and the button 44. */
const pressable: Check = ({ form }) =>
  form.frame.locator('button, summary, a, input, select, [tabindex="0"]').evaluateAll((targets) =>
    targets.flatMap((target) => {
      if (!target.checkVisibility({ visibilityProperty: true })) return [];
      const { width, height } = target.getBoundingClientRect();
      const least = target.matches('input, select, .pay') && !target.matches('[data-quiet] *') ? 44 : 24;
      return height < least || width < 24
        ? [`${target.id || target.className} is ${width} by ${height} px`]
        : [];
    }),
  );

const shoot = async ({ page, root }: Form, clip: Box | null) => {
  await painted(root);
  return readPicture(await page.screenshot({ ...(clip ? { clip } : {}), scale: 'css' }));
};

/** The number of pixels that differ visibly between two pictures of the same place. */
const changesOf = (before: Picture, after: Picture, isSeen: (one: Colour, other: Colour) => boolean) => {
  let count = 0;
  for (const [x, y] of pixelsIn({ x: 0, y: 0, width: after.width, height: after.height }))
    if (isSeen(before.at(x, y), after.at(x, y))) count += 1;
  return count;
};

const RING = 8;

/** 2.4.7, 2.4.13: a focused element shows its focus, with at least as many pixels as a 1 px line around it, at 3:1. */
const focusShown: Check = async ({ form }) => {
  const calm = await wear(form, '* { transition: none !important }');
  const frame = await form.iframe.boundingBox();
  const blur = () =>
    form.root.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  const found: string[] = [];
  const stops = form.frame
    .locator('button, summary, a, input, select, [tabindex="0"]')
    .filter({ visible: true });
  await blur();
  for (const stop of await stops.all()) {
    const { box, name, isQuiet } = await stop.evaluate((one) => ({
      box: one.getBoundingClientRect().toJSON(),
      name: one.id || one.className || one.tagName,
      isQuiet: one.matches('[data-quiet] *'),
    }));
    if (isQuiet) continue; // becomes a field, and moves the content below
    const clip = {
      x: (frame?.x ?? 0) + Math.max(0, Math.floor(box.x) - RING),
      y: (frame?.y ?? 0) + Math.max(0, Math.floor(box.y) - RING),
      width: Math.ceil(box.width) + RING * 2,
      height: Math.ceil(box.height) + RING * 2,
    };
    const before = await shoot(form, clip);
    // As by keyboard, wherever it is in the order.
    await stop.evaluate((one) => one instanceof HTMLElement && one.focus({ focusVisible: true }));
    const count = changesOf(before, await shoot(form, clip), (one, other) => contrast(one, other) >= 2.2);
    const least = box.width + box.height;
    if (count < least) found.push(`${name} shows its focus in ${count} of ${Math.round(least)} pixels`);
    await blur();
  }
  await calm();
  return found;
};

const PAUSE = 250;

/** The number of pixels that change without any input. */
const movement = async (form: Form) => {
  const clip = await form.iframe.boundingBox();
  const before = await shoot(form, clip);
  await form.page.waitForTimeout(PAUSE);
  return changesOf(before, await shoot(form, clip), (one, other) => distance(one, other) > 12);
};

/** 2.3.3: with reduced motion, nothing moves. */
const still: Check = async ({ form }) => {
  const count = await movement(form);
  return count > 8 ? [`${count} pixels change by themselves`] : [];
};

/** Without reduced motion, the progress indicator moves. */
const moving: Check = async ({ form }) => {
  await form.page.emulateMedia({ reducedMotion: 'no-preference' });
  const count = await movement(form);
  await form.page.emulateMedia({ reducedMotion: 'reduce' });
  return count < 12 ? ['nothing moves'] : [];
};

/** After an answer, everything the buyer needs is in view without scrolling. */
const inView: Check = async ({ form, sight: { items } }) => {
  const frame = await form.iframe.boundingBox();
  const { height = 0 } = form.page.viewportSize() ?? {};
  const needed = items.filter(({ id }) => id === 'notice' || id === 'total' || id === 'pay');
  return needed.flatMap((item) => {
    const top = (frame?.y ?? 0) + item.box.y;
    return top < 0 || top + item.box.height > height ? [`${named(item)} is not in view`] : [];
  });
};

/** On paper, nothing that could be used to pay with the card. */
const discreet: Check = ({ sight: { items } }) =>
  items.flatMap((item) =>
    item.kind === 'value' && /number|expiry|cvc/.test(item.id) ? [`${named(item)} is on paper`] : [],
  );

/** The WCAG rules that a machine can check. */
const axe: Check = async ({ form: { page } }) =>
  violations(
    formFrame(page),
    await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor),
  );

const NOTHING: Sight = {
  items: [],
  controls: [],
  isRtl: false,
  at: () => [0, 0, 0],
  bare: () => [0, 0, 0],
  width: 0,
  height: 0,
};

export const CHECKS = {
  legible,
  edged,
  problems,
  labelled,
  typed,
  totalFirst,
  apart,
  fits,
  pressable,
  focusShown,
  still,
  moving,
  inView,
  discreet,
  axe,
} as const satisfies Record<string, Check>;

export type CheckName = keyof typeof CHECKS;

/** Checks that examine the form directly. */
const BY_THEMSELVES: readonly CheckName[] = ['fits', 'pressable', 'focusShown', 'still', 'moving', 'axe'];

/** Runs these checks on a form and returns their findings. */
export const findings = async (form: Form, names: readonly CheckName[]): Promise<readonly string[]> => {
  const found: string[] = [];
  const needed = names.filter((name) => !BY_THEMSELVES.includes(name));
  const sight = needed.length > 0 ? await sightOf(form) : NOTHING;
  for (const name of names)
    for (const one of await CHECKS[name]({ form, sight })) found.push(`${name}: ${one}`);
  return found;
};
