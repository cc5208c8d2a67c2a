import type { BalanceOverTime } from '../service/control/overview.ts';
import { useInspector } from './context.ts';
import { formatMinor, formatMinute } from './format.ts';
import { RelativeTime } from './RelativeTime.tsx';

/** Every account's balance in each currency: amounts and upcoming unlock steps. */
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
