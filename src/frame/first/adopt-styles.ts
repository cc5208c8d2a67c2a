/**
 * Adds rules after the document's own. A constructed style sheet needs no `unsafe-inline` in the content security policy,
 * which forbids inline styles.
 */
export const adoptStyles = (rules: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};
