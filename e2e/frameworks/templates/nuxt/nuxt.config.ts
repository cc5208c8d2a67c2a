export default defineNuxtConfig({
  telemetry: false,
  compatibilityDate: '2026-01-01',
  app: { head: { title: 'Shop', link: [{ rel: 'icon', href: 'data:,' }] } },
});
