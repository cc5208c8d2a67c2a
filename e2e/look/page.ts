/** The page behind a form that is looked at: light or dark as the system is, with nothing else on it. */
export const PAGE = `
:root { color-scheme: light dark }
body { margin: 16px; background: light-dark(#fff, #121214); color: light-dark(#000, #fff) }
h1 { display: none }`;
