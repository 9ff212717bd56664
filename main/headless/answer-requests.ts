import type { ApprovalId } from '../../shared/lib/ids.ts'
import { pendingCalls } from '../../shared/session/run-state.ts'
import type { CallItem } from '../../shared/session/state.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { askPerson, type Said } from './ask-person.ts'
import type { Bytes } from './shown-effects.ts'
import { type PersonTerminal, readTerminal, type TerminalLines } from './terminal-lines.ts'
import { visibleLine } from './visible.ts'

export interface AnswerParts {
  readonly session: OpenedSession
  /** The terminal of the person who started us; null: nobody can be asked, and every request is refused at once (D-44). */
  readonly terminal: PersonTerminal | null
  readonly bytes: Bytes
  readonly signal: AbortSignal
}

const NOBODY =
  'Nobody is there to sign it: the run was started without a terminal and without --approve. Find another way, or say what has to be done by hand.'
const LEFT =
  'Nobody is there to sign it any more: the person closed the input of the terminal (Ctrl+D). Find another way, or say what has to be done by hand.'

/** Answers every request of a headless run: asks y / n / a message on the terminal, else refuses with the reason. Ends with the signal. */
export function answerRequests({ session, terminal, bytes, signal }: AnswerParts): void {
  const lines = terminal && readTerminal(terminal)
  const asked = new Set<ApprovalId>()
  let busy = false

  const next = async (): Promise<void> => {
    if (busy) return
    busy = true
    for (let call = waiting(); call?.approval && !signal.aborted; call = waiting()) {
      asked.add(call.approval.approvalId)
      const said = terminal && lines ? await ask(call, lines, terminal) : ({ kind: 'closed' } as const)
      await give(session, call, said, { note: lines ? LEFT : NOBODY, lines })
    }
    busy = false
  }
  const ask = async (call: CallItem, asking: TerminalLines, { width }: PersonTerminal): Promise<Said> => {
    const answered = new AbortController()
    const watch = session.record.subscribe(({ event }) => {
      if (event.kind === 'APPROVAL_ANSWERED' && event.approvalId === call.approval?.approvalId) answered.abort()
    })
    try {
      return await askPerson(call, { lines: asking, bytes, width, signal: AbortSignal.any([signal, answered.signal]) })
    } finally {
      watch.dispose()
    }
  }
  const waiting = (): CallItem | undefined =>
    pendingCalls(session.record.state()).find(({ approval }) => approval !== null && !asked.has(approval.approvalId))
  const subscription = session.record.subscribe(({ event }) => {
    if (event.kind === 'APPROVAL_REQUESTED') queueMicrotask(() => void next())
  })
  const end = (): void => {
    subscription.dispose()
    lines?.close()
  }
  signal.addEventListener('abort', end, { once: true })
  void next()
}

interface Otherwise {
  /** Told to the agent when nobody can answer. */
  readonly note: string
  readonly lines: TerminalLines | null
}

async function give(session: OpenedSession, { approval }: CallItem, said: Said, { note, lines }: Otherwise): Promise<void> {
  if (!approval || said.kind === 'void') return
  const given = { approvalId: approval.approvalId, hash: approval.hash }
  const outcome =
    said.kind === 'closed'
      ? await session.answer({ ...given, answer: { kind: 'refuse', note }, from: 'flag' })
      : await session.answer({ ...given, answer: said, from: 'terminal' })
  if (outcome.kind === 'ignored') lines?.write(`   ${visibleLine(outcome.message)}\n`)
}
