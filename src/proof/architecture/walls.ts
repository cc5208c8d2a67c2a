/**
 * The folders: their purpose, where they run, and what they may import. imports.test.ts enforces the walls;
 * `npm run map` writes the table in docs/architecture.md from this.
 */

/** A folder or file with its own walls. */
export type Walls = {
  /** Its purpose, as the end of a sentence. */
  is: string;
  /** Where it runs and who receives it; if absent, as the enclosing folder. */
  runs?: string;
  /** The reason why it is separate from its neighbours. */
  apart: string;
  /**
   * What its files may import, apart from their own place and src/form/check.ts: folders and files. The prefix `type:`
   * allows only `import type`, and `lazy:` only `import()`.
   */
  imports: readonly string[];
  /** Further places that its nested places may import. */
  inside?: readonly string[];
};

/** Splits folders and files at spaces. */
const places = (paths: string): readonly string[] => paths.trim().split(/\s+/);

/**
 * Walls by path. Places nest, and the most specific match for a file wins: the entry of `src/sandbox/service` covers
 * only the files directly in that folder, and every subfolder needs an entry. A nested place may not import more from
 * outside than its enclosing folder.
 */
export const WALLS: Readonly<Record<string, Walls>> = {
  'src/api': {
    is: 'schemas, errors, routes and client of the service',
    runs: 'everywhere; no package in what `loader`, `first` and `merchant/server` take of it',
    apart: 'Knows how an answer is read, not what it means for a payment.',
    imports: places('src/api/clock src/api/served src/api/command'),
  },
  'src/api/clock': {
    is: 'clocks and time limits',
    runs: 'everywhere',
    apart: 'Below everything: time is an argument everywhere.',
    imports: [],
  },
  'src/api/served': {
    is: 'the contract of static files: addresses, headers, hashes, signatures',
    runs: "the owner's servers, as configuration; the sandbox",
    apart: 'The one source for the sandbox, nginx, Caddy and Cloudflare.',
    imports: places('src/api/routes.ts'),
  },
  'src/api/command': {
    is: 'flags, errors and requests of a command',
    runs: "a developer's or the owner's terminal, by npm",
    apart: 'Sandbox and owner have commands, and one way to read and to refuse them.',
    imports: places('src/api/routes.ts src/api/served/headers.ts'),
  },
  'src/form': {
    is: 'all that a buyer downloads',
    runs: "the buyer's browser",
    apart: 'Nothing of it knows who runs the service.',
    imports: places(`
      src/api src/form/address src/form/appearance src/form/card src/form/channel src/form/frame
      src/form/i18n src/form/loader src/form/payment`),
  },
  'src/form/card': {
    is: 'rules for card numbers, dates and codes',
    runs: 'the iframe, in its document and with `form.js`',
    apart: 'Knows neither the service nor the screen.',
    imports: [],
  },
  'src/form/address': {
    is: 'addresses of every country',
    runs: 'the iframe; one data file for each region, when it is needed',
    apart: 'The countries are small files, loaded when one is chosen.',
    imports: places('src/api/limits.ts'),
  },
  'src/form/i18n': {
    is: 'words, numbers and money in each language',
    runs: 'the iframe; one script for each language but English',
    apart: 'Complete by type: a sentence that lacks a translation does not compile.',
    imports: places('src/api/decline-codes.ts src/form/channel/button-types.ts'),
  },
  'src/form/appearance': {
    is: "checks a merchant's theme",
    runs: 'the iframe, if the page sets an appearance',
    apart: 'Turns foreign values into tokens; no CSS text gets through.',
    imports: places('src/form/channel/own-property.ts src/form/channel/rule-ranges.ts'),
  },
  'src/form/channel': {
    is: 'messages between loader and frame; the tables of options, events and fields',
    runs: "the merchant's page and the iframe; every buyer",
    apart: 'Both programs, which may be of different releases, have to agree on it.',
    imports: places(`
      src/api/limits.ts type:src/api/decline-codes.ts type:src/api/errors.ts
      type:src/form/card/brand-names.ts`),
  },
  'src/form/payment': {
    is: 'the state machine of one payment',
    runs: 'the iframe, with `payment.js`',
    apart:
      'Pure: no DOM, no network, no clock of its own, no card data. So every state can be visited in a test.',
    imports: places('src/api'),
  },
  'src/form/loader': {
    is: "the script on the merchant's page",
    runs: "the merchant's page; every buyer",
    apart:
      'It runs among foreign scripts, so it has no dependency, no schema and no card data. Of `channel` it takes constants, types and a few small functions.',
    imports: places(`
      src/form/channel/protocol.ts src/form/channel/iframe-attributes.ts
      src/form/channel/own-property.ts src/form/channel/page-font.ts src/form/channel/parking.ts
      src/form/channel/rule-ranges.ts src/form/channel/suggestion.ts src/form/channel/swap-secret.ts
      src/form/channel/closest-name.ts src/form/channel/events.ts type:src/form/channel/button-types.ts
      type:src/form/channel/diagnostics.ts type:src/form/channel/error-codes.ts
      type:src/form/channel/fields.ts type:src/form/channel/commands.ts
      type:src/form/channel/messages.ts type:src/form/channel/options.ts
      type:src/form/channel/read-options.ts type:src/form/channel/result.ts type:src/form/i18n/en.ts`),
  },
  'src/form/frame': {
    is: 'the form in the cross-origin iframe',
    runs: 'the iframe, with `payment.js` and `form.js`; every buyer',
    apart: "The only place where a card is typed. Nothing but the service's own build runs here.",
    imports: places(`
      src/form/frame/first src/form/frame/view src/form/frame/form src/form/frame/press
      src/form/frame/merchant src/form/frame/session src/form/frame/components src/form/frame/styles
      src/form/payment src/api src/form/channel src/form/card src/form/address src/form/i18n
      src/form/appearance`),
  },
  'src/form/frame/main.ts': {
    is: 'the entry: handshake, first read, shows the form',
    runs: 'the iframe, in its document',
    apart: 'All that a buyer waits for, together with `first`.',
    imports: places(`
      src/form/frame/first src/form/address/hint.ts src/form/channel/read-options.ts
      src/form/channel/handshake.ts src/form/channel/own-property.ts type:src/form/channel/messages.ts
      src/form/i18n/locale.ts lazy:src/form/frame/session/payment.ts lazy:src/form/frame/form.tsx
      lazy:src/form/frame/appearance.ts`),
  },
  'src/form/frame/first': {
    is: 'what a buyer needs in order to type',
    runs: 'the iframe, in its document',
    apart: 'Nothing of it imports the rest of the frame, and it uses no package.',
    imports: places(`
      src/form/address/country-codes.ts src/form/address/hint.ts src/api/client-request.ts
      type:src/form/appearance/resolve.ts src/form/card src/form/channel/backdrop.ts
      src/form/channel/fields.ts type:src/form/channel/read-options.ts type:src/form/channel/messages.ts
      type:src/form/channel/port.ts type:src/form/i18n/en.ts type:src/form/i18n/en-form.ts
      src/form/i18n/locale.ts src/form/i18n/languages.ts src/form/i18n/catalogs.ts`),
  },
  'src/form/frame/view': {
    is: "from the payment's state to words and amounts",
    apart: 'Pure, tested as a table.',
    imports: places('src/form/frame/first src/form/payment src/api/money.ts src/form/channel src/form/i18n'),
  },
  'src/form/frame/form': {
    is: 'what was typed',
    apart: 'The only place with card data, apart from the body of confirm.',
    imports: places(`
      src/form/frame/first src/form/frame/view src/api src/form/channel src/form/card src/form/address
      src/form/i18n`),
  },
  'src/form/frame/press': {
    is: 'whether a press counts',
    apart: 'Every rule names the attack it stops (threat-model 1.4).',
    imports: places(`
      src/form/frame/first src/form/frame/view src/form/frame/form src/api src/form/channel
      src/form/i18n`),
  },
  'src/form/frame/merchant': {
    is: 'options from the page, events to it',
    apart: 'What the page hears follows from the same state as what the buyer sees.',
    imports: places(`
      src/form/frame/first src/form/frame/view src/form/frame/form src/form/frame/press
      src/form/frame/styles/problem-panel.css src/form/payment src/api src/form/channel src/form/card
      src/form/address src/form/i18n type:src/form/appearance/resolve.ts`),
  },
  'src/form/frame/session': {
    is: 'joins form, payment, page and other tabs',
    apart: '`session.ts` knows no DOM, so that the simulation runs the wiring that buyers use.',
    imports: places(`
      src/form/frame/first src/form/frame/view src/form/frame/form src/form/frame/press
      src/form/frame/merchant src/form/payment src/api src/form/channel src/form/card src/form/i18n`),
  },
  'src/form/frame/components': {
    is: 'what is drawn',
    runs: 'the iframe, with `form.js`; prerendered when it is built',
    apart: 'Takes signals and callbacks; has no rule of the payment.',
    imports: places(`
      src/form/frame/first src/form/frame/view src/form/frame/form src/form/frame/styles/test-cards.css
      src/form/frame/styles/receipt.css src/form/frame/press type:src/form/frame/session/connect.ts
      src/form/payment src/api/money.ts src/form/channel src/form/card src/form/address src/form/i18n`),
  },
  'src/form/frame/styles': {
    is: 'style sheets',
    apart: 'Written into the document, or into the scripts that need them.',
    imports: [],
  },
  'src/merchant': {
    is: 'what the npm package exports',
    runs: "the merchant's bundle or server, by npm",
    apart: 'The script itself is never bundled, so it takes types from the loader.',
    imports: places(`
      type:src/form/loader/types.ts src/form/loader/unclobbered.ts src/form/channel/events.ts
      src/form/channel/field-controls.ts src/form/channel/field-names.ts
      src/form/channel/iframe-attributes.ts src/form/channel/options.ts src/form/channel/own-property.ts
      src/form/channel/swap-secret.ts type:src/form/channel/fields.ts src/merchant/server src/api`),
    inside: places('src/form'),
  },
  'src/merchant/server': {
    is: "the service's routes for a merchant's server",
    runs: "the merchant's server, in any runtime, by npm",
    apart: 'Runs in any runtime, so it has no dependency and nothing of Node.',
    imports: places(`
      src/api/clock/clock.ts src/api/errors.ts src/api/limits.ts src/api/loopback.ts src/api/secrets.ts
      src/api/routes.ts src/api/clock/with-timeout.ts`),
  },
  'src/merchant/fake': {
    is: "the form for a shop's component tests",
    runs: "the shop's tests, in happy-dom or jsdom, by npm",
    apart: "It contains the form's code, which no shop may bundle for its buyers.",
    imports: places(`
      src/form/loader src/form/channel src/form/frame/first src/form/frame/form src/form/frame/merchant
      src/form/frame/press src/form/frame/session src/form/frame/view src/form/payment src/form/address
      src/form/appearance src/form/card src/form/i18n src/api`),
  },
  'src/sandbox': {
    is: 'the service, its pages and a shop, to try and to test a checkout',
    runs: "a developer's machine; a merchant's tests, by npm",
    apart:
      'Nothing of it is for production. `start.ts`, which is `npm start`, is the one file that knows service and shop.',
    imports: places(`
      src/api src/api/served src/api/command src/sandbox/service src/sandbox/cli
      src/sandbox/shop/shop.ts`),
    inside: places('src/form src/merchant/load.ts src/merchant/themes.ts src/sandbox'),
  },
  'src/sandbox/service': {
    is: 'the whole service, in one process',
    runs: "a developer's machine, in Node; a merchant's tests, by npm",
    apart: 'A function from `Request` to `Response`; it does without the client.',
    imports: places(`
      src/api src/api/served src/api/command src/form/address src/form/card/test-cards.ts
      src/sandbox/service/core src/sandbox/service/store src/sandbox/service/accounts
      src/sandbox/service/webhooks src/sandbox/service/faults src/sandbox/service/payments
      src/sandbox/service/http src/sandbox/service/control`),
  },
  'src/sandbox/service/core': {
    is: 'clock, ids, errors, logs',
    apart: 'Knows nothing of payments.',
    imports: places('src/api'),
  },
  'src/sandbox/service/store': {
    is: 'what is kept, in memory or a file',
    apart: 'Rows without behaviour.',
    imports: places('src/api src/api/command src/sandbox/service/core'),
  },
  'src/sandbox/service/accounts': {
    is: 'fees, unlock schedules',
    apart: 'What belongs to a merchant, not to a payment.',
    imports: places('src/api src/sandbox/service/core src/sandbox/service/store'),
  },
  'src/sandbox/service/webhooks': {
    is: 'events and their delivery',
    apart: 'Retries, signature, and the faults a delivery can be given.',
    imports: places('src/api/loopback.ts src/sandbox/service/core src/sandbox/service/store'),
  },
  'src/sandbox/service/faults': {
    is: 'faults of requests and answers',
    apart: 'Everything outcomes 2.6 lists can be ordered here.',
    imports: places('src/api src/sandbox/service/core'),
  },
  'src/sandbox/service/payments': {
    is: 'intents, confirms, refunds',
    apart: "Where an attempt's outcome is decided (contract 4).",
    imports: places(`
      src/api src/form/address src/sandbox/service/core src/sandbox/service/store
      src/sandbox/service/accounts src/sandbox/service/webhooks
      type:src/sandbox/service/faults/response-fault.ts`),
  },
  'src/sandbox/service/http': {
    is: "the service's routes",
    apart: 'Authentication, limits, reading and answering.',
    imports: places(`
      src/api src/api/served src/sandbox/service/core src/sandbox/service/store
      src/sandbox/service/accounts src/sandbox/service/webhooks src/sandbox/service/faults
      src/sandbox/service/payments`),
  },
  'src/sandbox/service/openapi': {
    is: 'the API as a document',
    apart: 'Written from the same schemas that check requests.',
    imports: places(`
      src/api src/sandbox/service/core/api-routes.ts src/sandbox/service/core/ports.ts
      src/sandbox/service/store/records.ts`),
  },
  'src/sandbox/service/control': {
    is: 'what a developer can change',
    apart: 'Not part of the service: outside of `/partner/v1`, loopback only (contract 6.3).',
    imports: places(`
      src/api src/sandbox/service/core src/sandbox/service/store src/sandbox/service/accounts
      src/sandbox/service/webhooks src/sandbox/service/payments src/sandbox/service/http
      src/sandbox/service/openapi`),
  },
  'src/sandbox/inspector': {
    is: 'the page at `/_sandbox/`',
    runs: "a developer's browser; no buyer",
    apart: 'Of the sandbox it knows types only.',
    imports: places(`
      src/api/routes.ts src/form/card/test-cards.ts type:src/sandbox/service/control/overview.ts
      type:src/sandbox/service/core/report-log.ts type:src/sandbox/service/core/request-log.ts
      type:src/sandbox/service/core/control-log.ts type:src/sandbox/service/store/records.ts
      type:src/api/schemas.ts`),
  },
  'src/sandbox/playground': {
    is: 'the form beside controls for its options',
    runs: "a developer's browser; no buyer",
    apart:
      "Shows the form as a merchant's page does, so that it knows the package and the public types only.",
    imports: places(`
      src/api/routes.ts type:src/form/loader/types.ts src/form/channel/button-types.ts
      src/form/channel/fields.ts src/form/channel/options.ts src/form/channel/own-property.ts
      src/form/channel/protocol.ts src/form/i18n/languages.ts src/merchant/load.ts
      src/merchant/themes.ts src/form/appearance src/form/card/brand-names.ts
      src/form/address/country-codes.ts src/form/address/names.ts src/form/i18n/en.ts
      src/form/i18n/translations.ts src/sandbox/inspector/control-api.ts
      src/sandbox/inspector/control-token.ts src/sandbox/inspector/format.ts
      src/sandbox/inspector/design.css`),
  },
  'src/sandbox/cli': {
    is: 'the commands `sandbox`, `trigger` and `listen`',
    runs: "a developer's terminal, by npm",
    apart: '`trigger` and `listen` call a running sandbox by its addresses, as a merchant does.',
    imports: places('src/api src/api/command src/sandbox/service'),
  },
  'src/sandbox/shop': {
    is: 'an example shop',
    runs: "a developer's machine; not in the npm package",
    apart: "Stands for a merchant's code: of ours it imports the npm package alone, by its name.",
    imports: [],
  },
  'src/owner': {
    is: 'what the owner of the service runs',
    runs: "the owner's machines; nobody downloads it",
    apart: "None of it reaches a buyer's browser.",
    imports: places(`
      src/api src/api/served src/api/command src/owner/hosting src/owner/release src/owner/probe
      src/owner/conformance src/owner/cli`),
  },
  'src/owner/hosting': {
    is: 'configurations of nginx, Caddy and Cloudflare, and checks of what they serve',
    runs: "the owner's servers, as configuration",
    apart: 'Each server gets the same headers, and the checks read what arrives.',
    imports: places('src/api/routes.ts src/api/served src/api/command/http-get.ts'),
  },
  'src/owner/release': {
    is: 'publishes, rolls back and withdraws releases',
    apart: 'Files, server and clock are arguments, so that tests stop it at every step.',
    imports: places('src/api/routes.ts src/api/served src/api/command/http-get.ts src/owner/hosting'),
  },
  'src/owner/probe': {
    is: 'opens the form of a live service in a real browser',
    runs: "the owner's machines, with a browser",
    apart: "Playwright is the project's own; what may leave the browser and what is kept are pure functions.",
    imports: places('src/api/routes.ts src/api/secrets.ts'),
  },
  'src/owner/conformance': {
    is: 'checks a running service against the contract',
    apart: "Must not share the client's mistakes, so it does without the client.",
    imports: places('src/api src/api/command/http.ts'),
  },
  'src/owner/cli': {
    is: 'the flags of `release`, `verify`, `probe` and `conformance`',
    runs: "the owner's terminal, by npm",
    apart: 'A command is a table of flags; the folders beside it do the work.',
    imports: places(`
      src/api src/api/served src/api/command src/owner/hosting src/owner/release src/owner/probe
      src/owner/conformance`),
  },
  'src/cli': {
    is: 'the entry of the command `card-form`',
    runs: "a developer's or the owner's terminal, by npm",
    apart: 'It is above sandbox and owner, whose commands it lists and starts.',
    imports: places('src/api src/api/command src/owner src/sandbox'),
  },
  'src/build': {
    is: 'writes `dist/` and serves `npm run dev`',
    runs: "a contributor's machine",
    apart: "Runs on a developer's machine; what it writes is what others run.",
    imports: places(`
      src/api src/api/served src/api/command src/form src/owner src/build/tables src/sandbox/cli
      src/sandbox/service/core/manual-clock.ts src/sandbox/service/core/ports.ts
      src/sandbox/service/openapi/reference.ts src/sandbox/service/store/records.ts
      lazy:src/sandbox/service/openapi/openapi.ts lazy:src/sandbox/service/sandbox.ts
      lazy:src/sandbox/service/server.ts type:src/sandbox/shop/shop.ts`),
  },
  'src/build/tables': {
    is: 'compiles data into tables',
    apart: 'Brands, addresses and fonts, so that browsers need no library for them.',
    imports: places('src/form src/build/integrity.ts'),
  },
  'src/build/development.ts': {
    is: '`npm run dev`',
    apart: 'The one file of it that knows sandbox and shop.',
    imports: places(`
      src/api/routes.ts src/build/document.ts src/sandbox/service/core/ports.ts
      lazy:src/sandbox/service/sandbox.ts lazy:src/sandbox/service/server.ts
      type:src/sandbox/shop/shop.ts`),
  },
  'src/proof': {
    is: 'model, simulation, mistakes, mutants, and tests of the repository',
    runs: "a contributor's machine, in tests",
    apart: 'Built into nothing.',
    imports: places('src/api src/form src/build/tables src/build/verify-build.mjs src/sandbox/service'),
  },
  'src/proof/tab': {
    is: 'one tab: its form, and what its page hears',
    apart: 'Model and simulation open it alike, so that both check the session that buyers use.',
    imports: places(`
      src/form/frame/session/session.ts src/form/frame/session/swap.ts
      type:src/form/frame/session/swaps.ts type:src/form/frame/session/tab-lock.ts
      type:src/form/frame/view/form-view.ts type:src/form/channel/messages.ts`),
  },
  'src/proof/simulation': {
    is: 'random faults through form and sandbox',
    apart: "It runs the frame's session in Node, against the sandbox.",
    imports: places(`
      src/api src/form/payment src/form/frame/form/card-form.ts src/form/frame/session/payment-status.ts
      type:src/form/frame/session/session.ts type:src/form/frame/session/lifecycle.ts
      type:src/form/frame/session/tab-lock.ts type:src/form/channel/messages.ts src/sandbox/service
      src/proof/tab`),
  },
  'src/proof/mutants': {
    is: 'runs the tests on mutants of the code',
    apart: 'It keeps the threads of Vitest, which a run per mutant would start each time.',
    imports: places('src/build/tables/address.ts src/build/tables/card.ts'),
  },
  'src/proof/nodes': {
    is: 'builds, tests and pays on each Node that is tried',
    apart: 'It works in clones of the last commit, with Nodes from the npm registry.',
    imports: places('src/build/verify-build.mjs'),
  },
  'src/proof/model': {
    is: 'every state of small worlds: tabs, service, network, buyers',
    apart: 'It learns what a tab does from the real session, so that it explores no copy of it.',
    imports: places(`
      src/api src/form/payment src/form/frame/session/payment-status.ts
      type:src/form/frame/session/session.ts type:src/form/frame/session/tab-lock.ts
      type:src/form/frame/view/form-view.ts src/form/frame/merchant/before-pay.ts
      type:src/form/channel/messages.ts type:src/form/channel/result.ts src/proof/tab`),
  },
  'src/proof/mistakes': {
    is: 'forms with one deliberate mistake each',
    apart: 'One catalogue for simulation and model, each of which has to notice what it says.',
    imports: places(`
      src/api src/form/payment src/form/frame/session/swap.ts src/proof/model/bounds.ts src/proof/tab`),
  },
  'src/proof/architecture': {
    is: 'the walls between folders, and their table',
    apart: 'Reads the sources.',
    imports: [],
  },
  'src/proof/repository': {
    is: 'tests of the whole repository: documentation, bans, languages, images',
    apart: 'They belong to no folder.',
    imports: [],
  },
  e2e: {
    is: 'tests of everything built',
    runs: "a contributor's machine, with browsers",
    apart: 'Know only what is served, as a merchant does.',
    imports: [],
  },
};
