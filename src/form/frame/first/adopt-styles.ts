/**
 * Adds rules after the document's own. The content security policy forbids inline styles, but allows constructed style
 * sheets.
 */
export const adoptStyles = (rules: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};
