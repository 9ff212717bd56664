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
