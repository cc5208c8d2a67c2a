import { useSignal } from '@preact/signals';
import { ActionButton } from './ActionButton.tsx';
import { useInspector } from './context.ts';
import { post, remove } from './control-api.ts';
import { FAULT_PRESETS, ROUTE_GROUPS, WEBHOOK_PRESETS } from './fault-presets.ts';
import { NumberField } from './NumberField.tsx';
import { Panel } from './Panel.tsx';

/** The current faults, as in `GET /_sandbox/overview`. */
type Faults = {
  waiting: readonly ({ route: string; times: number } & Record<string, unknown>)[];
  connections: number;
  random: { seed: number; rate: number; decided: number } | null;
};

/** Sets faults of the next requests and webhooks, each with one click, and lists the pending ones. */
export const Faults = () => (
  <>
    <div class="section-head">
      <h2>Faults</h2>
      <p class="note">
        A payment must survive all of this: one order, one payment; one return, one refund. The timeline of a
        payment names the faults that it met.
      </p>
    </div>
    <div class="columns">
      <NextRequests />
      <NextWebhooks />
      <RandomFaults />
      <PendingFaults />
    </div>
  </>
);

const NextRequests = () => {
  const route = useSignal<string>(ROUTE_GROUPS[0].routes[0]);
  const times = useSignal(1);
  return (
    <Panel title="Next requests">
      <div class="stack">
        <label>
          The next request to
          <select
            value={route.value}
            onChange={({ currentTarget }) => {
              route.value = currentTarget.value;
            }}
          >
            {ROUTE_GROUPS.map(({ title, routes }) => (
              <optgroup key={title} label={title}>
                {routes.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <NumberField label="Number of requests" value={times} least={1} most={100} />
        <fieldset class="choices">
          <legend>What happens to it</legend>
          {FAULT_PRESETS.map(({ name, text, fault }) => (
            <ActionButton
              key={name}
              run={async () => {
                await post('faults', { route: route.value, times: times.value, ...fault });
                return `The next request to ${route.value}: ${text}.`;
              }}
            >
              {text}
            </ActionButton>
          ))}
        </fieldset>
      </div>
    </Panel>
  );
};

const NextWebhooks = () => {
  const times = useSignal(1);
  return (
    <Panel title="Next webhooks">
      <div class="stack">
        <NumberField label="Number of webhooks" value={times} least={1} most={100} />
        <fieldset class="choices">
          <legend>What happens to them</legend>
          {WEBHOOK_PRESETS.map(({ text, plan }) => (
            <ActionButton
              key={text}
              run={async () => {
                await post('webhook_plan', plan(times.value));
                return `The next webhooks ${text}.`;
              }}
            >
              {text}
            </ActionButton>
          ))}
          <ActionButton
            run={async () => {
              await post('webhook_signing_keys/rotate');
              return 'Webhooks are signed with a new key from now on.';
            }}
          >
            are signed with a new key from now on
          </ActionButton>
        </fieldset>
      </div>
    </Panel>
  );
};

const RandomFaults = () => {
  const { runAction } = useInspector();
  const seed = useSignal(1);
  const percent = useSignal(20);
  const group = useSignal<string>(ROUTE_GROUPS[0].title);
  return (
    <Panel title="Random faults">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void runAction(async () => {
            const routes = ROUTE_GROUPS.find(({ title }) => title === group.value)?.routes;
            await post('faults', { random: { seed: seed.value, rate: percent.value / 100, routes } });
            return `From now on ${percent.value} % of the requests get a random fault.`;
          });
        }}
      >
        <label>
          Requests of
          <select
            value={group.value}
            onChange={({ currentTarget }) => {
              group.value = currentTarget.value;
            }}
          >
            {ROUTE_GROUPS.map(({ title }) => (
              <option key={title}>{title}</option>
            ))}
          </select>
        </label>
        <NumberField label="Seed" value={seed} least={0} most={Number.MAX_SAFE_INTEGER} />
        <NumberField label="Share of the requests, %" value={percent} least={0} most={100} />
        <p class="note">The same seed and the same order of requests give the same faults.</p>
        <button type="submit">Start</button>
      </form>
    </Panel>
  );
};

const isFaults = (value: unknown): value is Faults =>
  typeof value === 'object' && value !== null && 'waiting' in value && 'connections' in value;

const PendingFaults = () => {
  const { overview, runAction } = useInspector();
  const faults = overview.value?.faults;
  if (!isFaults(faults)) return null;
  const plan = Object.entries(overview.value?.webhook_plan ?? {}).filter(([, part]) => part !== null);
  const nothing =
    faults.waiting.length === 0 && faults.connections === 0 && faults.random === null && plan.length === 0;
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
        {plan.map(([name, part]) => (
          <li key={name}>
            webhooks: <span class="mono">{name}</span> <code>{JSON.stringify(part)}</code>
          </li>
        ))}
      </ul>
      {!nothing && (
        <button
          type="button"
          onClick={() =>
            void runAction(async () => {
              await Promise.all([remove('faults'), remove('webhook_plan')]);
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
