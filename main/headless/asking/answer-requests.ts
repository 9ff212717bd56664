import { assertNever } from '../../../shared/lib/assert-never.ts'
import { wantedHost } from '../../../shared/session/effects.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { OpenedSession } from '../../sessions/opened-session.ts'
import { type FamilyParts, familyRequests, type FamilyRequest } from '../../subagents/subagent-requests.ts'
import { askingServer, askQuestions, defaultAnswers, questionsIn } from './ask-questions.ts'
import { askPerson, type PersonReply } from './ask-person.ts'
import type { Bytes } from './effect-rows.ts'
import { type PersonTerminal, readTerminal, type TerminalLines } from './terminal-lines.ts'
import { visibleLine } from '../report/visible-text.ts'

export interface AnswerParts extends FamilyParts {
  /** The terminal of the user who started Countersign. Null if nobody can be asked; every request is then refused at once. */
  readonly terminal: PersonTerminal | null
  readonly bytes: Bytes
  /** Called for a request that is decided later. The request then remains open. */
  leave(request: FamilyRequest): void
  /**
   * Whether `leave` is also called for a request that nobody can answer. If not, it is refused. A question of an MCP server, and a host that a
   * command in its copy wants to reach, are always refused then: the server's call and the command end with this process, so nobody could
   * answer later.
   */
  readonly pauses: boolean
}

const OTHERWISE = 'Find another way, or say what has to be done manually.'
const NOBODY = 'Nobody can sign this call: the run was started without a terminal and'
const NONE = `${NOBODY} without --approve. ${OTHERWISE}`
const EDITS = `${NOBODY} with --approve edits, which allows only edits inside the folder. ${OTHERWISE}`
const ALL = `${NOBODY} this needs a signature with every value of --approve. ${OTHERWISE}`
const SERVER = `Nobody can answer the MCP server: the run was started without a terminal. ${OTHERWISE}`
const LEFT = `Nobody can sign this call now: the user closed the terminal's input (Ctrl+D). ${OTHERWISE}`

/**
 * Answers every request of a headless run and its subagents. Asks in the terminal if there is one. Otherwise refuses with the reason, or
 * uses the default answers of a question. Ends when the signal aborts.
 */
export async function answerRequests({ session, open, terminal, bytes, leave, pauses, signal }: AnswerParts): Promise<void> {
  const lines = terminal && readTerminal(terminal)
  signal.addEventListener('abort', () => lines?.close(), { once: true })
  const ask = async ({ session: asking, call }: FamilyRequest, asked: TerminalLines, { width }: PersonTerminal): Promise<PersonReply> => {
    const answered = new AbortController()
    const watch = asking.record.subscribe(({ event }) => {
      if (event.kind === 'APPROVAL_ANSWERED' && event.approvalId === call.approval.approvalId) answered.abort()
    })
    try {
      const { parent } = asking.record.state()
      if (parent) asked.write(`   The ${visibleLine(parent.agentType)} agent asks:\n`)
      const until = AbortSignal.any([signal, answered.signal])
      const questions = questionsIn(call.effects)
      if (questions.length > 0) return await askQuestions(questions, askingServer(call.effects), asked, until)
      return await askPerson(call, { lines: asked, bytes, width, signal: until })
    } finally {
      watch.dispose()
    }
  }
  for await (const request of familyRequests({ session, open, signal })) {
    if (pauses && !lines && !endsWithRun(request.call.effects)) {
      leave(request)
      continue
    }
    const said = terminal && lines ? await ask(request, lines, terminal) : ({ kind: 'closed' } as const)
    if (said.kind === 'later') {
      leave(request)
      continue
    }
    const isServer = askingServer(request.call.effects) !== null
    const note = lines ? LEFT : isServer ? SERVER : nobody(request.session.record.state().config.mode)
    await give(request.session, request.call, said, { note, lines })
  }
}

const endsWithRun = (effects: FamilyRequest['call']['effects']): boolean => askingServer(effects) !== null || wantedHost(effects) !== null

type Given = Parameters<OpenedSession['answer']>[0]

/** Questions get their default answers. Everything else is refused. */
function withoutPerson(effects: FamilyRequest['call']['effects'], note: string): Given['answer'] {
  const questions = questionsIn(effects)
  return questions.length > 0 ? { kind: 'sign', reply: defaultAnswers(questions) } : { kind: 'refuse', note }
}

/** Says which value of `--approve` would have allowed the call. `mode` is the mode that the given value stands for. */
function nobody(mode: ApprovalMode): string {
  switch (mode) {
    case 'full':
      return ALL
    case 'accept-edits':
    case 'auto':
      return EDITS
    case 'ask':
    case 'plan':
      return NONE
    default:
      return assertNever(mode, 'mode')
  }
}

interface Otherwise {
  /** What the agent reads if nobody can answer. */
  readonly note: string
  readonly lines: TerminalLines | null
}

async function give(
  session: OpenedSession,
  { approval, effects }: FamilyRequest['call'],
  said: Exclude<PersonReply, { kind: 'later' }>,
  { note, lines }: Otherwise,
): Promise<void> {
  if (said.kind === 'void') return
  const given = { approvalId: approval.approvalId, hash: approval.hash }
  const outcome =
    said.kind === 'closed'
      ? await session.answer({ ...given, answer: withoutPerson(effects, note), from: 'flag' })
      : await session.answer({ ...given, answer: said, from: 'terminal' })
  if (outcome.kind === 'ignored') lines?.write(`   ${visibleLine(outcome.message)}\n`)
}
