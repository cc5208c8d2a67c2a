/** Prints a field and a button of React libraries, and their styles, as JSON. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const React = require('react');
const { renderToString } = require('react-dom/server');
const { CacheProvider } = require('@emotion/react');
const createCache = require('@emotion/cache').default;
const createEmotionServer = require('@emotion/server/create-instance').default;
const mui = require('@mui/material');
const mantine = require('@mantine/core');
const polaris = require('@shopify/polaris');

const h = React.createElement;

const withoutStyles = (html) => html.replace(/<style[\s\S]*?<\/style>/g, '');

const material = (mode) => {
  const cache = createCache({ key: 'css' });
  const { extractCriticalToChunks, constructStyleTagsFromChunks } = createEmotionServer(cache);
  const theme = mui.createTheme({ palette: { mode } });
  const body = renderToString(
    h(
      CacheProvider,
      { value: cache },
      h(
        mui.ThemeProvider,
        { theme },
        h(mui.CssBaseline),
        h(mui.OutlinedInput, { id: 'email', fullWidth: true, placeholder: 'you@example.com' }),
        h('p'),
        h(mui.Button, { id: 'buy', variant: 'contained', fullWidth: true }, 'Buy'),
      ),
    ),
  );
  const css = constructStyleTagsFromChunks(extractCriticalToChunks(body)).replace(/<\/?style[^>]*>/g, '\n');
  return { body: withoutStyles(body), css };
};

const mantineBody = withoutStyles(
  renderToString(
    h(
      mantine.MantineProvider,
      null,
      h(mantine.TextInput, { id: 'email', label: 'Email', placeholder: 'you@example.com' }),
      h('p'),
      h(mantine.Button, { id: 'buy', fullWidth: true }, 'Buy'),
    ),
  ),
);

const polarisBody = renderToString(
  h(
    polaris.AppProvider,
    { i18n: {} },
    h(polaris.TextField, {
      id: 'email',
      label: 'Email',
      autoComplete: 'off',
      placeholder: 'you@example.com',
      onChange() {},
    }),
    h('p'),
    h(polaris.Button, { id: 'buy', variant: 'primary', fullWidth: true }, 'Buy'),
  ),
);

console.log(
  JSON.stringify({
    material: material('light'),
    materialDark: material('dark'),
    mantine: mantineBody,
    polaris: polarisBody,
  }),
);
