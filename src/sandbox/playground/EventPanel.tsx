import { formatTimeOfDay } from '../inspector/format.ts';
import { usePlayground } from './context.ts';
import type { LogEntry } from './model.ts';

/** The form's events and the page's calls, newest first. */
export const EventPanel = () => {
  const { log, clearLog } = usePlayground();
  return (
    <section class="log" aria-label="Events">
      <div class="section-head">
        <h2>Events and calls</h2>
        <button type="button" class="small" onClick={clearLog}>
          Clear
        </button>
      </div>
      {log.value.length === 0 ? (
        <p class="empty">None yet.</p>
      ) : (
        <ol>
          {log.value.map((entry) => (
            <Entry key={entry.number} {...entry} />
          ))}
        </ol>
      )}
    </section>
  );
};

const TONES: Readonly<Record<string, string>> = {
  ready: 'good',
  result: 'good',
  decline: 'bad',
  error: 'bad',
  loaderror: 'bad',
  warning: 'wait',
  amountchange: 'wait',
  ratelimited: 'wait',
};

const Entry = ({ kind, name, detail, at }: LogEntry) => {
  const line = JSON.stringify(detail) ?? '';
  const head = (
    <>
      <time>{formatTimeOfDay(at)}</time>
      <span class="badge" data-tone={kind === 'event' ? TONES[name] : undefined}>
        {kind === 'call' ? `${name}()` : name}
      </span>
    </>
  );
  if (line === '' || line === '{}') return <li class="entry">{head}</li>;
  return (
    <li>
      <details>
        <summary class="entry">
          {head}
          <code>{line}</code>
        </summary>
        <pre>{JSON.stringify(detail, null, 2)}</pre>
      </details>
    </li>
  );
};
