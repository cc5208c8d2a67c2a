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

/** The tone of an HTTP status, or of whatever stands in its place. */
export const toneOf = (status: number | string | null): Tone => {
  if (status === null) return 'wait';
  if (typeof status === 'string') return TONES[status] ?? 'plain';
  return status < 300 ? 'good' : status < 400 ? 'plain' : 'bad';
};

/** A state in a word; its colour says nothing that the word does not. */
export const Badge = ({ text, tone = toneOf(text) }: { text: string; tone?: Tone }) => (
  <span class="badge" data-tone={tone}>
    {text}
  </span>
);
