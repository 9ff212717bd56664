import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { ContentPart, ModelContent } from '../../../shared/session/content.ts'
import type { AssistantTurn, ToolResultsTurn, Turn } from '../../../shared/session/turns.ts'
import { argumentsJson, jsonText, wellFormedJson, wireId, wireName } from './wire-text.ts'

/** A turn as content blocks in JSON, in order. No block: there is nothing to send of it. */
export interface TurnBlocks {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly string[]
}

/** Reasoning is only valid for what produced it, so that it goes back to the same provider and model alone (L-11). */
export interface Target {
  readonly provider: AssistantTurn['provider']
  readonly model: string
}

export function turnBlocks(turn: Turn, target: Target): TurnBlocks {
  switch (turn.kind) {
    case 'user':
    case 'steering':
      return { role: 'user', blocks: textBlocks(turn.content) }
    case 'system':
      return { role: 'user', blocks: textBlocks(`<system>\n${turn.content}\n</system>`) }
    case 'assistant': {
      const own = turn.provider === target.provider && turn.model === target.model
      return { role: 'assistant', blocks: turn.content.flatMap((part) => partBlocks(part, own)) }
    }
    case 'tool_results':
      return { role: 'user', blocks: turn.results.map(resultBlock) }
    default:
      return assertNever(turn, 'turn')
  }
}

/** The service takes no text that is empty or all blanks. */
function textBlocks(text: string): readonly string[] {
  return text.trim() === '' ? [] : [`{"type":"text","text":${jsonText(text)}}`]
}

function partBlocks(part: ContentPart, own: boolean): readonly string[] {
  switch (part.kind) {
    case 'text':
      return textBlocks(part.text)
    case 'thinking':
      if (!own || part.signature === null) return []
      return [`{"type":"thinking","thinking":${JSON.stringify(part.text)},"signature":${JSON.stringify(part.signature)}}`]
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

/** Null: nothing at all. A failed call may be explained in text only. */
function resultContent(output: ModelContent, isError: boolean): string | null {
  if (typeof output === 'string') return output === '' ? null : jsonText(output)
  const blocks = output.flatMap((part) => {
    if (part.kind === 'text') return textBlocks(part.text)
    if (isError) return textBlocks(`[${part.kind} of type ${part.mediaType} left out]`)
    const source = { type: 'base64', media_type: part.mediaType, data: part.data }
    return [wellFormedJson(part.kind === 'image' ? { type: 'image', source } : { type: 'document', source, title: part.name })]
  })
  return blocks.length === 0 ? null : `[${blocks.join(',')}]`
}

/** The result of a call that the log has none of: what a conversation lacks may not make every later request fail (security 3.4). */
export function missingResult(toolCallId: Result['toolCallId']): string {
  const said = JSON.stringify('No result of this call was recorded.')
  return `{"type":"tool_result","tool_use_id":${JSON.stringify(wireId(toolCallId))},"content":${said},"is_error":true}`
}
