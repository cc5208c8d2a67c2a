import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MoneyOverTime } from '../overview.ts';
import { chartOf } from './chart.ts';
import { useModel } from './context.ts';
import { Moment } from './Moment.tsx';
import { momentText, moneyText } from './words.ts';

/** What the account has, when it can have more, and the same as a picture. */
export const Balance = () => {
  const { money } = useModel();
  const all = money.value;
  return (
    <>
      <div class="section-head">
        <h2>Balance</h2>
        <p class="note">
          Of the first account. What a refund takes from no locked step comes out of what is available.
        </p>
      </div>
      {all?.length === 0 && <p class="empty">No payment has succeeded yet.</p>}
      {all?.map((one) => (
        <Currency key={one.currency} money={one} />
      ))}
    </>
  );
};

const Currency = ({ money }: { money: MoneyOverTime }) => {
  const { currency, available, locked, coming } = money;
  const text = (minor: number) => moneyText(minor, currency);
  return (
    <section aria-label={`Balance in ${currency.toUpperCase()}`} class="currency">
      <dl class="sums">
        <div>
          <dt>Available</dt>
          <dd>{text(available)}</dd>
        </div>
        <div>
          <dt>Locked</dt>
          <dd>{text(locked)}</dd>
        </div>
      </dl>
      <Picture money={money} />
      {coming.length > 0 && (
        <div class="table">
          <table>
            <caption>What unlocks when</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col" class="number">
                  Amount
                </th>
                <th scope="col" class="number">
                  Steps
                </th>
                <th scope="col" class="number">
                  Available then
                </th>
              </tr>
            </thead>
            <tbody>
              {coming.map((move, index) => (
                <tr key={move.at}>
                  <td>
                    {momentText(move.at * 1000).slice(0, 16)}{' '}
                    <span class="soft">
                      <Moment at={move.at * 1000} />
                    </span>
                  </td>
                  <td class="number">{text(move.amount)}</td>
                  <td class="number">{move.steps}</td>
                  <td class="number">
                    {text(
                      available + coming.slice(0, index + 1).reduce((sum, { amount }) => sum + amount, 0),
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

const HEIGHT = 220;

const Picture = ({ money }: { money: MoneyOverTime }) => {
  const { now } = useModel();
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(640);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const watching = new ResizeObserver(() => {
      width.value = Math.max(280, Math.round(current.clientWidth));
    });
    watching.observe(current);
    return () => watching.disconnect();
  }, [width]);

  // A picture that moves by the second would be redrawn for less than a pixel.
  const minute = Math.floor(now.value / 60_000) * 60_000;
  const chart = chartOf(money, Math.max(minute, (money.past.at(-1)?.at ?? 0) * 1000), {
    width: width.value,
    height: HEIGHT,
  });
  const end = money.available + money.coming.reduce((sum, { amount }) => sum + amount, 0);
  const words =
    `Available now: ${moneyText(money.available, money.currency)}. ` +
    (money.coming.length === 0
      ? 'Nothing is locked.'
      : `It rises in ${money.coming.length} steps to ${moneyText(end, money.currency)} on ${momentText((money.coming.at(-1)?.at ?? 0) * 1000).slice(0, 10)}; the table below has each step.`);
  return (
    <div class="picture" ref={box}>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${width.value} ${HEIGHT}`}
        width={width.value}
        height={HEIGHT}
      >
        {chart.levels.map(({ y, amount }) => (
          <g key={amount} class={amount === 0 ? 'level zero' : 'level'}>
            <line x1={84} x2={width.value - 16} y1={y} y2={y} />
            <text x={76} y={y + 4} text-anchor="end">
              {moneyText(amount, money.currency)}
            </text>
          </g>
        ))}
        {chart.marks.map(({ x, at }) => (
          <text key={at} class="mark" x={x} y={HEIGHT - 6} text-anchor="middle">
            {momentText(at).slice(0, 10)}
          </text>
        ))}
        <line class="now" x1={chart.now} x2={chart.now} y1={12} y2={HEIGHT - 26} />
        <text class="mark" x={chart.now + 5} y={22}>
          now
        </text>
        <path class="area" d={chart.area} />
        <path class="past" d={chart.past} />
        <path class="coming" d={chart.coming} />
      </svg>
    </div>
  );
};
