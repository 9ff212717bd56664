import { createInterface } from 'node:readline/promises'
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
  const closed = new AbortController()
  lines?.once('close', () => closed.abort())
  // While readline reads, the terminal is raw: Ctrl+C arrives here as a key and goes the way of every other signal.
  lines?.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'))
  signal.addEventListener('abort', () => lines?.close(), { once: true })
  const ask = async (words: string): Promise<string | null> => {
    if (closed.signal.aborted) return ''
    // Ctrl+D closes the terminal's reader: that is a no. The end of the turn closes it as well: then nothing is answered any more.
    return lines?.question(words, { signal: closed.signal }).catch(() => (signal.aborted ? null : '')) ?? null
  }
  let busy = false

  const next = async (): Promise<void> => {
    if (busy) return
    busy = true
    for (let call = waiting(); call && !signal.aborted; call = waiting()) {
      answered.add(call.approval?.approvalId ?? '')
      await answer(session, call, lines ? ask : null)
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

/** What the person typed; null when the turn is over. */
type Ask = (words: string) => Promise<string | null>

async function answer(session: OpenedSession, call: CallItem, ask: Ask | null): Promise<void> {
  const { approval } = call
  if (!approval) return
  const given = { approvalId: approval.approvalId, hash: approval.hash }
  if (!ask) {
    await session.answer({ ...given, answer: { kind: 'refuse', note: NOBODY }, from: 'flag' })
    return
  }
  const said = (await ask(question(call)))?.trim()
  if (said === undefined) return
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
