// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { createLoadErrorAlert } from './load-error-alert.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const inBrowser = (language: string) => vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);

it.each([
  ['de-AT', 'Formular lädt nicht. (timeout) Neu laden'],
  ['fr', 'Le formulaire ne charge pas. (timeout) Réessayer'],
  ['es-MX', 'El formulario no carga. (timeout) Reintentar'],
  ['en-GB', 'Card form does not load. (timeout) Try again'],
  ['pl', 'Card form does not load. (timeout) Try again'],
  ['__proto__', 'Card form does not load. (timeout) Try again'],
])('says to a browser in %j: %s', (browser, text) => {
  inBrowser(browser);
  expect(createLoadErrorAlert('timeout', {}, () => {}).textContent).toBe(text);
});

it("has the page's own sentence and button, as text and not as markup", () => {
  inBrowser('de');
  const translations = {
    'notice.load_failed': 'Nie udało się wczytać <b>formularza</b>.',
    'action.try_again': 'Spróbuj ponownie',
  };
  const alert = createLoadErrorAlert('http', { translations }, () => {});
  expect(alert.textContent).toBe('Nie udało się wczytać <b>formularza</b>. (http) Spróbuj ponownie');
  expect(alert.querySelector('b')).toBeNull();
});

it('keeps its own words where the page gives others', () => {
  const alert = createLoadErrorAlert('http', { translations: { pay: 'Buy for {amount}' } }, () => {});
  expect(alert.textContent).toBe('Card form does not load. (http) Try again');
});

it('has no button if the buyer cannot try again', () => {
  expect(createLoadErrorAlert('opaque_parent', {}).querySelector('button')).toBeNull();
});
