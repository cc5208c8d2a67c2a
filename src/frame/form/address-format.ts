/**
 * The chosen country, the fields its addresses have, and what becomes of a state and a postal code when the buyer
 * chooses another: what fits there is kept, what does not waits until the buyer comes back.
 */
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type AddressFormat, GENERAL_FORMAT } from '../../address/format.ts';
import { knownFormat, loadFormat } from '../../address/load.ts';
import { readPostalCode } from '../../address/postal-code.ts';
import { findState } from '../../address/states.ts';

/** The two parts of an address that mean something in one country alone. */
const BOUND = ['state', 'postal_code'] as const;
type Bound = (typeof BOUND)[number];

export type Follower = {
  /** The fields on the screen. Those of the country before until the ones of this country are there. */
  format: ReadonlySignal<AddressFormat>;
  /** The country was chosen. */
  follow(country: string): void;
  /** The buyer, or whoever fills in for them, wrote one of the two. */
  note(name: Bound, text: string): void;
  /**
   * The buyer wants to pay, so from now on nothing changes under their hands. A country whose fields are still on
   * their way is asked for in general terms. True where that has just changed the fields.
   */
  settle(): boolean;
};

/** `patience` ends when a country's fields have been on their way for too long. */
export const createFollower = (
  text: Record<Bound, Signal<string>>,
  patience: () => Promise<void>,
): Follower => {
  const format = signal<AddressFormat>(GENERAL_FORMAT);
  /** The latest choice, for as long as fields may still arrive for it. */
  let awaited: { country: string; shown: boolean } | null = null;
  const written = new Map<string, Partial<Record<Bound, string>>>();
  const latest: Record<Bound, string> = { state: '', postal_code: '' };
  let country = '';

  const enter = (next: AddressFormat) => {
    const own = written.get(country) ?? {};
    batch(() => {
      format.value = next;
      text.state.value = stateIn(next, own.state, latest.state);
      text.postal_code.value = postalCodeIn(next, own.postal_code, latest.postal_code);
    });
  };

  const load = async (choice: { country: string; shown: boolean }) => {
    const loading = loadFormat(choice.country);
    const show = (next: AddressFormat) => {
      if (awaited !== choice) return; // chosen again meanwhile, or paid
      choice.shown = true;
      enter(next);
    };
    const early = await Promise.race([loading, patience().then(() => null)]);
    show(early ?? GENERAL_FORMAT);
    if (!early) show(await loading);
    if (awaited === choice) awaited = null;
  };

  return {
    format,
    follow(chosen) {
      country = chosen;
      awaited = null;
      const atHand = knownFormat(chosen);
      if (atHand) return enter(atHand);
      awaited = { country: chosen, shown: false };
      void load(awaited);
    },
    note(name, value) {
      written.set(country, { ...written.get(country), [name]: value });
      const { states } = format.peek();
      // "WA" chosen in one country is not the "WA" of another; a name that was typed may be one everywhere.
      latest[name] = name === 'state' && states ? '' : value;
      if (name === 'state' && states) text.state.value = stateIn(format.peek(), value, '');
    },
    settle() {
      const isEarly = awaited !== null && !awaited.shown;
      awaited = null;
      if (!isEarly) return false;
      const before = format.peek();
      enter(GENERAL_FORMAT);
      return before !== GENERAL_FORMAT;
    },
  };
};

/** What was written in this country; else what was written elsewhere, if it is a state here, too. */
const stateIn = (format: AddressFormat, own: string | undefined, elsewhere: string): string => {
  if (!format.fields.includes('state')) return '';
  return format.states ? (findState(format, own ?? elsewhere) ?? '') : (own ?? '');
};

const postalCodeIn = (format: AddressFormat, own: string | undefined, elsewhere: string): string => {
  if (!format.fields.includes('postal_code')) return '';
  if (own !== undefined) return own;
  return format.postal && readPostalCode(elsewhere, format).fits ? elsewhere : '';
};
