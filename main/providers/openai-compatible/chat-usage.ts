import type { Usage } from '../../../shared/session/content.ts'
import { countOr, type Fields, optional } from '../answer/untyped-fields.ts'

/**
 * The usage in a chunk: at its top level, in its choice (Moonshot), or in `x_groq` (Groq). The first one with a prompt or answer count is
 * used.
 */
export function usageIn(chunk: Fields, choice: Fields): Fields {
  const candidates = [chunk['usage'], choice['usage'], optional(chunk['x_groq'])['usage']].map(optional)
  return candidates.find((usage) => promptIn(usage) !== undefined || answerIn(usage) !== undefined) ?? {}
}

/**
 * Returns `before`, updated with the newer figures. Services count cache reads and writes in the prompt, and reasoning in the answer. If
 * the total shows that a service counts reasoning separately (xAI), reasoning is added to the answer.
 */
export function newerUsage(before: Usage, usage: Fields): Usage {
  if (promptIn(usage) === undefined && answerIn(usage) === undefined) return before
  const prompt = optional(usage['prompt_tokens_details'] ?? usage['input_tokens_details'])
  const answer = optional(usage['completion_tokens_details'] ?? usage['output_tokens_details'])
  const cacheRead = firstCount(
    [prompt['cached_tokens'], usage['prompt_cache_hit_tokens'], usage['cached_tokens'], usage['cache_read_input_tokens']],
    before.cacheRead,
  )
  const cacheWrite = firstCount(
    [prompt['cache_write_tokens'], prompt['cache_creation_tokens'], usage['cache_creation_input_tokens']],
    before.cacheWrite,
  )
  const asked = countOr(promptIn(usage), before.input + before.cacheRead + before.cacheWrite)
  const reasoning = countOr(answer['reasoning_tokens'], before.reasoning)
  const written = countOr(answerIn(usage), before.output)
  const isApart = reasoning > 0 && usage['total_tokens'] === asked + written + reasoning
  return {
    input: Math.max(0, asked - cacheRead - cacheWrite),
    output: isApart ? written + reasoning : written,
    cacheRead,
    cacheWrite,
    reasoning,
  }
}

const promptIn = (usage: Fields): unknown => usage['prompt_tokens'] ?? usage['input_tokens']
const answerIn = (usage: Fields): unknown => usage['completion_tokens'] ?? usage['output_tokens']

function firstCount(values: readonly unknown[], otherwise: number): number {
  return values.map((value) => countOr(value, -1)).find((count) => count >= 0) ?? otherwise
}
