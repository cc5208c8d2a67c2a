import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { BalanceOverTime } from '../../sandbox/control/overview.ts';
import { layoutChart } from './chart.ts';
import { useInspector } from './context.ts';
import { formatDate, formatMinor, formatMinute } from './format.ts';
import { RelativeTime } from './RelativeTime.tsx';

/** The balance of every account in each currency: amounts, a chart, and the unlock steps to come. */
export const BalancePage = () => {
  const { money, overview } = useInspector();
  const currencies = money.value;
  const severalAccounts = (overview.value?.accounts ?? 1) > 1;
  return (
    <>
      <div class="section-head">
        <h2>Balance</h2>
        <p class="note">
          Of every account with a payment that succeeded. A refund reduces the locked steps first, then the
          available balance.
        </p>
      </div>
      {currencies?.length === 0 && <p class="empty">No payment has succeeded yet.</p>}
      {currencies?.map((one) => (
        <Currency key={`${one.account} ${one.currency}`} money={one} isNamed={severalAccounts} />
      ))}
    </>
  );
};

const Currency = ({ money, isNamed }: { money: BalanceOverTime; isNamed: boolean }) => {
  const { account, currency, available, locked, coming } = money;
  const text = (minor: number) => formatMinor(minor, currency);
  return (
    <section
      aria-label={`Balance in ${currency.toUpperCase()}${isNamed ? ` of ${account}` : ''}`}
      class="currency"
    >
      {isNamed && (
        <h3>
          <code>{account}</code> in {currency.toUpperCase()}
        </h3>
      )}
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
      <BalanceChart money={money} />
      {coming.length > 0 && (
        <div class="table">
          <table>
            <caption>Upcoming unlock steps</caption>
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
                    {formatMinute(move.at * 1000)}{' '}
                    <span class="muted">
                      <RelativeTime at={move.at * 1000} />
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

const BalanceChart = ({ money }: { money: BalanceOverTime }) => {
  const { now } = useInspector();
  const container = useRef<HTMLDivElement>(null);
  const width = useSignal(640);
  useEffect(() => {
    const { current } = container;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => {
      width.value = Math.max(280, Math.round(current.clientWidth));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [width]);

  // Redrawn once a minute: a second is less than a pixel.
  const minute = Math.floor(now.value / 60_000) * 60_000;
  const chart = layoutChart(money, Math.max(minute, (money.past.at(-1)?.at ?? 0) * 1000), {
    width: width.value,
    height: HEIGHT,
  });
  const end = money.available + money.coming.reduce((sum, { amount }) => sum + amount, 0);
  const description =
    `Available now: ${formatMinor(money.available, money.currency)}. ` +
    (money.coming.length === 0
      ? 'Nothing is locked.'
      : `It rises in ${money.coming.length} steps to ${formatMinor(end, money.currency)} on ${formatDate((money.coming.at(-1)?.at ?? 0) * 1000)}; the table below has each step.`);
  return (
    <div class="chart" ref={container}>
      <svg
        role="img"
        aria-label={description}
        viewBox={`0 0 ${width.value} ${HEIGHT}`}
        width={width.value}
        height={HEIGHT}
      >
        {chart.gridLines.map(({ y, amount }) => (
          <g key={amount} class={amount === 0 ? 'grid-line zero' : 'grid-line'}>
            <line x1={84} x2={width.value - 16} y1={y} y2={y} />
            <text x={76} y={y + 4} text-anchor="end">
              {formatMinor(amount, money.currency)}
            </text>
          </g>
        ))}
        {chart.dates.map(({ x, at }) => (
          <text key={at} x={x} y={HEIGHT - 6} text-anchor="middle">
            {formatDate(at)}
          </text>
        ))}
        <line class="now" x1={chart.now} x2={chart.now} y1={12} y2={HEIGHT - 26} />
        <text x={chart.now + 5} y={22}>
          now
        </text>
        <path class="area" d={chart.area} />
        <path class="past" d={chart.past} />
        <path class="upcoming" d={chart.upcoming} />
      </svg>
    </div>
  );
};
