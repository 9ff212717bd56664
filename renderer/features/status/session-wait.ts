import { beganAt, isInCopy, pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { earlyEndOf } from '../../state/views/early-end.ts'
import { timeLimitOf } from '../../ui/calls/command-words.ts'
import type { View } from '../../state/stores/view-store.ts'

/** What a session waits for, and when the wait began and will end (ms since 1970). */
export interface Wait {
  readonly forYou: boolean
  /** Words before the name: "Waiting for you", "Waiting for". */
  readonly words: string
  /** Name of a command or a model. Null if the words are enough. */
  readonly what: string | null
  /** Words after the name. */
  readonly end?: string
  readonly sinceMs: number
  readonly untilMs: number | null
  /** Set if the remaining time is shown instead of the elapsed time. */
  readonly down?: true
}

/** What the session waits for: the user, otherwise a running command, otherwise the model. Null if it is not waiting. */
export function waitOf(session: SessionState, dismissed: View['dismissed']): Wait | null {
  const [pending] = pendingCalls(session)
  if (pending)
    return { forYou: true, words: 'Waiting for you', what: null, sinceMs: pending.approval?.requestedAt ?? pending.at, untilMs: null }
  const early = earlyEndOf(session, dismissed)
  if (early) return { forYou: true, words: `Waiting for you: ${ENDS[early.ended]}`, what: null, sinceMs: session.updatedAt, untilMs: null }
  const running = session.items.findLast((item): item is CallItem => item.kind === 'call' && item.status === 'running')
  const sinceMs = running ? beganAt(running) : null
  if (running && sinceMs !== null) {
    const facts = { what: nameOf(running), sinceMs, untilMs: untilOf(running, sinceMs) }
    return running.tail?.waitsForInput
      ? { forYou: true, words: 'Waiting for you: input for', ...facts }
      : isInCopy(running)
        ? { forYou: false, words: 'Running', end: 'in a copy', ...facts }
        : { forYou: false, words: 'Waiting for', ...facts }
  }
  const spawning = session.items.findLast(
    (item): item is CallItem => item.kind === 'call' && item.status === 'preparing' && item.tail !== null,
  )
  if (spawning) return { forYou: false, words: 'Waiting for', what: agentNameOf(spawning), sinceMs: spawning.at, untilMs: null }
  const waiting = session.live?.waitingFor
  if (!waiting) return null
  const { what, untilMs, retry } = waiting
  // The ledger shows the reason and the buttons, so they are not repeated here.
  return {
    forYou: false,
    ...(retry ? { words: 'Next try in', what: null, down: true as const } : { words: 'Waiting for', ...nameAndEnd(what) }),
    sinceMs: waiting.sinceMs,
    untilMs,
  }
}

/** Splits the text into the name of a model, which is shown as code, and the words after it. */
function nameAndEnd(what: string): Pick<Wait, 'what' | 'end'> {
  const end = ' to continue'
  return what.endsWith(end) ? { what: what.slice(0, -end.length), end: end.trim() } : { what }
}

const ENDS = { error: 'the turn ended early', interrupted: 'the turn was interrupted', limit: 'the turn has reached its limit' } as const

function untilOf(call: CallItem, sinceMs: number): number | null {
  const limit = timeLimitOf(call)
  return limit === null ? null : sinceMs + limit
}

/** Returns "the explore agent". */
function agentNameOf({ args }: CallItem): string {
  const type = args?.['agent_type']
  return typeof type === 'string' ? `the ${type} agent` : 'an agent'
}

/** The name of a running step in the status strip: the first line of its command, otherwise its tool, at most 40 characters. */
function nameOf(call: CallItem): string {
  const command = call.args?.['command']
  const line = typeof command === 'string' ? (command.trim().split('\n', 1)[0] ?? '') : call.toolName
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}
