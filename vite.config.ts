import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __RELEASE__: '"dev"' },
  test: { include: ['src/**/*.test.{ts,tsx}'], environment: 'node' },
});
