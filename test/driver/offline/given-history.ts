import { z } from 'zod'
import { ToolCallId } from '../../../shared/lib/ids.ts'
import { type ContentPart, type ModelContent, NO_USAGE, type ProviderId, type ToolCallPart } from '../../../shared/session/content.ts'
import type { AssistantTurn, Turn, UserTurn } from '../../../shared/session/conversation-turns.ts'
import type { Target } from '../../../main/providers/body/body-format.ts'
import { givenTurns } from './given-turns.ts'
import { withUniqueCallIds } from './unique-call-ids.ts'

const text = z.object({ kind: z.literal('text'), text: z.string(), signature: z.string().optional() })
const image = z.object({
  kind: z.literal('image'),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.base64().min(1),
})
const linkedImage = z.object({
  kind: z.literal('image_url'),
  url: z.url({ protocol: /^https$/, error: 'a picture must be given as bytes or as a data: or https: address' }),
})
const document = z.object({ kind: z.literal('document'), mediaType: z.literal('application/pdf'), name: z.string(), data: z.string() })
const part = z.discriminatedUnion('kind', [
  text,
  z.object({ kind: z.literal('thinking'), text: z.string(), signature: z.string().nullable().default(null), item: z.json().optional() }),
  z.object({ kind: z.literal('opaque'), data: z.json() }),
  z.object({
    kind: z.literal('tool_call'),
    toolCallId: ToolCallId,
    toolName: z.string(),
    argsText: z.string().optional(),
    args: z.json().optional(),
    signature: z.string().optional(),
  }),
])
const output = z.union([z.string(), z.array(z.discriminatedUnion('kind', [text, image, document]))])
const result = z.object({ toolCallId: ToolCallId, toolName: z.string().optional(), output, isError: z.boolean().default(false) })

const provider = z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible', 'rehearsal', 'openai-responses', 'openai-chat'])
const turn = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['user', 'steering']),
    content: z.union([z.string(), z.array(z.discriminatedUnion('kind', [text, image, linkedImage])).min(1)]),
  }),
  z.object({ kind: z.literal('system'), content: z.string() }),
  z.object({
    kind: z.literal('assistant'),
    content: z.union([z.string(), z.array(part)]),
    provider: provider.optional(),
    model: z.string().optional(),
  }),
  z.object({ kind: z.literal('tool_results'), results: z.array(result) }),
])

/** A conversation from another program: turns as in `shared/session/conversation-turns.ts`, without fields that can be derived. */
export const historySchema = z.preprocess(givenTurns, z.array(turn))

export type GivenHistory = z.infer<typeof historySchema>

/** Makes turns for a request to `target`. Each call gets a unique id. Answers without a provider count as the target's. */
export function turnsOf(history: GivenHistory, target: Target): readonly Turn[] {
  // Calls of the newest answer that have no result yet.
  let open: readonly ToolCallPart[] = []
  const turns = history.map((given): Turn => {
    switch (given.kind) {
      case 'user':
      case 'steering':
        return { kind: given.kind, content: given.content as UserTurn['content'] }
      case 'system':
        return { kind: given.kind, content: given.content }
      case 'assistant': {
        const content = typeof given.content === 'string' ? [{ kind: 'text', text: given.content } as const] : given.content.map(partOf)
        open = content.filter((written) => written.kind === 'tool_call')
        return assistant(content, given.provider, given.model, target)
      }
      case 'tool_results': {
        const results = given.results.map(({ toolName, output: shown, ...rest }) => {
          const call = open.find(({ toolCallId }) => toolCallId === rest.toolCallId)
          open = open.filter((other) => other !== call)
          return { ...rest, toolName: toolName ?? call?.toolName ?? 'unknown', output: shown as ModelContent }
        })
        return { kind: 'tool_results', results }
      }
    }
  })
  return withUniqueCallIds(turns)
}

function assistant(
  content: readonly ContentPart[],
  by: z.infer<typeof provider> | undefined,
  model: string | undefined,
  target: Target,
): AssistantTurn {
  const id: ProviderId = by === 'openai-responses' ? 'openai' : by === 'openai-chat' ? 'openai-compatible' : (by ?? target.provider)
  return { kind: 'assistant', content, provider: id, model: model ?? target.model, usage: NO_USAGE, responseId: null }
}

function partOf(given: z.infer<typeof part>): ContentPart {
  if (given.kind !== 'tool_call') return given as ContentPart
  const { args, argsText = args === undefined ? '' : JSON.stringify(args), ...rest } = given
  return { ...rest, argsText } as ContentPart
}
