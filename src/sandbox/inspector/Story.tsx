import type { PaymentFacts } from '../overview.ts';
import { useModel } from './context.ts';
import { Moment } from './Moment.tsx';
import { type Actor, type Entry, timelineOf } from './timeline.ts';
import { clockText, momentText } from './words.ts';

const ACTORS: Readonly<Record<Actor, string>> = {
  form: 'Form',
  server: 'Merchant',
  service: 'Service',
  webhook: 'Webhook',
  you: 'Inspector',
};

/** The timeline of a payment. It grows at its end. */
export const Story = ({ facts }: { facts: PaymentFacts }) => {
  const { now } = useModel();
  const { past, coming, gaps } = timelineOf(facts, now.value);
  return (
    <section aria-label="Timeline">
      <h3>Timeline</h3>
      {gaps.map((gap) => (
        <p key={gap} class="note">
          {gap}
        </p>
      ))}
      <ol class="story">
        {past.map((entry, index) => (
          <Line key={`${index} ${entry.title}`} entry={entry} />
        ))}
      </ol>
      {coming.length > 0 && (
        <>
          <h4>Still to come</h4>
          <ol class="story" data-coming="true">
            {coming.map((entry, index) => (
              <Line key={`${index} ${entry.title}`} entry={entry} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
};

const Line = ({ entry: { at, by, tone, title, details, count, last } }: { entry: Entry }) => (
  <li data-tone={tone}>
    <span class="when">
      {at === null ? (
        <span class="soft">at some time</span>
      ) : (
        <>
          <span class="mono" title={momentText(at)}>
            {clockText(at)}
          </span>{' '}
          <Moment at={last ?? at} />
        </>
      )}
    </span>
    <span class="what">
      <span class="title">
        {title}
        {count > 1 && <span class="count"> {count} times</span>}
      </span>
      {details.length > 0 && <span class="details">{details.join(' · ')}</span>}
    </span>
    <span class="by">{ACTORS[by]}</span>
  </li>
);
