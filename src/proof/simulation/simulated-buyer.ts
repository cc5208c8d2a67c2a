/** The buyer of one plan: opens tabs, presses Pay, and does what people do to a page meanwhile. */
import type { ManualClock } from '../../api/clock/manual-clock.ts';
import { TIMING } from '../../form/payment/timing.ts';
import type { Invariants } from './invariants.ts';
import type { PlannedAction } from './plan.ts';
import { closeTab, pressPay, type SimulatedPress, type SimulatedTab } from './simulated-tab.ts';

/** An action of the buyer or the browser in a tab. */
type InTab = Exclude<Extract<PlannedAction, { tab: number }>, { do: 'swap' }>;

/** How long a calm buyer waits for the Pay button, and the interval between looks, in ms. */
const BUYER_WAITS = 60_000;
const BUYER_LOOKS = 2000;
const MOST_TABS = 3;

export type SimulatedBuyer = {
  /** All tabs and presses of the plan, in order. */
  tabs: readonly SimulatedTab[];
  pressed: readonly SimulatedPress[];
  /** The open tabs. */
  open(): readonly SimulatedTab[];
  /** Opens a tab, up to the maximum. */
  openTab(): void;
  close(tab: SimulatedTab): Promise<void>;
  act(action: InTab): Promise<void>;
};

/** `newTab` opens a tab with this card typed in; `card` is the first one. */
export const createSimulatedBuyer = (
  card: string,
  newTab: (card: string) => SimulatedTab,
  clock: ManualClock,
  { closed, note }: Invariants,
): SimulatedBuyer => {
  const tabs: SimulatedTab[] = [];
  const pressed: SimulatedPress[] = [];
  const open = () => tabs.filter(({ isOpen }) => isOpen);

  const close = async (tab: SimulatedTab) => {
    closeTab(tab);
    await clock.advance(0);
    closed(tab);
  };

  /** Waits for the Pay button, and then until a press can be accepted. */
  const untilPayable = async (tab: SimulatedTab) => {
    for (let waited = 0; waited < BUYER_WAITS && tab.isOpen; waited += BUYER_LOOKS) {
      const screen = tab.session.view.peek();
      if (screen.screen === 'outcome' && screen.action === null) return;
      if (screen.screen === 'form' && screen.action.kind === 'pay') break;
      const offersRetry = screen.screen === 'outcome' || screen.action.kind === 'retry';
      if (offersRetry) tab.session.retry();
      await clock.advance(BUYER_LOOKS);
    }
    await clock.advance(TIMING.pressGuard + 100);
  };

  const pay = (tab: SimulatedTab) => {
    const made = pressPay(tab, pressed.length + 1);
    if (!made) return;
    if (pressed.some((other) => other.tab !== tab)) note('two tabs pressed');
    pressed.push(made);
  };

  return {
    tabs,
    pressed,
    open,
    openTab() {
      if (open().length < MOST_TABS) tabs.push(newTab(card));
    },
    close,
    async act(action) {
      const openTabs = open();
      const tab = openTabs[action.tab % openTabs.length];
      if (!tab) return;
      const { session, life } = tab;
      switch (action.do) {
        case 'press':
          if (action.calm) await untilPayable(tab);
          for (const one of action.everywhere ? openTabs : [tab]) {
            for (let time = 0; time < action.times; time += 1) pay(one);
          }
          return;
        case 'retry':
          return session.retry();
        case 'type_card':
          tab.card = action.number;
          return;
        case 'hide':
        case 'freeze':
        case 'offline':
          if (tab.openConfirms > 0) note('the page slept while a press was under way');
          life.sleep(action.do, action.ms);
          return;
        case 'restore':
          return life.restore();
        case 'refresh':
          return tab.refresh();
        case 'close':
          return close(tab);
        case 'reload':
          await close(tab);
          tabs.push(newTab(tab.card));
          return;
        default:
          action satisfies never;
      }
    },
  };
};
