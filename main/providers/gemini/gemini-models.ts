import type { ModelRequest } from '../../agent/ports/provider.ts'

/** The generation that a model's name tells: 2.5, 3, 3.8; 0: it tells none. */
export function generation(model: string): number {
  return Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0)
}

/**
 * Since its third generation the service refuses a round whose first call has no signature. For calls that other models made it names this
 * word, which it takes in place of one.
 */
export const NOT_SIGNED_BY_GEMINI = 'skip_thought_signature_validator'

/** Tokens of reasoning for the generation that is given a number; below its smallest limit, that of Pro. */
const BUDGETS = { low: 1024, medium: 8192, high: 24_576 } as const

/** How much a model is told to reason, and to let it be read; null: this one does not reason. */
export function thinkingConfig(model: string, effort: ModelRequest['effort']): object | null {
  const which = generation(model)
  if (which < 2.5 || /-image|-tts|-live|-embedding/.test(model)) return null
  if (effort === null) return { includeThoughts: true }
  if (which < 3) return { includeThoughts: true, thinkingBudget: BUDGETS[effort] }
  // The first of its generation knows no middle.
  const level = effort === 'medium' && model.startsWith('gemini-3-pro') ? 'high' : effort
  return { includeThoughts: true, thinkingLevel: level }
}
