/**
 * Limits on the size and depth of a message, checked before any schema parses it. Any window can post anything to the
 * frame: cycles, binary data, ten megabytes of text, objects with an own `__proto__`.
 */

/** In characters of JSON, roughly: 16 KiB, ten times the longest legitimate message. */
export const LARGEST_MESSAGE = 16_384;

/** The depth of `init`, the deepest legitimate message: message, defaultValues, billingDetails, address. */
export const DEEPEST_MESSAGE = 4;

/** Own keys that could change a prototype when a message is copied. */
const HOSTILE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** `plain`: safe for a schema to parse. `oversized`: exceeds a limit. `foreign`: can't be expressed in JSON. */
export type Bounds = 'plain' | 'oversized' | 'foreign';

/** Measures a message. Stops at the limits, so that neither a cycle nor a huge message costs time. */
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

/**
 * Returns true for plain objects; false for Date, Map, Blob, typed arrays and other classes that structured clone
 * keeps.
 */
const isRecord = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};
