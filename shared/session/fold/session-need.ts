import { assertNever } from '../../lib/assert-never.ts'
import { type BroughtFromAgent, wantedHost } from '../effects.ts'
import type { CallItem, SessionState } from '../state.ts'
import { countTouched } from '../touched-files.ts'

/** The words that are shown for a turn that ended with a question. */
export const ASKED_A_QUESTION = 'Asked you a question'

/** What a session needs from the user because of the way its last turn ended. Null if it needs nothing. */
export function needAfterTurn(ended: SessionState['ended']): string | null {
  switch (ended) {
    case 'error':
      return 'Ended early, nothing lost'
    case 'interrupted':
      return 'Interrupted'
    case 'limit':
      return 'At its limit'
    case 'completed':
    case 'stopped':
    case null:
      return null
    default:
      return assertNever(ended)
  }
}

/** What a session needs from the user because calls wait for an answer, in words. Null if it needs nothing. */
export function needOfCalls(pending: readonly CallItem[]): string | null {
  const [first] = pending
  if (!first) return null
  if (pending.length > 1) return `${pending.length} steps to sign`
  const host = wantedHost(first.effects)
  if (host) return `A command asks for ${host.host}`
  const question = first.effects.find(({ kind }) => kind === 'question')
  if (question?.kind === 'question') return question.from ? `The MCP server ${question.from.server} asks you something` : ASKED_A_QUESTION
  const document = first.effects.find((effect) => effect.kind === 'mode')?.document
  if (document) return document.steps.length > 0 ? `Plan of ${document.steps.length} steps` : 'Plan'
  const files = countTouched(first.effects)
  const agent = first.effects.find((effect) => effect.kind === 'command')?.broughtFrom?.agent
  if (files > 0 && agent) return `${agent.name}, ${turnsIn(agent)}${filesIn(files)}`
  if (files > 0) return `A change to ${filesIn(files)}`
  if (first.copy?.outcome?.git) return 'A change to the repository'
  return first.effects.some((effect) => effect.kind === 'command') ? 'A command' : 'A step to sign'
}

const filesIn = (count: number): string => (count === 1 ? '1 file' : `${count} files`)

function turnsIn({ turns }: BroughtFromAgent): string {
  const [only, ...others] = turns
  if (!only) return ''
  return others.length === 0 ? `turn ${only.turn}, ` : `${turns.length} turns, `
}
