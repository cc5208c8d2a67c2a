import { defineConfig } from 'vitest/config';
import { addressData } from './src/address/compile.ts';

export default defineConfig({
  define: { __RELEASE__: '"dev"' },
  plugins: [addressData()],
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node' },
});
