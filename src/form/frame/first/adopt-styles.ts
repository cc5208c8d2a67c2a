/**
 * Adds rules after the document's own. The content security policy forbids inline styles, but not a style sheet that a
 * script constructs.
 */
export const adoptStyles = (rules: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};
