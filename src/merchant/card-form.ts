/**
 * Entry point of the package: types and two functions. It contains no form code, and importing it has no side effects,
 * in a browser or in Node.
 */
export type * from '../form/loader/types.ts';
export { type EarlyFrameOptions, earlyFrame } from './early-frame.ts';
export type * from './elements.ts';
export { type CardFormLoadError, type LoadFailure, type LoadOptions, loadCardForm } from './load.ts';
