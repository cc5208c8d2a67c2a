import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { PLAYGROUND } from '../../api/routes.ts';
import { BalancePage } from './BalancePage.tsx';
import { Cards } from './Cards.tsx';
import { ClockControl } from './ClockControl.tsx';
import { ControlsPage } from './ControlsPage.tsx';
import { useInspector } from './context.ts';
import { Faults } from './Faults.tsx';
import { Payments } from './Payments.tsx';
import { type PageName, VIEWS } from './parse-hash.ts';
import { Reports } from './Reports.tsx';
import { Requests } from './Requests.tsx';
import { TokenForm } from './TokenForm.tsx';
import { Webhooks } from './Webhooks.tsx';

const PAGES: Readonly<Record<PageName, { title: string; Page: ComponentType }>> = {
  payments: { title: 'Payments', Page: Payments },
  requests: { title: 'Requests', Page: Requests },
  webhooks: { title: 'Webhooks', Page: Webhooks },
  balance: { title: 'Balance', Page: BalancePage },
  cards: { title: 'Test cards', Page: Cards },
  faults: { title: 'Faults', Page: Faults },
  reports: { title: 'Reports', Page: Reports },
  controls: { title: 'Controls', Page: ControlsPage },
};

const CONNECTION = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'The sandbox does not answer',
  locked: 'Locked',
} as const;

export const Inspector = () => {
  const { route, connection, toast } = useInspector();
  const { view } = route.value;
  const { title, Page } = PAGES[view];
  const chosen = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    chosen.current?.scrollIntoView({ inline: 'center', block: 'nearest' }); // a phone has room for a few of them
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
          <a href={PLAYGROUND}>Playground</a>
          <ClockControl />
        </div>
        <nav aria-label="Parts of the inspector">
          {VIEWS.map((one) => (
            <a
              key={one}
              ref={one === view ? chosen : null}
              href={`#/${one}`}
              aria-current={one === view ? 'page' : undefined}
            >
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
