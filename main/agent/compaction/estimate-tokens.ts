import type { ModelContent } from '../../../shared/session/content.ts'
import { type LoggedTurn, type Turn, messageText } from '../../../shared/session/conversation-turns.ts'
import type { ModelRequest } from '../ports/provider.ts'

/** Characters per token, used if no service has counted the tokens. */
const CHARS_PER_TOKEN = 4
/** The number of tokens that vendors count for a picture of typical size, whatever its size in bytes. */
const IMAGE_TOKENS = 1_600

type AnyTurn = Turn | LoggedTurn

const known = new WeakMap<AnyTurn, number>()

/** Estimated number of tokens of these turns. Each turn is measured only once, because turns never change. */
export function estimateTokens(turns: readonly AnyTurn[]): number {
  return turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0)
}

/** Estimated number of tokens of a request without its turns. */
export function estimateBeside({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
  return tokensOfChars(system.length + JSON.stringify(tools).length)
}

function tokensOfTurn(turn: AnyTurn): number {
  const counted = known.get(turn)
  if (counted !== undefined) return counted
  const tokens = measured(turn)
  known.set(turn, tokens)
  return tokens
}

function measured(turn: AnyTurn): number {
  switch (turn.kind) {
    case 'user':
    case 'steering':
      return tokensOfChars(messageText(turn.content).length) + IMAGE_TOKENS * picturesIn(turn.content)
    case 'system':
      return tokensOfChars(turn.content.length)
    case 'assistant':
      return tokensOfChars(turn.content.reduce((sum, part) => sum + charsOf(part), 0))
    case 'tool_results':
      return turn.results.reduce((sum, { output }) => sum + tokensOfContent(output), 0)
  }
}

function picturesIn(content: Extract<AnyTurn, { kind: 'user' }>['content']): number {
  return typeof content === 'string' ? 0 : content.filter(({ kind }) => kind !== 'text').length
}

function charsOf(part: Extract<Turn, { kind: 'assistant' }>['content'][number]): number {
  switch (part.kind) {
    case 'text':
      return part.text.length
    case 'thinking':
      return part.text.length + (part.signature?.length ?? 0)
    case 'opaque':
      return JSON.stringify(part.data).length
    case 'tool_call':
      return part.toolName.length + part.argsText.length
  }
}

function tokensOfContent(content: ModelContent): number {
  if (typeof content === 'string') return tokensOfChars(content.length)
  return content.reduce((sum, part) => {
    if (part.kind === 'image') return sum + IMAGE_TOKENS
    return sum + tokensOfChars(part.kind === 'text' ? part.text.length : part.data.length)
  }, 0)
}

/** Estimated number of tokens of this many characters. */
export function tokensOfChars(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}
