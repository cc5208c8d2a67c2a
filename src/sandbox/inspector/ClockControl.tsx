import { ActionButton } from './ActionButton.tsx';
import { useInspector } from './context.ts';
import { post } from './control-api.ts';
import { formatDateTime, formatDuration } from './format.ts';

const MINUTE = 60;
const DAY = 86_400;
const STEPS: readonly { text: string; name: string; seconds: number }[] = [
  { text: '+30 s', name: '30 seconds', seconds: 30 },
  { text: '+10 min', name: '10 minutes', seconds: 10 * MINUTE },
  { text: '+1 d', name: '1 day', seconds: DAY },
  { text: '+7 d', name: '7 days', seconds: 7 * DAY },
  { text: '+30 d', name: '30 days', seconds: 30 * DAY },
];

/** The sandbox's time, with buttons that move it forward. Scheduled tasks in between run at their own times. */
export const ClockControl = () => {
  const { now, overview } = useInspector();
  const ahead = overview.value?.ahead ?? 0;
  return (
    <div class="clock">
      <p>
        <time dateTime={new Date(now.value).toISOString()} class="mono">
          {formatDateTime(now.value)}
        </time>
        {ahead > 0 && <span class="muted"> {formatDuration(ahead)} ahead</span>}
      </p>
      <fieldset class="buttons">
        <legend class="visually-hidden">Move the clock forward</legend>
        {STEPS.map(({ text, name, seconds }) => (
          <ActionButton
            key={text}
            title={`Move the clock forward by ${name}`}
            run={async () => {
              await post('clock', { advance_seconds: seconds });
              return `Moved the clock forward by ${name}.`;
            }}
          >
            {text}
          </ActionButton>
        ))}
      </fieldset>
    </div>
  );
};
