/**
 * Forms with one visible mistake each, of the kind that careful people make when they change a style. Each must be
 * noticed by a check that does not know it (`checks.ts`), or read differently from golden/screenshots/readings.
 */
import type { StateName } from '../support/form-states.ts';
import type { CheckName } from './checks.ts';

type Media = 'light' | 'dark' | 'forced' | 'print';

export type Mistake = {
  /** "A form …" */
  name: string;
  /** The promise that it breaks. */
  breaks: string;
  /** Styles applied over the built form. */
  css: string;
  noticedBy: CheckName | 'reading';
};

export type MistakenLook = {
  state: StateName;
  locale?: string;
  media?: Media;
  width?: number;
  height?: number;
  mistakes: readonly Mistake[];
};

const mistake = (name: string, breaks: string, noticedBy: Mistake['noticedBy'], css: string): Mistake => ({
  name,
  breaks,
  css,
  noticedBy,
});

export const MISTAKEN: readonly MistakenLook[] = [
  {
    state: 'ready',
    mistakes: [
      mistake(
        'shows no focus ring on fields',
        '2.8',
        'focusShown',
        '.control:focus-visible { box-shadow: none !important; border-color: var(--field-line) !important }',
      ),
      mistake(
        'shows no focus ring on the button',
        '2.8',
        'focusShown',
        '.pay:focus-visible { outline: none !important }',
      ),
      mistake(
        'lacks the mark of a brand',
        '2.4',
        'reading',
        '.brand:nth-of-type(2) { display: none !important }',
      ),
      mistake(
        'has examples in the colour of typed values',
        '2.7',
        'typed',
        '.control::placeholder { color: var(--ink) !important }',
      ),
      mistake('lacks the ribbon of the sandbox', '5', 'reading', '.ribbon { visibility: hidden !important }'),
      mistake(
        'has no amount on its button',
        '2.2',
        'reading',
        '.pay [data-amount] { display: none !important }',
      ),
      mistake(
        'has a button that looks as if it were off',
        '2.7',
        'edged',
        '.pay { background: var(--ground-soft) !important; color: var(--ink-soft) !important; border-color: var(--line) !important }',
      ),
      mistake('has faint borders', '2.7', 'edged', '.control { border-color: #dfe3ea !important }'),
      mistake(
        'has a label away from its field',
        '2.8',
        'labelled',
        '.field-head { margin-bottom: 22px !important }',
      ),
      mistake(
        'has its total in the size of other texts',
        '2.2',
        'totalFirst',
        '.total { font-size: 16px !important; line-height: 24px !important }',
      ),
      mistake(
        'hides a label from all but screen readers',
        '2.8',
        'labelled',
        '.field-head label { opacity: 0 !important }',
      ),
      mistake('has no heading of a section', '2.7', 'reading', 'legend { visibility: hidden !important }'),
      mistake(
        'has fields that are too low for a finger',
        '2.8',
        'pressable',
        '.control { height: 34px !important }',
      ),
      mistake(
        'has no arrow at its closed details',
        '2.2',
        'reading',
        '.details summary::after { display: none !important }',
      ),
      mistake(
        'paints a text in nearly the colour of the page',
        '2.7',
        'legible',
        '.secure { color: #8a93a3 !important }',
      ),
      mistake(
        'covers a field',
        '2.7',
        'legible',
        '.summary { position: relative; z-index: 2; box-shadow: 0 60px 0 #fff !important }',
      ),
    ],
  },
  {
    state: 'ready',
    media: 'dark',
    mistakes: [
      mistake(
        'has texts of too little contrast in the dark',
        '2.7',
        'legible',
        ':root { --ink-soft: #6d7480 !important }',
      ),
      mistake(
        'keeps the colour of its labels in the dark',
        '2.7',
        'legible',
        '.field-head label { color: #16202e !important }',
      ),
    ],
  },
  {
    state: 'ready',
    media: 'forced',
    mistakes: [
      mistake('has no borders in forced colours', '2.7', 'edged', '.control, .pay { border: 0 !important }'),
      mistake(
        'has no focus ring in forced colours',
        '2.8',
        'focusShown',
        '.control:focus-visible { outline: none !important }',
      ),
    ],
  },
  {
    state: 'ready',
    width: 320,
    mistakes: [
      mistake('scrolls sideways on a small phone', '2.7', 'fits', '.summary { min-width: 340px !important }'),
      mistake(
        'cuts off its total',
        '2.7',
        'fits',
        '.total { max-width: 60px !important; overflow: hidden !important; flex: none !important }',
      ),
      mistake(
        'has labels that lie over each other',
        '2.7',
        'apart',
        '.field[data-wide="false"] { flex: 0 0 40px; min-width: 0 !important } .field-head { overflow: visible !important }',
      ),
    ],
  },
  {
    state: 'ready',
    locale: 'ar',
    mistakes: [
      mistake(
        'has numbers at the left from right to left',
        '2.6',
        'typed',
        ':root .control { text-align: left !important }',
      ),
      mistake(
        'has labels at the left from right to left',
        '2.6',
        'labelled',
        '.field-head { direction: ltr !important }',
      ),
    ],
  },
  {
    state: 'problems',
    mistakes: [
      mistake(
        'says nothing at a field with a problem',
        '2.5',
        'problems',
        '.problem { display: none !important }',
      ),
      mistake(
        'has no red border at a field with a problem',
        '2.5',
        'problems',
        '.field[data-state="problem"] .control { border-color: var(--field-line) !important }',
      ),
      mistake(
        'says a problem in the colour of all texts',
        '2.5',
        'problems',
        '.problem { color: inherit !important }',
      ),
      mistake(
        'says a problem outside of the screen',
        '2.5',
        'problems',
        '.problem { position: absolute; inset-inline-start: -999px }',
      ),
    ],
  },
  {
    state: 'total-changed',
    height: 844,
    mistakes: [
      mistake(
        'does not mark a total that has changed',
        '2.9',
        'reading',
        '.total bdi { background: none !important; box-shadow: none !important }',
      ),
      mistake(
        'does not strike through the total of before',
        '2.9',
        'reading',
        '.total-label s { text-decoration: none !important }',
      ),
      mistake(
        'does not underline the amount on its button',
        '2.9',
        'reading',
        '.pay [data-amount] { text-decoration: none !important }',
      ),
      mistake(
        'has its notice outside of the screen',
        '2.9',
        'legible',
        '.notices { position: absolute !important; inset-inline-start: -999px }',
      ),
      mistake('has its button below the screen', '2.9', 'inView', '.pay-place { margin-top: 400px }'),
      mistake('hides "Change"', '2.3', 'reading', '.link { visibility: hidden !important }'),
    ],
  },
  {
    state: 'declined',
    mistakes: [
      mistake(
        'says a decline as if all were well',
        '2.9',
        'reading',
        '.notice { background: var(--info-ground) !important; color: inherit !important }',
      ),
    ],
  },
  {
    state: 'second-card',
    mistakes: [
      mistake(
        'does not offer to change folded parts',
        '2.9',
        'reading',
        '.folded .link { opacity: 0 !important }',
      ),
    ],
  },
  {
    state: 'processing',
    mistakes: [
      mistake(
        'has a spinner that does not spin',
        '2.7',
        'moving',
        '#form .spinner { animation: none !important }',
      ),
      mistake(
        'moves although no motion is wanted',
        '2.7',
        'still',
        '#form .spinner { animation: spin 0.8s linear infinite !important }',
      ),
      mistake('has no spinner', '2.7', 'reading', '.spinner { display: none !important }'),
    ],
  },
  {
    state: 'filling',
    media: 'print',
    mistakes: [mistake('prints the card', '2.7', 'discreet', '.digits { visibility: visible !important }')],
  },
  {
    state: 'succeeded',
    mistakes: [
      mistake(
        'has a receipt without the last four digits',
        '2.7',
        'reading',
        '.receipt dd:first-of-type { display: none !important }',
      ),
      mistake(
        'has a sentence about the outcome that is not seen',
        '2.7',
        'reading',
        '.outcome h2 { clip-path: inset(50%) }',
      ),
      mistake(
        'has no mark of the outcome',
        '2.7',
        'reading',
        '.outcome-mark svg { visibility: hidden !important }',
      ),
    ],
  },
  {
    state: 'floating',
    mistakes: [
      mistake(
        'lets a floating label lie over the value',
        '2.7',
        'labelled',
        ':root[data-labels="floating"] .field-head label { transform: none !important }',
      ),
    ],
  },
  {
    state: 'grouped',
    mistakes: [
      mistake(
        'has grouped fields without an outline',
        '2.7',
        'edged',
        '.control { border-color: transparent !important }',
      ),
    ],
  },
];
