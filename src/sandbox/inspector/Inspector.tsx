import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { INSPECTOR, PLAYGROUND } from '../../api/routes.ts';
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

/** Each part, with its description for the help. */
const PAGES: Readonly<Record<PageName, { title: string; has: string; Page: ComponentType }>> = {
  payments: {
    title: 'Payments',
    has: 'What happened to a payment, step by step; create, pay, change, cancel and refund one.',
    Page: Payments,
  },
  requests: {
    title: 'Requests',
    has: 'What your server and the form asked, what was answered, and why it was refused.',
    Page: Requests,
  },
  webhooks: {
    title: 'Webhooks',
    has: 'Where events go, each body that was sent and each answer; send one again.',
    Page: Webhooks,
  },
  balance: { title: 'Balance', has: 'What is available, and when the rest will be.', Page: BalancePage },
  cards: { title: 'Test cards', has: 'The number for each outcome. A click copies it.', Page: Cards },
  faults: {
    title: 'Faults',
    has: 'Slow, cut and failing answers, and lost or doubled webhooks, for the next requests.',
    Page: Faults,
  },
  reports: { title: 'Reports', has: 'What browsers refused to load in the form.', Page: Reports },
  controls: {
    title: 'Controls',
    has: 'The keys to copy, the account, and how attempts end.',
    Page: ControlsPage,
  },
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
    chosen.current?.scrollIntoView({ inline: 'center', block: 'nearest' }); // a phone has room for only a few tabs
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
          <Help />
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

/** Describes where things are. */
const Help = () => {
  const place = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const close = () => {
    place.current?.removeAttribute('open');
    summary.current?.focus();
  };
  return (
    <details ref={place} class="help" onKeyDown={({ key }) => key === 'Escape' && close()}>
      <summary ref={summary}>Help</summary>
      <dl>
        {VIEWS.map((one) => (
          <div key={one}>
            <dt>
              <a href={`#/${one}`} onClick={close}>
                {PAGES[one].title}
              </a>
            </dt>
            <dd>{PAGES[one].has}</dd>
          </div>
        ))}
        <div>
          <dt>
            <a href={PLAYGROUND}>Playground</a>
          </dt>
          <dd>The form beside controls for its options, and the code for what you see.</dd>
        </div>
        <div>
          <dt>
            <a href="/llms.txt">Documentation</a>
          </dt>
          <dd>
            All of it, and the API at <a href={`${INSPECTOR}api.md`}>api.md</a>.
          </dd>
        </div>
      </dl>
    </details>
  );
};
