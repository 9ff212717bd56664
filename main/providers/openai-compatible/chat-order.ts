import type { Target } from '../body/body-format.ts'
import { shortId, wireId } from '../body/wire-text.ts'

/** Mistral's models accept only ids of nine letters and digits, so other ids are converted. */
export function idFor(toolCallId: string, { model }: Target): string {
  return isMistral(model) ? shortId(toolCallId) : wireId(toolCallId)
}

function isMistral(model: string): boolean {
  return /(mi|mini|magi|code|dev)stral|(mix|pix)tral/i.test(model)
}

/** The start of a user message after another message. It cannot occur inside a JSON string, because there its quotes would be escaped. */
const NEXT_USER = ',{"role":"user","content":"'
const ANSWERED = ',{"role":"assistant","content":"I have seen the results."}'

/** Models whose templates or services reject a conversation in which roles do not alternate. */
const STRICT = /gemma/i

/**
 * Returns the messages in an order that the model accepts. For strict models and Mistral's models, consecutive user messages become one
 * message. For Mistral's models, a short answer is added between results and a user message. Other models get the messages unchanged.
 */
export function ordered(messages: string, model: string): string {
  const needsAnswer = isMistral(model)
  if (!needsAnswer && !STRICT.test(model)) return messages
  const [first = '', ...rest] = messages.split(NEXT_USER)
  return rest.reduce((before, words) => {
    const start = before.lastIndexOf('{"role":"')
    if (before.startsWith('{"role":"user","content":"', start)) return `${before.slice(0, -2)}\\n\\n${words}`
    return `${before}${needsAnswer && before.startsWith('{"role":"tool"', start) ? ANSWERED : ''}${NEXT_USER}${words}`
  }, first)
}
