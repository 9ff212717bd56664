import type { Usage } from '../../../shared/session/content.ts'
import { countOr, type Fields, optional } from '../answer/fields.ts'

/** `input_tokens` holds what the cache gave and took, `output_tokens` the reasoning; ours holds the second only. */
export function responsesUsage(usage: Fields): Usage {
  const [input, output] = [optional(usage['input_tokens_details']), optional(usage['output_tokens_details'])]
  const [cacheRead, cacheWrite] = [countOr(input['cached_tokens'], 0), countOr(input['cache_write_tokens'], 0)]
  return {
    input: Math.max(0, countOr(usage['input_tokens'], 0) - cacheRead - cacheWrite),
    output: countOr(usage['output_tokens'], 0),
    cacheRead,
    cacheWrite,
    reasoning: countOr(output['reasoning_tokens'], 0),
  }
}
