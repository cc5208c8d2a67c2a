import { Checkbox } from './Checkbox.tsx';
import { CopyButton } from './CopyButton.tsx';
import { useInspector } from './context.ts';
import { fetchSecretKey, post } from './control-api.ts';
import { Panel } from './Panel.tsx';

/** The settings of attempts and of the account, and the account's keys. */
export const ControlsPage = () => (
  <div class="columns">
    <AttemptSettings />
    <AccountSettings />
    <Keys />
  </div>
);

/** An on/off setting. */
const Switch = ({
  label,
  checked,
  set,
}: {
  label: string;
  checked: boolean;
  set: (checked: boolean) => Promise<string>;
}) => {
  const { runAction } = useInspector();
  return (
    <Checkbox checked={checked} set={(checked) => void runAction(() => set(checked))}>
      {label}
    </Checkbox>
  );
};

const AttemptSettings = () => {
  const { overview, runAction } = useInspector();
  const current = overview.value;
  if (current === null) return null;
  return (
    <Panel title="Payment attempts">
      <div class="stack">
        <Switch
          label="A failed attempt keeps its payment in processing until the form releases it"
          checked={current.hold_failed_attempts}
          set={async (hold_failed_attempts) => {
            await post('settings', { hold_failed_attempts });
            return hold_failed_attempts
              ? 'Failed attempts now wait for a release.'
              : 'Failed attempts now end at once.';
          }}
        />
        <label>
          Attempts per payment
          <input
            type="number"
            min={1}
            max={20}
            value={current.attempts}
            onChange={({ currentTarget }) =>
              void runAction(async () => {
                const attempts = Number(currentTarget.value);
                await post('settings', { attempts });
                return `Each payment now allows ${attempts} attempts.`;
              })
            }
          />
        </label>
      </div>
    </Panel>
  );
};

const AccountSettings = () => {
  const { overview, runAction } = useInspector();
  const account = overview.value?.account;
  if (account === undefined) return null;
  const set = async (change: Record<string, unknown>) => {
    await post('account', change);
    return 'Changed the account.';
  };
  return (
    <Panel title="Account">
      <div class="stack">
        <p class="muted">
          <code>{account.id}</code>
          {(overview.value?.accounts ?? 1) > 1 && `, the first of ${overview.value?.accounts}`}
        </p>
        <Switch label="Suspended" checked={account.suspended} set={(suspended) => set({ suspended })} />
        <Switch label="Approved" checked={account.approved} set={(approved) => set({ approved })} />
        <Switch
          label="May sell non-physical goods"
          checked={account.non_physical_goods}
          set={(non_physical_goods) => set({ non_physical_goods })}
        />
        <label>
          Who pays the fees
          <select
            value={account.fee_bearer}
            onChange={({ currentTarget }) => void runAction(() => set({ fee_bearer: currentTarget.value }))}
          >
            <option value="merchant">merchant</option>
            <option value="buyer">buyer</option>
          </select>
        </label>
      </div>
    </Panel>
  );
};

const Keys = () => {
  const { overview } = useInspector();
  const usable = overview.value?.keys.find(({ secret_revoked }) => !secret_revoked);
  return (
    <Panel title="Keys">
      <ul class="plain">
        {overview.value?.keys.map((pair) => (
          <li key={pair.id}>
            <p>
              <code>{pair.publishable_key}</code>
              <CopyButton text={pair.publishable_key} what="the publishable key" />
              {pair.publishable_revoked && ' revoked'}
            </p>
            <p class="muted">
              <code>sk_live_…{pair.secret_key_last4}</code>
              {pair.secret_revoked && ' revoked'}
              {pair === usable && <CopyButton text={fetchSecretKey} what="the secret key" />}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
