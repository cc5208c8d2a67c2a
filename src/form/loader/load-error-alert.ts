import { createElement } from './create-element.ts';
import type { CardFormOptions, LoadErrorReason } from './types.ts';

/**
 * The sentence for the buyer and the button's label, by the browser's language. Every buyer downloads them, so there
 * are only a few; a page supplies other languages as `translations`.
 */
const WORDS: Readonly<Record<string, string>> = {
  de: 'Formular lädt nicht.|Neu laden',
  fr: 'Le formulaire ne charge pas.|Réessayer',
  es: 'El formulario no carga.|Reintentar',
};

/**
 * The alert that replaces a form that did not load: a sentence for the buyer, the reason for developers, and a button
 * that calls `onclick`, if the buyer can try again. Browsers don't reveal whether a policy or the hash blocked a file.
 */
export const createLoadErrorAlert = (
  reason: LoadErrorReason | 'csp, integrity',
  { translations }: Pick<CardFormOptions, 'translations'>,
  onclick?: () => void,
): HTMLDivElement => {
  const [sentence, again] = (
    WORDS[navigator.language.slice(0, 2)] ?? 'Card form does not load.|Try again'
  ).split('|');
  const alert = createElement('div', {
    role: 'alert',
    textContent: `${translations?.['notice.load_failed'] ?? sentence} (${reason}) `,
  });
  if (onclick) {
    alert.append(
      createElement('button', {
        type: 'button',
        textContent: translations?.['action.try_again'] ?? again,
        onclick,
      }),
    );
  }
  return alert;
};
