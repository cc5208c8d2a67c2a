/** Parses the page's answer to `SearchRequest`. Part of the script that asks, so that no other buyer loads it. */
import * as z from 'zod/mini';
import * as LIMITS from '../../api/limits.ts';
import { MOST_SUGGESTIONS } from './suggestion.ts';

const upTo = (length: number) => z.string().check(z.maxLength(length));
const line = upTo(LIMITS.addressLine);

const Suggestion = z.object({
  label: line,
  address: z.object({
    line1: line,
    line2: z.optional(line),
    city: z.optional(line),
    state: z.optional(line),
    postal_code: z.optional(upTo(LIMITS.postalCode)),
    country: z.optional(upTo(LIMITS.country)),
  }),
});
export type Suggestion = z.infer<typeof Suggestion>;

/** Invalid suggestions become `null`. The build compiles this schema (`src/build/compiled-schemas.ts`). */
export const SearchAnswer = z.object({
  search: z.catch(z.optional(z.int()), undefined),
  suggestions: z.catch(
    z.optional(z.array(z.catch(z.nullable(Suggestion), null)).check(z.maxLength(MOST_SUGGESTIONS))),
    undefined,
  ),
  mistake: z.catch(z.optional(upTo(200)), undefined),
});
