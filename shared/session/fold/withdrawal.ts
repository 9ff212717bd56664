import type { Trouble } from '../events.ts'
import type { WithdrawnFor } from '../settings/where.ts'

/** Code of the entry for a request that was withdrawn. */
export const WITHDRAWN = 'withdrawn'

const REASONS: Readonly<Record<WithdrawnFor, string>> = {
  'next-turn': 'the session went on working',
  undo: 'work of the session was undone',
  'nothing-left': 'nothing is left to bring in',
  'newer-request': 'a newer request took its place',
}

/** What the user reads about a request that was withdrawn. */
export const withdrawal = (why: WithdrawnFor): Trouble => ({
  code: WITHDRAWN,
  what: `This request was withdrawn, because ${REASONS[why]}.`,
  kept: 'The folder is unchanged.',
  todo: 'Answer the newest request.',
})
