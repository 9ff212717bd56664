import type { AppClient } from '../../../shared/api/contract.ts'
import type { Done } from '../../../shared/api/sessions.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'

/** Asks main for something. Null: done; else why not, as three lines. `what` completes "… was not done": "The turn was not stopped". */
export async function attempt(desk: Desk, what: string, run: (client: AppClient) => Promise<Done>): Promise<Trouble | null> {
  const client = desk.connection.client
  if (!client) return { ...NOT_CONNECTED, what: `${what}: this window has lost its connection to Countersign.` }
  try {
    const done = await run(client)
    return done.ok ? null : done.trouble
  } catch (error) {
    return { ...NOT_CONNECTED, code: 'wire', what: `${what}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Says on the desk what came of something that was asked for without a place of its own to say it. */
export async function report(desk: Desk, doing: Promise<Trouble | null>): Promise<void> {
  const trouble = await doing
  if (trouble) desk.notice.setState({ trouble })
}

export const NOT_CONNECTED: Trouble = {
  code: 'not_connected',
  what: 'This window has lost its connection to Countersign.',
  kept: 'Everything on screen and on disk.',
  todo: 'Wait until it is back, or reload the window.',
}
