import { type Effort, nearestEffort } from '../../../shared/session/settings/effort.ts'
import { findModel } from '../catalogue/catalogue.ts'

/**
 * Whether a model of OpenAI reasons, told by its name: those since GPT-5 do, except the ones made for chat, and the o-series. Others refuse
 * to be told how much.
 */
export function reasonsAtAll(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1)
  if (/-chat\b/.test(name)) return false
  return /^(gpt-([5-9]|\d\d)|o\d|codex|gpt-oss)/.test(name)
}

/** Whether a model of OpenAI calls tools with plain text (custom tools), told by its name: those since GPT-5 do, except the ones made for chat. */
export function takesCustomTools(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return /^gpt-([5-9]|\d\d)/.test(name) && !/-chat\b/.test(name)
}

/** The effort that a model of OpenAI is told: the nearest that it takes; of a model that is not known what is asked. */
export function effortFor(model: string, asked: Effort | null): Effort | null {
  const known = findModel('openai', model.slice(model.lastIndexOf('/') + 1))
  return asked && known ? nearestEffort(asked, known.efforts) : asked
}
