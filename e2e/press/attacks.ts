/**
 * Ways a page can hide the amount from the buyer, as data. `e2e/engines/attacks.ts` plays them in every engine by
 * Enter; `press-attacks.spec.ts` plays some with a pointer. In markup, `&` stands for the form's place.
 */
const FALSE_TOTAL = '<p>Total $1.00</p><p>Pay $1.00</p>';
const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';

/** Markup that covers a form but lets the pointer through. */
export const COVERS: Readonly<Record<string, string>> = {
  'opaque box': `<div style="position:absolute;&;background:#fff;pointer-events:none;z-index:9">${FALSE_TOTAL}</div>`,
  'fixed box': `<div style="position:fixed;inset:0;background:#fff;pointer-events:none;z-index:9">${FALSE_TOTAL}</div>`,
  'box whose style no sheet reaches': `<div style="position:absolute;&;background:#fff;pointer-events:none!important;z-index:9">${FALSE_TOTAL}</div>`,
  'inert box': `<div inert style="position:absolute;&;background:#fff;z-index:9">${FALSE_TOTAL}</div>`,
  'box of a class': `<style>.c{pointer-events:none!important}</style><div class="c" style="position:absolute;&;background:#fff;z-index:9"></div>`,
  'box of a layer': `<style>@layer first{.c{pointer-events:none!important}}</style><div class="c" style="position:absolute;&;background:#fff;z-index:9"></div>`,
  'pseudo-element of its ancestor': `<style>:has(>iframe){position:relative}:has(>iframe)::after{content:"";position:absolute;inset:0;background:#fff;pointer-events:none;z-index:9}</style>`,
  'text of its ancestor': `<style>body>:has(iframe){position:relative}body>:has(iframe)::before{content:"${'█'.repeat(2000)}";position:absolute;inset:0;overflow:hidden;font:40px/1 monospace;color:#fff;word-break:break-all;pointer-events:none;z-index:9}</style>`,
  picture: `<img src="${DOT}" style="position:absolute;&;pointer-events:none;z-index:9">`,
  'content of an element': `<div style="position:absolute;&;content:url(${DOT});pointer-events:none;z-index:9"></div>`,
  'picture of a border': `<div style="position:absolute;&;border:0 solid;border-image:linear-gradient(#fff,#fff) 1 fill/500px;pointer-events:none;z-index:9"></div>`,
  'rule between columns': `<div style="position:absolute;&;columns:2;column-rule:900px solid #fff;pointer-events:none;z-index:9"></div>`,
  'text without a box': `<div style="position:absolute;&;overflow:hidden;color:#fff;font:40px/1 monospace;word-break:break-all;pointer-events:none;z-index:9"><div style="display:contents">${'█'.repeat(2000)}</div></div>`,
  'line under spaces': `<div style="position:absolute;&;overflow:hidden;white-space:pre;pointer-events:none;z-index:9;font:900px/1 monospace;text-decoration-line:line-through;text-decoration-thickness:900px;text-decoration-color:#fff">        </div>`,
  'inner shadow': `<div style="position:absolute;&;box-shadow:inset 0 0 0 2000px #fff;pointer-events:none;z-index:9"></div>`,
  'wide border': `<div style="position:absolute;&;box-sizing:border-box;border:500px solid #fff;pointer-events:none;z-index:9"></div>`,
  'blur over it': `<div style="position:absolute;&;backdrop-filter:blur(30px);pointer-events:none;z-index:9"></div>`,
  'words of blocks': `<div style="position:absolute;&;overflow:hidden;color:#fff;font:40px/1 monospace;word-break:break-all;pointer-events:none;z-index:9">${'█'.repeat(2000)}</div>`,
  'form with clobbered names': `<form style="position:absolute;&;background:#fff;pointer-events:none;z-index:9"><input name="contains"><input name="matches"><input name="parentNode"><input name="childNodes"></form><img name="elementsFromPoint"><img name="adoptedStyleSheets"><img name="querySelectorAll">`,
};

