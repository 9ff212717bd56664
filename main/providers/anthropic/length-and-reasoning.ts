import { type Effort, EFFORTS, nearestEffort } from '../../../shared/session/settings/model-facts.ts'
import type { ModelRequest } from '../../agent/ports/provider.ts'
import { findModel, undated } from '../catalogue/catalogue.ts'
import type { Reasoning } from '../catalogue/catalogue-model.ts'

/** Reasoning tokens per effort, for models that accept a number. */
const BUDGETS = { minimal: 1024, low: 1024, medium: 4096, high: 16_384, xhigh: 24_576, max: 31_999 } as const
/** Maximum share of `max_tokens` for a reasoning budget. */
const SHARE = 0.75
/** Tokens for the answer itself: enough for a file of two thousand lines that is written in one call. */
const ANSWER = 32_000
/** Tokens for answer and reasoning together, if the model divides them itself. */
const ANSWER_WITH_REASONING = 64_000
/** Maximum output tokens of Claude models that are not in the catalogue; the first matching pattern is used. */
const CLAUDE_LIMITS: readonly (readonly [RegExp, number])[] = [
  [/^claude-(2|instant|3-(opus|sonnet|haiku))/, 4_096],
  [/^claude-3-5/, 8_192],
  [/^claude-opus-4(-[01])?$/, 32_000],
  [/^claude-/, 64_000],
]
/** Output tokens for unknown models. The number is low, because services reject a request for more tokens than the model supports. */
const MODEST = 8_192

/** The values of `output_config.effort`, and `none`. */
const AS_WORDS: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh', 'max']

/** The members of a request that set length and reasoning. */
export interface LengthAndReasoning {
  readonly max_tokens: number
  readonly thinking?:
    | { readonly type: 'disabled' }
    | { readonly type: 'adaptive'; readonly display: 'summarized' }
    | { readonly type: 'enabled'; readonly budget_tokens: number }
  readonly output_config?: { readonly effort: Effort }
}

/**
 * `canReason` is false if the conversation does not allow a reasoning budget because the current round started without reasoning. If the
 * request states no effort, the vendor's default applies. If the model reasons anyway, its reasoning is requested in readable form.
 */
export function lengthAndReasoning(
  { model: given, effort: asked }: Pick<ModelRequest, 'model' | 'effort'>,
  canReason: boolean,
): LengthAndReasoning {
  const model = plainName(given)
  const known = findModel('anthropic', model)
  const limit = known?.maxOutput ?? CLAUDE_LIMITS.find(([name]) => name.test(model))?.[1] ?? null
  const atMost = (tokens: number): number => Math.min(tokens, limit ?? MODEST)
  const reasoning = known?.reasoning ?? guessed(model)
  const effort = asked && nearestEffort(asked, known?.efforts ?? (reasoning.kind === 'adaptive' ? AS_WORDS : EFFORTS))
  if (effort === 'none') {
    const isOn = reasoning.kind === 'adaptive' && reasoning.unasked
    return { max_tokens: atMost(ANSWER), ...(isOn && { thinking: { type: 'disabled' } as const }) }
  }
  if (reasoning.kind === 'adaptive') {
    if (effort === null && !reasoning.unasked) return { max_tokens: atMost(ANSWER) }
    const thinking = { type: 'adaptive', display: 'summarized' } as const
    return { max_tokens: atMost(ANSWER_WITH_REASONING), thinking, ...(effort ? { output_config: { effort } } : {}) }
  }
  if (effort === null || !canReason || reasoning.kind === 'none') return { max_tokens: atMost(ANSWER) }
  const budget_tokens = limit === null ? BUDGETS[effort] : Math.min(BUDGETS[effort], Math.floor(limit * SHARE))
  // The budget is part of max_tokens and must leave room for an answer, even if the model's limit is unknown.
  return {
    max_tokens: limit === null ? MODEST + budget_tokens : atMost(ANSWER + budget_tokens),
    thinking: { type: 'enabled', budget_tokens },
  }
}

/** Whether a model accepts an output format: all Claude models in the catalogue do, and later ones are expected to. */
export function knowsShapes(model: string): boolean {
  const name = plainName(model)
  return findModel('anthropic', name) !== null || guessed(name).kind === 'adaptive'
}

/**
 * Anthropic's name for a Claude model that a gateway names differently: `anthropic/claude-opus-4.8`, `us.anthropic.claude-opus-4-8-v1:0`.
 */
function plainName(model: string): string {
  const [, name] = /(claude-.+)$/.exec(model) ?? []
  if (name === undefined) return model
  const plain = name.replace(/(-v\d+)?(:\w+)?$/, '').replace('@', '-')
  return undated(plain.replaceAll(/(\d)\.(\d)/g, '$1-$2'))
}

/**
 * Unknown Claude models are expected to reason like the newest known ones. Other models that use this wire format support at most a
 * budget.
 */
function guessed(model: string): Reasoning | { readonly kind: 'none' } {
  if (/^claude-(2|instant|3-(?!7))/.test(model)) return { kind: 'none' }
  if (/^claude-(3-7|opus-4-[015]\b|opus-4$|sonnet-4-[05]\b|sonnet-4$|haiku-[34])/.test(model)) return { kind: 'budget' }
  if (model.startsWith('claude-')) return { kind: 'adaptive', unasked: false }
  return { kind: 'budget' }
}
