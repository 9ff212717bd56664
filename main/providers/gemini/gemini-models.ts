import { type Effort, nearestEffort } from '../../../shared/session/settings/effort.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import { findModel } from '../catalogue/catalogue.ts'

/** What a name stands for that tells no generation: the vendor's newest. */
const NEWEST = 4

/** The generation that a model's name tells: 2.5, 3, 3.8; `gemini-flash-latest` and its like are the newest; 0: it tells none. */
export function generation(model: string): number {
  const told = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1]
  if (told !== undefined) return Number(told)
  return /gemini-[a-z-]*latest/.test(model) ? NEWEST : 0
}

/**
 * Since its third generation the service refuses a round whose first call has no signature. For calls that other models made it names this
 * word, which it takes in place of one.
 */
export const NOT_SIGNED_BY_GEMINI = 'skip_thought_signature_validator'

/** Tokens of reasoning for the generation that is given a number; below its smallest limit, that of Pro; `none`: Pro cannot do without. */
const BUDGETS = { minimal: 512, low: 1024, medium: 8192, high: 24_576, xhigh: 24_576, max: 24_576 } as const
const LEAST_OF_PRO = 128

const LEVELS: readonly Effort[] = ['minimal', 'low', 'medium', 'high']
const LEVELS_OF_PRO: readonly Effort[] = ['low', 'medium', 'high']

/** How much a model is told to reason, and to let it be read; null: this one does not reason. */
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
  // The first of its generation knows no middle.
  return { includeThoughts: true, thinkingLevel: level === 'medium' && model.startsWith('gemini-3-pro') ? 'high' : level }
}
