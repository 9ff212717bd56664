import type { ModelContent } from '../../../shared/session/content.ts'
import type { Turn } from '../../../shared/session/turns.ts'

const WITHOUT_A_WORD = 'It failed without a word.'

/**
 * A turn whose failed results say that they failed: not every format has a mark for it, and the ones that have refuse an explanation that is
 * empty or all blanks. Turns of which all can be said stay the same objects.
 */
export function toldFailures(turn: Turn): Turn {
  if (turn.kind !== 'tool_results' || !turn.results.some(isSilent)) return turn
  return { ...turn, results: turn.results.map((result) => (isSilent(result) ? { ...result, output: told(result.output) } : result)) }
}

function isSilent({ output, isError }: { readonly output: ModelContent; readonly isError: boolean }): boolean {
  if (!isError) return false
  return typeof output === 'string' ? isBlank(output) : output.every((part) => part.kind !== 'text' || isBlank(part.text))
}

function told(output: ModelContent): ModelContent {
  const shown = typeof output === 'string' ? [] : output.filter(({ kind }) => kind !== 'text')
  return shown.length === 0 ? WITHOUT_A_WORD : [{ kind: 'text', text: WITHOUT_A_WORD }, ...shown]
}

const isBlank = (text: string): boolean => text.trim() === ''
