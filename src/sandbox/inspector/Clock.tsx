import { post } from './ask.ts';
import { useModel } from './context.ts';
import { lengthText, momentText } from './words.ts';

const MINUTE = 60;
const DAY = 86_400;
const MOVES: readonly { text: string; name: string; seconds: number }[] = [
  { text: '+30 s', name: '30 seconds', seconds: 30 },
  { text: '+10 min', name: '10 minutes', seconds: 10 * MINUTE },
  { text: '+1 d', name: '1 day', seconds: DAY },
  { text: '+7 d', name: '7 days', seconds: 7 * DAY },
  { text: '+30 d', name: '30 days', seconds: 30 * DAY },
];

/** The sandbox's time, and the levers to move it. What happens on the way happens at its own moment. */
export const Clock = () => {
  const { now, overview, act } = useModel();
  const ahead = overview.value?.ahead ?? 0;
  return (
    <div class="clock">
      <p>
        <time dateTime={new Date(now.value).toISOString()} class="mono">
          {momentText(now.value)}
        </time>
        {ahead > 0 && <span class="soft"> {lengthText(ahead)} ahead</span>}
      </p>
      <fieldset class="buttons">
        <legend class="unseen">Move the clock forward</legend>
        {MOVES.map(({ text, name, seconds }) => (
          <button
            key={text}
            type="button"
            class="small"
            title={`Move the clock forward by ${name}`}
            onClick={() =>
              void act(async () => {
                await post('clock', { advance_seconds: seconds });
                return `The clock is ${name} further.`;
              })
            }
          >
            {text}
          </button>
        ))}
      </fieldset>
    </div>
  );
};
