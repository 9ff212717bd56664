import { type Effort, nearestEffort } from '../../../shared/session/settings/model-facts.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import { findModel } from '../catalogue/catalogue.ts'

/** Generation for names without a number, such as `gemini-flash-latest`: the newest one. */
const NEWEST = 4

/**
 * A model's generation by its name: 2.5, 3, 3.8. `gemini-flash-latest` and similar names count as the newest generation. 0 if it is not a
 * Gemini model.
 */
export function generation(model: string): number {
  const named = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1]
  if (named !== undefined) return Number(named)
  return /gemini-[a-z-]*latest/.test(model) ? NEWEST : 0
}

/**
 * A value that the service accepts in place of a signature, according to its documentation. Since generation 3, the service rejects a round
 * whose first call has no signature, and calls of other models have none.
 */
export const NOT_SIGNED_BY_GEMINI = 'skip_thought_signature_validator'

/** Reasoning tokens per effort for models with a budget. The numbers are within the limits of all these models. */
const BUDGETS = { minimal: 512, low: 1024, medium: 8192, high: 24_576, xhigh: 24_576, max: 24_576 } as const
/** The smallest budget of Pro models, which always reason. */
const LEAST_OF_PRO = 128

const LEVELS: readonly Effort[] = ['minimal', 'low', 'medium', 'high']
const LEVELS_OF_PRO: readonly Effort[] = ['low', 'medium', 'high']

/** The reasoning options of a request. They ask for readable thoughts unless reasoning is off. Null if the model does not reason. */
export function thinkingConfig(model: string, effort: ModelRequest['effort']): object | null {
  const which = generation(model)
  if (which < 2.5 || /-image|-tts|-live|-embedding/.test(model)) return null
  if (effort === null) return { includeThoughts: true }
  const isPro = /-pro/.test(model)
  if (which < 3) {
    if (effort === 'none') return isPro ? { includeThoughts: true, thinkingBudget: LEAST_OF_PRO } : { thinkingBudget: 0 }
    return { includeThoughts: true, thinkingBudget: BUDGETS[effort] }
  }
  const level = nearestEffort(effort, findModel('gemini', model)?.efforts ?? (isPro ? LEVELS_OF_PRO : LEVELS))
  // The first Pro model of generation 3 does not accept the level `medium`.
  return { includeThoughts: true, thinkingLevel: level === 'medium' && model.startsWith('gemini-3-pro') ? 'high' : level }
}
