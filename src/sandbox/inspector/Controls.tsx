import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { CopyButton } from './CopyButton.tsx';
import { useModel } from './context.ts';
import { post, remove } from './control-api.ts';
import { FAULT_PRESETS, FAULTY_ROUTES } from './fault-presets.ts';

/** The faults that are set up, as `GET /_sandbox/overview` shows them. */
type Faults = {
  waiting: readonly ({ route: string; times: number } & Record<string, unknown>)[];
  connections: number;
  random: { seed: number; rate: number; decided: number } | null;
};

/** What can be set: faults, how attempts end, the account. And the account's keys. */
export const Controls = () => (
  <div class="columns">
    <NextFault />
    <RandomFaults />
    <PendingFaults />
    <AttemptSettings />
    <AccountSettings />
    <Keys />
  </div>
);

const Panel = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section aria-label={title} class="panel">
    <h2>{title}</h2>
    {children}
  </section>
);

const NextFault = () => {
  const { runAction } = useModel();
  const route = useSignal<string>(FAULTY_ROUTES[0]);
  const name = useSignal(FAULT_PRESETS[0]?.name ?? '');
  const times = useSignal('1');
  const injectFault = () =>
    void runAction(async () => {
      const preset = FAULT_PRESETS.find((one) => one.name === name.value);
      await post('faults', { route: route.value, times: Number(times.value), ...preset?.fault });
      return `The next request to ${route.value}: ${preset?.text}.`;
    });
  return (
    <Panel title="Next requests">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          injectFault();
        }}
      >
        <label>
          The next request to
          <select
            value={route.value}
            onChange={({ currentTarget }) => {
              route.value = currentTarget.value;
            }}
          >
            {FAULTY_ROUTES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Fault
          <select
            value={name.value}
            onChange={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          >
            {FAULT_PRESETS.map((one) => (
              <option key={one.name} value={one.name}>
                {one.text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Number of requests
          <input
            type="number"
            min={1}
            max={100}
            value={times.value}
            onInput={({ currentTarget }) => {
              times.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="primary">
          Set the fault
        </button>
      </form>
    </Panel>
  );
};

const RandomFaults = () => {
  const { runAction } = useModel();
  const seed = useSignal('1');
  const rate = useSignal('20');
  return (
    <Panel title="Random faults">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void runAction(async () => {
            await post('faults', { random: { seed: Number(seed.value), rate: Number(rate.value) / 100 } });
            return `From now on ${rate.value} % of the form's requests get a random fault.`;
          });
        }}
      >
        <label>
          Seed
          <input
            type="number"
            value={seed.value}
            onInput={({ currentTarget }) => {
              seed.value = currentTarget.value;
            }}
          />
        </label>
        <label>
          Share of the form's requests, %
          <input
            type="number"
            min={0}
            max={100}
            value={rate.value}
            onInput={({ currentTarget }) => {
              rate.value = currentTarget.value;
            }}
          />
        </label>
        <p class="note">The same seed and the same order of requests give the same faults.</p>
        <button type="submit">Start</button>
      </form>
    </Panel>
  );
};

const isFaults = (value: unknown): value is Faults =>
  typeof value === 'object' && value !== null && 'waiting' in value && 'connections' in value;

const PendingFaults = () => {
  const { overview, runAction } = useModel();
  const faults = overview.value?.faults;
  if (!isFaults(faults)) return null;
  const nothing = faults.waiting.length === 0 && faults.connections === 0 && faults.random === null;
  return (
    <Panel title="Faults to come">
      {nothing && <p class="empty">None: everything works.</p>}
      <ul class="plain">
        {faults.waiting.map(({ route, times, ...fault }, index) => (
          <li key={`${index} ${route}`}>
            <span class="mono">{route}</span> {times > 1 ? `${times} times ` : ''}
            <code>{JSON.stringify(fault)}</code>
          </li>
        ))}
        {faults.connections > 0 && <li>the next {faults.connections} connections are reset at once</li>}
        {faults.random !== null && (
          <li>
            random, seed {faults.random.seed}, {Math.round(faults.random.rate * 100)} %;{' '}
            {faults.random.decided} requests so far
          </li>
        )}
      </ul>
      {!nothing && (
        <button
          type="button"
          onClick={() =>
            void runAction(async () => {
              await remove('faults');
              return 'Removed all faults.';
            })
          }
        >
          Remove all faults
        </button>
      )}
    </Panel>
  );
};

const Check = ({
  label,
  checked,
  set,
}: {
  label: string;
  checked: boolean;
  set: (checked: boolean) => Promise<string>;
}) => {
  const { runAction } = useModel();
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => void runAction(() => set(currentTarget.checked))}
      />
      {label}
    </label>
  );
};

const AttemptSettings = () => {
  const { overview, runAction } = useModel();
  const current = overview.value;
  if (current === null) return null;
  return (
    <Panel title="Payment attempts">
      <div class="stack">
        <Check
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
  const { overview, runAction } = useModel();
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
        <Check label="Suspended" checked={account.suspended} set={(suspended) => set({ suspended })} />
        <Check label="Approved" checked={account.approved} set={(approved) => set({ approved })} />
        <Check
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
  const { overview } = useModel();
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
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
