import type { Target } from '../body/body-format.ts'
import { shortId, wireId } from '../body/wire-text.ts'

/** Mistral's models are given ids of nine letters and digits only; what another made is written so. */
export function idFor(toolCallId: string, { model }: Target): string {
  return isMistral(model) ? shortId(toolCallId) : wireId(toolCallId)
}

function isMistral(model: string): boolean {
  return /(mi|mini|magi|code|dev)stral|(mix|pix)tral/i.test(model)
}

/** Where a person's words follow a message; within a string it would have its quotes escaped. */
const WORDS = ',{"role":"user","content":"'
const ANSWERED = ',{"role":"assistant","content":"I have seen the results."}'

/** Models whose templates and services want the roles to alternate, and refuse the whole conversation otherwise. */
const STRICT = /gemma/i

/**
 * Messages in an order that the model takes. For strict ones the words of a person that follow each other are one message; with Mistral's an
 * answer stands between results and a person besides. Others get them as they were said.
 */
export function ordered(messages: string, model: string): string {
  const needsAnswer = isMistral(model)
  if (!needsAnswer && !STRICT.test(model)) return messages
  const [first = '', ...rest] = messages.split(WORDS)
  return rest.reduce((before, words) => {
    const start = before.lastIndexOf('{"role":"')
    if (before.startsWith('{"role":"user","content":"', start)) return `${before.slice(0, -2)}\\n\\n${words}`
    return `${before}${needsAnswer && before.startsWith('{"role":"tool"', start) ? ANSWERED : ''}${WORDS}${words}`
  }, first)
}
