/** Asks the page's script what covers lines of the frame: scripts in the frame cannot see it. */
import type { CoversAnswer } from '../../channel/commands.ts';
import type { AskCovers, FrameMessage } from '../../channel/messages.ts';
import type { Warn } from './warnings.ts';

const NO_ANSWER =
  'Cannot check what covers the total: a file of the script failed to load. Allow its folder in script-src, with a slash at the end: https://…/partner/v1/card-form/';

export type CoverQuestions = {
  /** Resolves with the page's answer; never if the page does not answer. */
  ask: AskCovers;
  /** Handles the page's next answer. The page answers questions in order. */
  answer(answer: CoversAnswer): void;
};

export const createCoverQuestions = (post: (message: FrameMessage) => void, warn: Warn): CoverQuestions => {
  const unanswered: ((answer: CoversAnswer) => void)[] = [];
  return {
    ask: (lines, front) =>
      new Promise((resolve) => {
        unanswered.push((answer) => {
          if (lines.length > 0 && answer.covers.length === 0) warn('script-src', NO_ANSWER);
          resolve(answer);
        });
        post({ type: 'covers', lines, ...(front !== undefined && { front }) });
      }),
    answer: (answer) => unanswered.shift()?.(answer),
  };
};
