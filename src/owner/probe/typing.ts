/** Types a card into the form as a buyer does, by stable field names (promises 2.1). Nothing is pressed. */
import type { Frame, Page } from 'playwright';

/** A number that every card network reserves for tests, with a matching date and code. */
const CARD = [
  ['Card number', '4242424242424242'],
  ['Expiry date', '1234'],
  ['Security code', '123'],
] as const;

/** Limit for one field, in ms. */
const TYPING = 10_000;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Why a buyer couldn't type, or saw no total on the button; null if neither. */
export const typeCard = async (page: Page, origin: string): Promise<string | null> => {
  const frame = page.frames().find((one) => one.url().startsWith(`${origin}/`));
  return frame === undefined ? 'the form has no frame' : ((await typeInto(frame)) ?? totalProblem(frame));
};

const typeInto = async (frame: Frame): Promise<string | null> => {
  for (const [label, keys] of CARD) {
    const field = frame.getByLabel(label, { exact: true });
    try {
      await field.pressSequentially(keys, { timeout: TYPING });
      const typed = await field.inputValue({ timeout: TYPING });
      if (digitsOf(typed) !== keys)
        return `the field "${label}" was expected to have ${keys}, as it was typed; it has ${JSON.stringify(typed)}`;
    } catch (error) {
      const [line = ''] = (error instanceof Error ? error.message : `${error}`).split('\n');
      return `nothing could be typed into the field "${label}": ${line}`;
    }
  }
  return null;
};

const totalProblem = async (frame: Frame): Promise<string | null> => {
  const buttons = await frame.getByRole('button').allTextContents();
  return buttons.some((text) => /^Pay\b.*\d/.test(text.trim()))
    ? null
    : `the button was expected to say "Pay" and the total; the buttons say ${JSON.stringify(buttons).slice(0, 200)}`;
};
