/** Rules for what a press sends (outcomes I1, I2, I5, promises 2.11), including the page's answer about it. */
import type { Clock } from '../../api/clock/clock.ts';
import { isSameMoney, type Money } from '../../api/money.ts';
import { CLIENT_ROUTES } from '../../api/routes.ts';
import type { Findings } from './findings.ts';
import type { Observer, SimulatedQuestion, SimulatedTab } from './simulated-tab.ts';

type PressRules = Pick<Observer, 'confirming' | 'askingPage' | 'answeredByPage' | 'answered'> & {
  /** When this press's confirm was sent, in ms; undefined if it wasn't, or if the service refused it. */
  sentAt(press: string): number | undefined;
};

export const createPressRules = ({ fail, see }: Findings, clock: Clock, asksPage: boolean): PressRules => {
  /** When each press's confirm was sent, in ms, until the service refuses it; by press number. */
  const sent = new Map<string, number>();
  /** The latest question to each tab's page. A late answer to an earlier question allows nothing. */
  const asked = new Map<SimulatedTab, SimulatedQuestion>();
  /** The total that each tab's page allowed; each yes is valid for one confirm. */
  const allowed = new Map<SimulatedTab, Money>();

  return {
    sentAt: (press) => sent.get(press),
    confirming(tab, shown, card) {
      see('a confirm was sent');
      if (tab.confirms > tab.presses.length) fail('I2: a confirm without a press');
      if (tab.openConfirms > 1) fail('I1: two confirms are open at once in one form');
      const button = tab.presses.at(-1)?.shown;
      sent.set(`${tab.presses.at(-1)?.number}`, clock.now());
      if (!button || !isSameMoney(button, shown)) {
        fail('I5: a confirm with another total than the pressed button showed');
      }
      if (card !== tab.presses.at(-1)?.card)
        fail('promises 2.11: a confirm with a different card than in the field');
      if (!asksPage) return;
      const yes = allowed.get(tab);
      allowed.delete(tab);
      if (!yes || !isSameMoney(yes, shown)) fail("I2: a confirm without the page's yes to its total");
    },
    askingPage(tab, question) {
      see('the page was asked about a press');
      asked.set(tab, question);
      allowed.delete(tab);
    },
    answeredByPage(tab, question, { kind }) {
      if (kind === 'allowed' && asked.get(tab) === question) allowed.set(tab, question.shown);
      if (kind === 'refused') see('the page refused a press');
    },
    answered(tab, url, answer) {
      const isRefused = answer && answer.status >= 400 && answer.status < 500;
      if (isRefused && url.endsWith(CLIENT_ROUTES.confirm)) sent.delete(`${tab.presses.at(-1)?.number}`);
    },
  };
};
