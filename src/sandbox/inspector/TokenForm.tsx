import { saveToken } from './control-token.ts';

/** Asks for the control token. The page then retries automatically, within a second. */
export const TokenForm = () => (
  <form
    class="inline-form"
    onSubmit={(event) => {
      event.preventDefault();
      const given = new FormData(event.currentTarget).get('token');
      if (typeof given === 'string') saveToken(given);
    }}
  >
    <p class="note token-note">
      Other machines can reach this sandbox, so the inspector needs its control token. The sandbox printed it
      at its start, and a link that has it.
    </p>
    <label>
      Control token
      <input type="password" name="token" size={36} autocomplete="off" spellcheck={false} required />
    </label>
    <button type="submit" class="primary">
      Unlock
    </button>
  </form>
);
