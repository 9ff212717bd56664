import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { ContentPart, ModelContent } from '../../../shared/session/content.ts'
import type { ToolResultsTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import type { Target } from '../body/body-format.ts'
import type { TurnBlocks } from '../body/request-messages.ts'
import { type UserForms, userBlocks } from '../body/user-blocks.ts'
import { requiresReasoningInHistory } from '../body/reasoning-models.ts'
import { argumentsJson, jsonText, wellFormedJson, wireId, wireName } from '../body/wire-text.ts'

export function turnBlocks(turn: Turn, target: Target): TurnBlocks {
  switch (turn.kind) {
    case 'user':
    case 'steering':
      return { role: 'user', blocks: userBlocks(turn.content, USER) }
    case 'system':
      return { role: 'user', blocks: textBlocks(`<system>\n${turn.content}\n</system>`) }
    case 'assistant': {
      const own = turn.provider === target.provider && turn.model === target.model
      const unsigned = requiresReasoningInHistory(target.model)
      const blocks = turn.content.flatMap((part) => partBlocks(part, own, unsigned))
      const reasoned = blocks.some((block) => block.startsWith('{"type":"thinking"'))
      return { role: 'assistant', blocks: unsigned && !reasoned && blocks.length > 0 ? [NO_REASONING, ...blocks] : blocks }
    }
    case 'tool_results':
      return { role: 'user', blocks: turn.results.map(resultBlock) }
    default:
      return assertNever(turn, 'turn')
  }
}

/** Sent if an answer has no reasoning but the model requires reasoning in every answer. */
const NO_REASONING = '{"type":"thinking","thinking":" ","signature":""}'

const USER: UserForms = {
  text: textBlocks,
  image: ({ mediaType, data }) => ({ type: 'image', source: { type: 'base64', media_type: mediaType, data } }),
  imageAt: (url) => ({ type: 'image', source: { type: 'url', url } }),
}

/** The service rejects empty or blank text. */
function textBlocks(text: string): readonly string[] {
  return text.trim() === '' ? [] : [`{"type":"text","text":${jsonText(text)}}`]
}

function partBlocks(part: ContentPart, own: boolean, unsigned: boolean): readonly string[] {
  switch (part.kind) {
    case 'text':
      return textBlocks(part.text)
    case 'thinking':
      if (!own || (part.signature === null && (!unsigned || part.text === ''))) return []
      return [`{"type":"thinking","thinking":${JSON.stringify(part.text)},"signature":${JSON.stringify(part.signature ?? '')}}`]
    case 'opaque':
      return own ? [JSON.stringify(part.data)] : []
    case 'tool_call':
      return [
        `{"type":"tool_use","id":${JSON.stringify(wireId(part.toolCallId))},"name":${JSON.stringify(wireName(part.toolName))},"input":${argumentsJson(part.argsText)}}`,
      ]
    default:
      return assertNever(part, 'part')
  }
}

type Result = ToolResultsTurn['results'][number]

function resultBlock({ toolCallId, output, isError }: Result): string {
  const content = resultContent(output, isError)
  const members = [
    '"type":"tool_result"',
    `"tool_use_id":${JSON.stringify(wireId(toolCallId))}`,
    ...(content === null ? [] : [`"content":${content}`]),
    ...(isError ? ['"is_error":true'] : []),
  ]
  return `{${members.join(',')}}`
}

/** Null if there is no content. The content of a failed call must be text. */
function resultContent(output: ModelContent, isError: boolean): string | null {
  if (typeof output === 'string') return output.trim() === '' ? null : jsonText(output)
  const blocks = output.flatMap((part) => {
    if (part.kind === 'text') return textBlocks(part.text)
    if (isError) return textBlocks(`[${part.kind} of type ${part.mediaType} left out]`)
    const source = { type: 'base64', media_type: part.mediaType, data: part.data }
    return [wellFormedJson(part.kind === 'image' ? { type: 'image', source } : { type: 'document', source, title: part.name })]
  })
  return blocks.length === 0 ? null : `[${blocks.join(',')}]`
}
