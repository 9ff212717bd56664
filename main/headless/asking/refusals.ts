import type { SessionEvent } from '../../../shared/session/events.ts'
import type { RunFlags } from '../start/flags.ts'

const MORE: Readonly<Record<RunFlags['approve'], string>> = {
  none: ', or let more pass: --approve edits, --approve all',
  edits: ', or let more pass: --approve all',
  all: '; no --approve lets it pass',
}

/** Counts the requests that were refused because nobody was there to sign, those of subagents included. */
export interface Refusals {
  show(event: SessionEvent): void
  /** The last line for standard error; null: there was none. */
  words(): string | null
}

/** `approve`: what the run was started with. */
export function countRefusals(approve: RunFlags['approve']): Refusals {
  let count = 0
  const show = (event: SessionEvent): void => {
    if (event.kind === 'SUBAGENT_EVENT') return show(event.event)
    if (event.kind === 'APPROVAL_ANSWERED' && event.answer.kind === 'refused' && event.answer.by === 'flag') count++
  }
  return {
    show,
    words() {
      if (count === 0) return null
      const requests = count === 1 ? '1 request was refused' : `${count} requests were refused`
      return `${requests}, since nobody was there to sign. Start it on a terminal to be asked${MORE[approve]}.\n`
    },
  }
}
