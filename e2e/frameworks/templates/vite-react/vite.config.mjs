import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { createPayment, wrapOrder } from './shop.mjs';

/** The shop's server, as part of `vite preview`. */
const server = {
  name: 'server',
  configurePreviewServer({ middlewares }) {
    middlewares.use('/api', async ({ url }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://shop');
      const answer = await (pathname === '/wrap' ? wrapOrder : createPayment)(searchParams.get('order'));
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(answer ?? {}));
    });
  },
};

export default defineConfig({ plugins: [react(), server] });
