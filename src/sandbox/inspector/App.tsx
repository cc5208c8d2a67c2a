import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Balance } from './Balance.tsx';
import { Cards } from './Cards.tsx';
import { Clock } from './Clock.tsx';
import { Controls } from './Controls.tsx';
import { useModel } from './context.ts';
import { Faults } from './Faults.tsx';
import { Payments } from './Payments.tsx';
import { VIEWS, type View } from './parse-hash.ts';
import { Reports } from './Reports.tsx';
import { Requests } from './Requests.tsx';
import { TokenForm } from './TokenForm.tsx';
import { Webhooks } from './Webhooks.tsx';

const PAGES: Readonly<Record<View, { title: string; Page: ComponentType }>> = {
  payments: { title: 'Payments', Page: Payments },
  requests: { title: 'Requests', Page: Requests },
  webhooks: { title: 'Webhooks', Page: Webhooks },
  balance: { title: 'Balance', Page: Balance },
  cards: { title: 'Test cards', Page: Cards },
  faults: { title: 'Faults', Page: Faults },
  reports: { title: 'Reports', Page: Reports },
  controls: { title: 'Controls', Page: Controls },
};

const CONNECTION = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'The sandbox does not answer',
  locked: 'Locked',
} as const;

export const App = () => {
  const { route, connection, toast } = useModel();
  const { view } = route.value;
  const { title, Page } = PAGES[view];
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
          <a href="/_sandbox/playground/">Playground</a>
          <Clock />
        </div>
        <nav aria-label="Parts of the inspector">
          {VIEWS.map((one) => (
            <a key={one} href={`#/${one}`} aria-current={one === view ? 'page' : undefined}>
              {PAGES[one].title}
            </a>
          ))}
        </nav>
      </header>
      <main aria-label={title}>{connection.value === 'locked' ? <TokenForm /> : <Page />}</main>
      <p class="toast" role="status" data-tone={toast.value?.tone}>
        {toast.value?.text}
      </p>
    </>
  );
};
