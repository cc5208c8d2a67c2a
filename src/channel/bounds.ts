/**
 * How large and how deep a message may be, asked before any schema looks at it. A window hears whatever
 * anyone posts to it: cycles, binary data, ten megabytes of text, objects with an own `__proto__`.
 */

/** About 16 KiB as JSON: ten times what the longest honest message needs. */
export const LARGEST_MESSAGE = 16_384;

/** The deepest honest message is `init`: message, defaultValues, billingDetails, address. */
export const DEEPEST_MESSAGE = 4;

/** Own keys that a careless copy would turn into another prototype. */
const HOSTILE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** `plain` may be read by a schema; `oversized` breaks a limit; `foreign` is something JSON could not say. */
export type Bounds = 'plain' | 'oversized' | 'foreign';

/** Measures a message without trusting it: stops at the limits, so neither a cycle nor a flood costs time. */
export const measure = (message: unknown): Bounds => {
  let room = LARGEST_MESSAGE;

  const walk = (value: unknown, depth: number): Bounds => {
    room -= typeof value === 'string' ? value.length + 2 : 8;
    if (room < 0) return 'oversized';
    switch (typeof value) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'undefined':
        return 'plain';
      case 'object':
        break;
      default:
        return 'foreign';
    }
    if (value === null) return 'plain';
    if (depth > DEEPEST_MESSAGE || (Array.isArray(value) && value.length > room)) return 'oversized';
    if (!Array.isArray(value) && !isRecord(value)) return 'foreign';
    for (const key of Object.keys(value)) {
      if (HOSTILE_KEYS.has(key)) return 'foreign';
      room -= key.length + 3;
      const verdict = walk(Reflect.get(value, key), depth + 1);
      if (verdict !== 'plain') return verdict;
    }
    return 'plain';
  };

  return walk(message, 1);
};

/** True for `{…}`, false for Date, Map, Blob, typed arrays and whatever else a structured clone can carry. */
const isRecord = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};
