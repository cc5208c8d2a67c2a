/** The page behind a form under inspection: light or dark like the system, and otherwise empty. */
export const PAGE = `
:root { color-scheme: light dark }
body { margin: 16px; background: light-dark(#fff, #121214); color: light-dark(#000, #fff) }
h1 { display: none }`;
