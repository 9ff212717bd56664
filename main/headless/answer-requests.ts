import { createInterface, type Interface } from 'node:readline/promises'
import { pendingCalls } from '../../shared/session/run-state.ts'
import type { CallItem } from '../../shared/session/state.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { visibleLine } from './visible.ts'

export interface AnswerParts {
  readonly session: OpenedSession
  /** The terminal of the person who started us; null: nobody can be asked, and every request is refused at once (D-44). */
  readonly terminal: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream } | null
  readonly signal: AbortSignal
}

const NOBODY =
  'Nobody is there to sign it: the run was started without a terminal and without --approve. Find another way, or say what has to be done by hand.'

/** Answers every request of a headless run: asks y / n / a message on the terminal, else refuses with the reason. Ends with the signal. */
export function answerRequests({ session, terminal, signal }: AnswerParts): void {
  const answered = new Set<string>()
  const lines = terminal ? createInterface(terminal) : null
  signal.addEventListener('abort', () => lines?.close(), { once: true })
  let busy = false

  const next = async (): Promise<void> => {
    if (busy) return
    busy = true
    for (let call = waiting(); call && !signal.aborted; call = waiting()) {
      answered.add(call.approval?.approvalId ?? '')
      await answer(session, call, lines)
    }
    busy = false
  }
  const waiting = (): CallItem | undefined =>
    pendingCalls(session.record.state()).find((call) => !answered.has(call.approval?.approvalId ?? ''))
  const subscription = session.record.subscribe(({ event }) => {
    if (event.kind === 'APPROVAL_REQUESTED') queueMicrotask(() => void next())
  })
  signal.addEventListener('abort', () => subscription.dispose(), { once: true })
  void next()
}

async function answer(session: OpenedSession, call: CallItem, lines: Interface | null): Promise<void> {
  const { approval } = call
  if (!approval) return
  const given = { approvalId: approval.approvalId, hash: approval.hash }
  if (!lines) {
    await session.answer({ ...given, answer: { kind: 'refuse', note: NOBODY }, from: 'flag' })
    return
  }
  const said = (await lines.question(question(call))).trim()
  const yes = /^y(es)?$/i.test(said)
  const note = /^(n|no|)$/i.test(said) ? null : said
  await session.answer({ ...given, answer: yes ? { kind: 'sign' } : { kind: 'refuse', note }, from: 'terminal' })
}

/** Everything that would be executed or written, as far as a line of text can say it. */
function question(call: CallItem): string {
  const effects = call.effects.map((effect) => {
    switch (effect.kind) {
      case 'command':
        return `run in ${visibleLine(effect.cwd)}:\n     ${visibleLine(JSON.stringify(effect.command))}`
      case 'write':
        return `write ${visibleLine(effect.shown)} (+${effect.lines?.added ?? '?'} -${effect.lines?.removed ?? '?'})`
      case 'delete':
        return `delete ${visibleLine(effect.shown)}`
      case 'read':
        return `read ${visibleLine(effect.path)}, outside the folder`
      case 'network':
        return `reach ${visibleLine(effect.url)}`
      case 'unknown':
        return visibleLine(effect.summary)
    }
  })
  return `\n/:  ${visibleLine(call.approval?.reason ?? '')}\n   ${effects.join('\n   ')}\n   Sign it? y, n, or a message to the agent: `
}
