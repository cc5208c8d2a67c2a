/** A program that uses the package's types, and the settings with which a shop may compile it. */

/** A shop's program, and lines that must not compile, for the strictest compiler settings. */
const PROGRAM = `
import {
  type CardFormInstance, type CardFormLoadError, type CardFormOptions, earlyFrame, loadCardForm, type Result,
} from '@partner/card-form';
import {
  createManualClock, createSandbox, listen, type SandboxOptions,
} from '@partner/card-form/sandbox';
import {
  createServiceClient, type CreatePaymentIntent, type ServiceFailure, verifyWebhook, WebhookError,
  type WebhookSigningKey,
} from '@partner/card-form/server';
import { fillCardForm, payCardForm, type TestPage } from '@partner/card-form/testing';
import { type FakeCardForm, fakeCardForm } from '@partner/card-form/testing/fake';
import { meadow, paper, print } from '@partner/card-form/themes';

const options: CardFormOptions = { publishableKey: 'pk_live_1', clientSecret: 'lg_cs_1', locale: 'de' };
export const themed: readonly CardFormOptions[] = [
  { ...options, appearance: paper },
  { ...options, appearance: { ...print, fields: 'separate', variables: { ...print.variables, borderRadius: '2px' } } },
  // @ts-expect-error: there is no such choice
  { ...options, appearance: { ...meadow, fields: 'group' } },
];

export const mount = async (): Promise<CardFormInstance | undefined> => {
  const CardForm = await loadCardForm('https://pay.example', { version: '0.1.0-abc', integrity: 'sha384-x', nonce: 'n' });
  const form = CardForm?.mount('#card-form', options);
  form?.on('result', (result) => result.outcome === 'failed' && told(result));
  form?.on('amountchange', ({ previous, current }) => current - previous);
  window.CardForm?.mount(document.body, options);
  // @ts-expect-error: where there is no window there is no CardForm
  CardForm.mount('#card-form', options);
  // @ts-expect-error: there is no such option
  CardForm?.mount('#card-form', { ...options, color: 'red' });
  // @ts-expect-error: there is no such event
  form?.on('paid', () => {});
  return form;
};

const told = (result: Result): string => {
  switch (result.outcome) {
    case 'failed':
      return result.error.recovery;
    case 'unknown':
      return result.reason;
    default:
      return result.paymentIntent.status;
  }
};
export const fake: FakeCardForm = fakeCardForm({ amountTotal: 5804, currency: 'eur' });
void fake.decline('insufficient_funds').then(() => fake.decline('a_code_of_tomorrow'));
// @ts-expect-error: there is no such currency
fakeCardForm({ currency: 'gbp' });
export const why = ({ code }: CardFormLoadError): boolean => code === 'csp';
export const early: string = earlyFrame('https://pay.example');
// @ts-expect-error: it is the address of the service
loadCardForm();

const settings: SandboxOptions = { attempts: 2, clock: createManualClock() };
export const serve = async () => (await listen(createSandbox(settings), { port: 0 })).url;
// @ts-expect-error: there is no such option
createSandbox({ attempt: 2 });

export const hear = async (
  request: Request,
  keys: readonly WebhookSigningKey[],
): Promise<string | undefined> => {
  try {
    return (await verifyWebhook(await request.text(), request.headers, keys, 'we_1', { tolerance: 60 })).id;
  } catch (error) {
    return error instanceof WebhookError && error.code === 'unknown_kid' ? 'reload' : undefined;
  }
};
const shop = createServiceClient({ baseUrl: 'https://pay.example', secretKey: 'sk_live_1' });
export const total = async (): Promise<number> => {
  const body: CreatePaymentIntent = { amount: 100, currency: 'usd', items: [{ name: 'a', quantity: 1, unit_amount: 100 }] };
  // @ts-expect-error: without a key a retry could pay twice
  await shop.paymentIntents.create(body);
  // @ts-expect-error: there is no such field
  await shop.refunds.create({ payment_intent: 'lg_pi_1', reason: 'fraud' }, { idempotencyKey: 'a' });
  for await (const { amount_total, status } of shop.paymentIntents.list()) if (status === 'succeeded') return amount_total;
  const refused = (failure: ServiceFailure) => failure.kind === 'refused' && failure.code === 'invalid_amount';
  return [shop.balance(), refused].length;
};
// @ts-expect-error: the raw body is needed, not what a parser made of it
verifyWebhook({ id: 'evt_1' }, {}, [], 'we_1');

export const pay = async (page: TestPage) => {
  await fillCardForm(page, { number: '4000000000000002' });
  await payCardForm(page);
  // @ts-expect-error: there is no such field
  await fillCardForm(page, { cvv: '123' });
};
`;

/** How a compiler finds modules, and the kinds of files that it then reads differently. */
const MODULES = [
  { module: 'esnext', moduleResolution: 'bundler', kinds: ['mts'] },
  { module: 'node16', moduleResolution: 'node16', kinds: ['mts', 'cts'] },
  { module: 'node18', moduleResolution: 'node16', kinds: ['mts', 'cts'] },
  { module: 'nodenext', moduleResolution: 'nodenext', kinds: ['mts', 'cts'] },
] as const;

type Module = (typeof MODULES)[number]['module'];

/** The program as ES module and as CommonJS, and a configuration for each of these modules, by the files' names. */
export const typedProgram = (modules: readonly Module[]) => {
  const files: Record<string, string> = { 'program.mts': PROGRAM, 'program.cts': PROGRAM };
  for (const { module, moduleResolution, kinds } of MODULES) {
    if (!modules.includes(module)) continue;
    const compilerOptions = {
      ...{ target: 'es2022', lib: ['es2022', 'dom'], types: [], noEmit: true, module, moduleResolution },
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    };
    for (const kind of kinds)
      files[`${module}.${kind}.json`] = JSON.stringify({ compilerOptions, files: [`program.${kind}`] });
  }
  return { files, configurations: Object.keys(files).filter((name) => name.endsWith('.json')) };
};
