import type { ApprovalId } from '../../../shared/lib/ids.ts'
import type { SessionEvent } from '../../../shared/session/events.ts'
import type { SignatureReply } from '../../../shared/workflow/signature-reply.ts'
import type { RunFlags } from '../start/flags.ts'
import { visibleLine } from '../report/visible-text.ts'
import { askingServer } from './ask-questions.ts'

const MORE: Readonly<Record<RunFlags['approve'], string>> = {
  none: ', or allow more: --approve edits, --approve all',
  edits: ', or allow more: --approve all',
  all: '; no value of --approve allows it',
}

const DEFAULTS = {
  one: 'The agent asked a question. Nobody could answer, so its defaults were used. With --pause, the run waits for your answer.',
  more: 'The agent asked several times. Nobody could answer, so its defaults were used. With --pause, the run waits for your answers.',
}

/** These sentences are shown even with `--pause`, because a question of an MCP server cannot remain open: it ends with its call. */
const serverWords = (servers: ReadonlySet<string>): string =>
  [...servers]
    .map(
      (server) =>
        `The MCP server ${visibleLine(server)} asked a question that nobody could answer. It got the default answers of its form if they were sufficient, otherwise a refusal.\n`,
    )
    .join('')

const takesDefaults = (reply: SignatureReply | undefined): boolean => reply?.kind === 'answers' && reply.byDefault === true

/**
 * Counts the questions that got their default answers and the requests that were refused because nobody could sign, including those of
 * subagents.
 */
export interface Refusals {
  show(event: SessionEvent): void
  /** The last line for standard error. Null if nothing was refused. */
  words(): string | null
}

/** `approve`: the run's `--approve`. */
export function countRefusals(approve: RunFlags['approve']): Refusals {
  let count = 0
  let defaults = 0
  const servers = new Set<string>()
  const asking = new Map<ApprovalId, string>()
  const show = (event: SessionEvent): void => {
    if (event.kind === 'SUBAGENT_EVENT') return show(event.event)
    const from = event.kind === 'APPROVAL_REQUESTED' ? askingServer(event.effects) : null
    if (event.kind === 'APPROVAL_REQUESTED' && from) asking.set(event.approvalId, from.server)
    if (event.kind !== 'APPROVAL_ANSWERED') return
    const { answer } = event
    const isRefused = answer.kind === 'refused' && answer.by === 'flag'
    if (!isRefused && !(answer.kind === 'signed' && takesDefaults(answer.reply))) return
    const server = asking.get(event.approvalId)
    if (server !== undefined) servers.add(server)
    else if (isRefused) count++
    else defaults++
  }
  return {
    show,
    words() {
      const asked = `${defaults === 0 ? '' : `${DEFAULTS[defaults === 1 ? 'one' : 'more']}\n`}${serverWords(servers)}`
      if (count === 0) return asked === '' ? null : asked
      const requests = count === 1 ? '1 request was refused' : `${count} requests were refused`
      return `${asked}${requests}, because nobody could sign. Run the task in a terminal to be asked${MORE[approve]}.\n`
    },
  }
}
