/**
 * What a shop imports: types, and two functions. Nothing of the form itself is in here, and importing it does
 * nothing, neither in a browser nor in Node.
 */
export type * from '../loader/types.ts';
export { type EarlyFrameOptions, earlyFrame } from './early-frame.ts';
export { type CardFormLoadError, type LoadFailure, type LoadOptions, loadCardForm } from './load.ts';
