import { type Effort, nearestEffort } from '../../../shared/session/settings/model-facts.ts'
import { findModel } from '../catalogue/catalogue.ts'

/**
 * Whether an OpenAI model reasons, judged by its name: GPT-5 and later except the chat models, and the o-series. Other models reject an
 * effort.
 */
export function reasonsAtAll(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1)
  if (/-chat\b/.test(name)) return false
  return /^(gpt-([5-9]|\d\d)|o\d|codex|gpt-oss)/.test(name)
}

/** Whether an OpenAI model can call tools with plain text (custom tools), judged by its name: GPT-5 and later except the chat models. */
export function takesCustomTools(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return /^gpt-([5-9]|\d\d)/.test(name) && !/-chat\b/.test(name)
}

/** The effort to send: the nearest one that the model supports. For an unknown model, the requested effort. */
export function effortFor(model: string, asked: Effort | null): Effort | null {
  const known = findModel('openai', model.slice(model.lastIndexOf('/') + 1))
  return asked && known ? nearestEffort(asked, known.efforts) : asked
}

/**
 * Matches DeepSeek since V3.2 and the Kimi models that reason. Older versions are left out, because they run on services that reject
 * unknown members.
 */
const NAMES = /deepseek-(v3\.2|v[4-9]|reasoner|chat)|kimi-(k2-thinking|k2\.[5-9]|k[3-9]|for-coding|latest)/i

/**
 * Whether a reasoning model rejects conversations in which any answer lacks reasoning, including answers of other models. A single space is
 * accepted as reasoning. None of these models signs its reasoning.
 */
export function requiresReasoningInHistory(model: string): boolean {
  return NAMES.test(model)
}