/**
 * A cover whose transition keeps `pointer-events: none` in force, so it can't be made to catch the pointer. A click
 * would reach it.
 */
export const TRANSITION =
  '<style>.c{pointer-events:none;transition:pointer-events 9999s allow-discrete!important}</style><div class="c" style="position:absolute;&;background:#fff;z-index:9"></div>';

/** A box over exactly this part of the page, in CSS pixels. */
export const boxOver = (left: number, top: number, width: number, height: number): string =>
  `<div style="position:absolute;left:${left}px;top:${top}px;width:${width}px;height:${height}px;background:#fff;pointer-events:none;z-index:9"></div>`;

/** Bars above and below the middle of each amount: height and distance in CSS pixels, and how many on each side. */
export const BARS: Readonly<Record<string, readonly [height: number, distance: number, number: number]>> = {
  'two bars': [18, 2, 1],
  'thin bars': [2, 3, 4],
};

/** These bars around a vertical position on the page, in CSS pixels. */
export const barsAround = (middle: number, [height, distance, number]: (typeof BARS)[string]): string => {
  const bar = (top: number) => boxOver(0, top, 1280, height);
  return Array.from({ length: number }, (_, index) => distance / 2 + index * (height + distance))
    .map((at) => bar(middle + at) + bar(middle - at - height))
    .join('');
};

/** Tries to move the form within its iframe. */
export const INSET = '<style>iframe{padding:0 0 200px!important;border:solid 20px!important}</style>';

/** Each keeps the page's script from answering for longer than the form waits. */
export const DELAYS: Readonly<Record<string, string>> = {
  '12,000 boxes whose style no sheet reaches':
    '<i style="position:absolute;left:0;top:0;width:1px;height:1px;pointer-events:none!important"></i>'.repeat(
      12_000,
    ),
  '12,000 boxes over the form': '<i style="position:absolute;&;pointer-events:none"></i>'.repeat(12_000),
};

/** Styles around the form that make all or part of it unreadable. */
export const UNREADABLE: Readonly<Record<string, string>> = {
  'a nearly transparent form': 'opacity: .02',
  'a form without contrast': 'filter: contrast(0)',
  'a black form': 'filter: brightness(0)',
  'a white form': 'filter: brightness(100)',
  'a half inverted form': 'filter: invert(.5)',
  'a form with a little of three filters': 'filter: contrast(.7) brightness(.7) opacity(.7)',
  'a form with a filter of the page': "filter: url('#filter')",
  'a flat form': 'transform: scaleY(.12)',
};

/** Cuts a hole into the form where its total is. */
export const HOLE = 'clip-path: path(evenodd, "M0 0H2000V2000H0Z M0 0H2000V130H0Z")';

/** Keeps a view transition's picture of the page over it. */
export const HELD_PICTURE =
  '::view-transition{pointer-events:none}::view-transition-old(root){animation:wait 9999s;z-index:1}::view-transition-new(root){animation:none}@keyframes wait{}';

/** Lays markup over the form; runs in the page. The selector finds the form's place. */
export const layOver = ([markup, selector]: readonly [markup: string, selector: string]): void => {
  const {
    x = 0,
    y = 0,
    width = 0,
    height = 0,
  } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
  const place = `left:${x + scrollX}px;top:${y + scrollY}px;width:${width}px;height:${height}px`;
  const layer = document.createElement('div');
  layer.id = 'layer';
  layer.setHTMLUnsafe(markup.replaceAll('&', place));
  document.body.append(layer);
};

/** The top left corner of the content box of the form's iframe, on the page. The selector finds the iframe. */
export const contentOf = (selector: string): { x: number; y: number } => {
  const iframe = document.querySelector(selector) ?? document.body;
  const { x, y } = iframe.getBoundingClientRect();
  const style = getComputedStyle(iframe);
  const px = Number.parseFloat;
  return {
    x: x + px(style.paddingLeft) + px(style.borderLeftWidth),
    y: y + px(style.paddingTop) + px(style.borderTopWidth),
  };
};
