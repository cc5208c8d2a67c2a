import type { Tone } from './timeline.ts';

const TONES: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  live: 'good',
  enabled: 'good',
  processing: 'wait',
  pending: 'wait',
  failed: 'bad',
  canceled: 'plain',
  cut: 'bad',
  refused: 'bad',
};

/** Returns the tone of an HTTP status or of a status word. */
export const toneOf = (status: number | string | null): Tone => {
  if (status === null) return 'wait';
  if (typeof status === 'string') return TONES[status] ?? 'plain';
  return status < 300 ? 'good' : status < 400 ? 'plain' : 'bad';
};

/** A status as a coloured word. The colour only repeats the word, so that nothing depends on seeing it. */
export const Badge = ({ text, tone = toneOf(text) }: { text: string; tone?: Tone }) => (
  <span class="badge" data-tone={tone}>
    {text}
  </span>
);
