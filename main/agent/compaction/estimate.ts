import type { ModelContent } from '../../../shared/session/content.ts'
import type { Turn } from '../../../shared/session/turns.ts'

/** S-32: characters for one token, where no service has counted them. */
const CHARS_PER_TOKEN = 4
/** Tokens that vendors count for a picture of usual size; its bytes say nothing. */
const IMAGE_TOKENS = 1_600

const known = new WeakMap<Turn, number>()

/** Tokens of these turns, estimated. A turn is measured once, since turns never change. */
export function estimateTokens(turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0)
}

function tokensOfTurn(turn: Turn): number {
  const counted = known.get(turn)
  if (counted !== undefined) return counted
  const tokens = measured(turn)
  known.set(turn, tokens)
  return tokens
}

function measured(turn: Turn): number {
  switch (turn.kind) {
    case 'user':
    case 'system':
    case 'steering':
      return tokensOfChars(turn.content.length)
    case 'assistant':
      return tokensOfChars(turn.content.reduce((sum, part) => sum + charsOf(part), 0))
    case 'tool_results':
      return turn.results.reduce((sum, { output }) => sum + tokensOfContent(output), 0)
  }
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

function tokensOfChars(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}
