import type { SessionEvent } from '../../../shared/session/events.ts'
import type { Reply } from '../../../shared/workflow/reply.ts'
import type { RunFlags } from '../start/flags.ts'

const MORE: Readonly<Record<RunFlags['approve'], string>> = {
  none: ', or allow more: --approve edits, --approve all',
  edits: ', or allow more: --approve all',
  all: '; no value of --approve allows it',
}

const DEFAULTS = {
  one: 'The agent asked something, and its defaults count, because nobody could answer. With --pause it waits for your answer.',
  more: 'The agent asked several times, and its defaults count, because nobody could answer. With --pause it waits for your answers.',
}

const takesDefaults = (reply: Reply | undefined): boolean => reply?.kind === 'answers' && reply.byDefault === true

/** Counts the questions that took their defaults and the requests that were refused because nobody could sign, including those of subagents. */
export interface Refusals {
  show(event: SessionEvent): void
  /** The last line for standard error; null: nothing was refused. */
  words(): string | null
}

/** `approve`: the run's `--approve`. */
export function countRefusals(approve: RunFlags['approve']): Refusals {
  let count = 0
  let defaults = 0
  const show = (event: SessionEvent): void => {
    if (event.kind === 'SUBAGENT_EVENT') return show(event.event)
    if (event.kind === 'APPROVAL_ANSWERED' && event.answer.kind === 'refused' && event.answer.by === 'flag') count++
    if (event.kind === 'APPROVAL_ANSWERED' && event.answer.kind === 'signed' && takesDefaults(event.answer.reply)) defaults++
  }
  return {
    show,
    words() {
      const asked = defaults === 0 ? '' : `${DEFAULTS[defaults === 1 ? 'one' : 'more']}\n`
      if (count === 0) return asked === '' ? null : asked
      const requests = count === 1 ? '1 request was refused' : `${count} requests were refused`
      return `${asked}${requests}, because nobody could sign. Run it in a terminal to be asked${MORE[approve]}.\n`
    },
  }
}
