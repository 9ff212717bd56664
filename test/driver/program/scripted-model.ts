import { z } from 'zod'
import type { ScriptedAnswer, ScriptedBlock } from '../../../main/providers/rehearsal/scripted-answer.ts'

const usage = z
  .object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number(), thinking: z.number() })
  .partial()
const call = z.object({
  name: z.string(),
  args: z.union([z.string(), z.record(z.string(), z.json())]).default({}),
  id: z.string().optional(),
})

/** The answer of a scripted model to one request (test/driver.md). */
export const scriptedAnswer = z.union([
  z.string(),
  z.strictObject({ text: z.string(), thinking: z.string(), calls: z.array(call), usage }).partial(),
  z.strictObject({
    status: z.number().int().min(400).max(599),
    type: z.string().default('error'),
    message: z.string().default('Refused by the script.'),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  z.strictObject({ raw: z.string(), status: z.number().int().default(200), headers: z.record(z.string(), z.string()).default({}) }),
  z.strictObject({ hangUp: z.literal(true) }),
])
export type GivenAnswer = z.infer<typeof scriptedAnswer>

/** The answer in the model server's format. After the end of the script, it is an error that is not retried. */
export function scripted(script: readonly GivenAnswer[], index: number): ScriptedAnswer {
  const given = script[index]
  if (given === undefined)
    return { kind: 'refusal', status: 400, type: 'invalid_request_error', words: `The script has only ${script.length} answers.` }
  if (typeof given === 'string') return { kind: 'message', blocks: [{ kind: 'text', text: given }] }
  if ('hangUp' in given) return { kind: 'hang_up' }
  if ('raw' in given) return { kind: 'raw', status: given.status, headers: given.headers, body: given.raw }
  if ('status' in given) return { kind: 'refusal', status: given.status, type: given.type, words: given.message, headers: given.headers }
  const { text, thinking, calls = [], usage: used } = given
  const blocks: readonly ScriptedBlock[] = [
    ...(thinking === undefined ? [] : [{ kind: 'thinking', text: thinking, signature: 'scripted' } as const]),
    ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
    ...calls.map(({ name, args, id }) => {
      const argsText = typeof args === 'string' ? args : JSON.stringify(args)
      return { kind: 'call', name, args: argsText, ...(id !== undefined && { id }) } as const
    }),
  ]
  return { kind: 'message', blocks, ...(used && { usage: given.usage as NonNullable<typeof used> }) } as ScriptedAnswer
}
