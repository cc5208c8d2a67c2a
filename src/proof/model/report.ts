/** An exploration's findings, as text. */
import type { Exploration } from './explore.ts';

/** Invariants checked in every state and on every move. */
export const INVARIANTS: readonly string[] = [
  'a confirm is sent only for a press, once, with the total the button showed (outcomes I1, I2, I5)',
  'with beforePay, no confirm before the page has said yes to this press (promises 1.10)',
  'one charge at most, of the total the pressed button showed (outcomes G1, I5)',
  'another intent is asked for only when this one is canceled or out of attempts (outcomes G4)',
  'a parked form sends and says nothing, and does not take a press; back, it is read before it can be paid (C85)',
  'with update(), no press made for one intent pays another, and none that may charge is forgotten (promises 1.6)',
  'succeeded, canceled and failed are said only if they are true (outcomes I3, I4)',
  'charged: no is not said of a press that is being tried, was charged or will be (outcomes 2.4)',
  'pending is not said of a press that is being tried or was charged (outcomes 2.6)',
  'unknown is not said after charged: no, unless something was tried in between (outcomes 2.4)',
  'the form neither says charged: no nor offers Pay after the service reported a running attempt (contract 4.6)',
  'the form reports no more declines than failed attempts',
  'every press ends in an event for the page, and nothing is reported after the end',
  'with a lock, no confirm while a press of another tab is under way (outcomes 2.7)',
  'at most 20 reads a minute; nothing runs after the end or when the form is gone (outcomes I7, I8, I9)',
  'a form at rest can be used or says why not',
  'from every state, a service that answers leads to an end or to a usable form',
];

const line = (name: string, value: string | number) => `  ${name.padEnd(44)} ${value}`;

/** Bounds, counts and invariants, and the shortest path to a violation, if there is one. */
export const explorationReport = (name: string, found: Exploration): string => {
  const { bounds, states, transitions, depth, isComplete, tabStates, tabSteps, audited, seconds, violation } =
    found;
  return [
    name,
    line('bounds', JSON.stringify(bounds)),
    line('states', isComplete ? states : `${states}, not all`),
    line('transitions', transitions),
    line('depth, in moves', depth),
    line('states of one tab; steps of real sessions', `${tabStates}; ${tabSteps}`),
    line('paths replayed on real sessions', audited),
    line('processor time, in seconds', seconds.toFixed(1)),
    ...INVARIANTS.map((rule) => `  ${violation ? ' ' : '✓'} ${rule}`),
    ...(violation ? ['  broken:', ...violation.broken.map((rule) => `    ${rule}`), ...violation.trace] : []),
  ].join('\n');
};
