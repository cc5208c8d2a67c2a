import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Balance } from './Balance.tsx';
import { Cards } from './Cards.tsx';
import { Clock } from './Clock.tsx';
import { Controls } from './Controls.tsx';
import { useModel } from './context.ts';
import { VIEWS, type View } from './model.ts';
import { Payments } from './Payments.tsx';
import { Requests } from './Requests.tsx';
import { Webhooks } from './Webhooks.tsx';

const PARTS: Readonly<Record<View, { title: string; Part: ComponentType }>> = {
  payments: { title: 'Payments', Part: Payments },
  requests: { title: 'Requests', Part: Requests },
  webhooks: { title: 'Webhooks', Part: Webhooks },
  balance: { title: 'Balance', Part: Balance },
  cards: { title: 'Test cards', Part: Cards },
  controls: { title: 'Controls', Part: Controls },
};

const CONNECTION = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'The sandbox does not answer',
} as const;

/** The whole page. */
export const App = () => {
  const { place, connection, said } = useModel();
  const { view } = place.value;
  const { title, Part } = PARTS[view];
  useEffect(() => {
    document.title = `${title} · Inspector · card form sandbox`;
  }, [title]);
  return (
    <>
      <header class="top">
        <div class="top-line">
          <h1>
            Inspector <span>card form sandbox</span>
          </h1>
          <p class="connection" data-state={connection.value}>
            {CONNECTION[connection.value]}
          </p>
          <Clock />
        </div>
        <nav aria-label="Parts of the inspector">
          {VIEWS.map((one) => (
            <a key={one} href={`#/${one}`} aria-current={one === view ? 'page' : undefined}>
              {PARTS[one].title}
            </a>
          ))}
        </nav>
      </header>
      <main aria-label={title}>
        <Part />
      </main>
      <p class="said" role="status" data-tone={said.value?.tone}>
        {said.value?.text}
      </p>
    </>
  );
};
