import { isSecret } from './model.ts';

/** Says why a list is not reduced by this text: it looks like a secret, which is never sent. `all` is what the list shows. */
export const NotSearchedFor = ({ text, all }: { text: string; all: string }) =>
  isSecret(text) ? (
    <p class="note">Card numbers, keys and client secrets are not searched for. The list shows all {all}.</p>
  ) : null;
