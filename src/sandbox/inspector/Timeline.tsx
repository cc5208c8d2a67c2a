import type { PaymentDetails } from '../service/control/overview.ts';
import { useInspector } from './context.ts';
import { ExactTime } from './RelativeTime.tsx';
import { type Actor, buildTimeline, type Entry } from './timeline.ts';

const ACTORS: Readonly<Record<Actor, string>> = {
  form: 'Form',
  server: 'Merchant',
  service: 'Service',
  webhook: 'Webhook',
  control: 'Inspector',
};

/** A payment's timeline, newest entries last. `of` names the payment if there is more than one. */
export const Timeline = ({ facts, of }: { facts: PaymentDetails; of?: string }) => {
  const { now } = useInspector();
  const { past, upcoming, gaps } = buildTimeline(facts, now.value);
  return (
    <section aria-label={of === undefined ? 'Timeline' : `Timeline of ${of}`}>
      <h3>
        Timeline{of !== undefined && ' of '}
        {of !== undefined && <code>{of}</code>}
      </h3>
      {gaps.map((gap) => (
        <p key={gap} class="note">
          {gap}
        </p>
      ))}
      <ol class="timeline">
        {past.map((entry, index) => (
          <Line key={`${index} ${entry.title}`} entry={entry} />
        ))}
      </ol>
      {upcoming.length > 0 && (
        <>
          <h4>Upcoming</h4>
          <ol class="timeline" data-upcoming="true">
            {upcoming.map((entry, index) => (
              <Line key={`${index} ${entry.title}`} entry={entry} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
};

const Line = ({ entry: { at, actor, tone, title, details, count, lastAt } }: { entry: Entry }) => (
  <li data-tone={tone}>
    <span class="entry-time">
      {at === null ? <span class="muted">time unknown</span> : <ExactTime at={at} until={lastAt ?? at} />}
    </span>
    <span class="entry-body">
      <span class="title">
        {title}
        {count > 1 && <span class="count"> {count} times</span>}
      </span>
      {details.length > 0 && <span class="details">{details.join(' · ')}</span>}
    </span>
    <span class="entry-actor">{ACTORS[actor]}</span>
  </li>
);
