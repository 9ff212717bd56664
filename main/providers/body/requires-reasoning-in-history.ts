/** DeepSeek since V3.2 and the reasoning Kimi models. Older ones run on services that reject unknown members. */
const NAMES = /deepseek-(v3\.2|v[4-9]|reasoner|chat)|kimi-(k2-thinking|k2\.[5-9]|k[3-9]|for-coding|latest)/i

/**
 * Whether a reasoning model rejects conversations in which any answer lacks reasoning, even another model's. A single space is accepted
 * instead. None of these models signs its reasoning.
 */
export function requiresReasoningInHistory(model: string): boolean {
  return NAMES.test(model)
}
