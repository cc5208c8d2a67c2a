/** The merchant's page of one plan: the secret it gives to the form, and its `beforePay`. */
import type { Clock } from '../../api/clock/clock.ts';
import type { Service } from '../../sandbox/service/http/service.ts';
import type { Plan, PlannedAction, PlannedBeforePay } from './plan.ts';
import type { Merchant } from './simulated-merchant.ts';
import type { SecretSource, SimulatedBeforePay, SimulatedTab } from './simulated-tab.ts';

export type SimulatedPage = {
  secretSource(): SecretSource;
  /** Undefined if the page has none. */
  beforePay: SimulatedBeforePay | undefined;
  /** Changes the amount of the latest intent on the merchant's server, in minor units. */
  changeAmount(by: number): Promise<void>;
  /** Puts another intent into this tab's form. */
  swap(tab: SimulatedTab, how: Pick<Extract<PlannedAction, { do: 'swap' }>, 'by' | 'cancels'>): Promise<void>;
  /** From now on the page returns its secret immediately, and allows every press. */
  mend(): void;
};

const ALLOW: PlannedBeforePay = { does: 'allow', afterMs: 0 };

export const createSimulatedPage = (
  plan: Plan,
  clock: Clock,
  merchant: Merchant,
  { store }: Service,
): SimulatedPage => {
  let isMended = false;
  const answers = [...(plan.beforePay ?? [])];

  const changeAmount = (by: number) => {
    const { id } = merchant.latest();
    const { amount = 0 } = store.intents.get(id) ?? {};
    return merchant.setAmount(id, amount + by);
  };

  const beforePay: SimulatedBeforePay = async (refresh) => {
    const { does, afterMs } = (isMended ? null : answers.shift()) ?? ALLOW;
    await clock.wait(afterMs);
    if (does === 'nothing') return new Promise(() => undefined);
    if (does === 'fail') return { kind: 'failed' };
    if (does === 'refuse') return { kind: 'refused', message: null };
    if (does === 'raise') {
      await changeAmount(100);
      refresh();
    }
    return { kind: 'allowed' };
  };

  const fetchSecret =
    ({ gives, afterMs }: NonNullable<Plan['renewal']>) =>
    async (over: string | null) => {
      await clock.wait(isMended ? 0 : afterMs);
      if (over !== null && gives === 'none') return null;
      return gives === 'another' ? merchant.secretAfter(over) : merchant.latest().secret;
    };

  return {
    secretSource: () => (plan.renewal ? fetchSecret(plan.renewal) : merchant.latest().secret),
    beforePay: plan.beforePay ? beforePay : undefined,
    changeAmount,
    async swap(tab, { by, cancels }) {
      const { id } = merchant.latest();
      if (cancels) {
        await merchant.cancel(id);
        if (store.intents.get(id)?.status !== 'canceled') return;
      }
      await merchant.createIntent(by);
      tab.swap(merchant.latest().secret);
    },
    mend() {
      isMended = true;
    },
  };
};
