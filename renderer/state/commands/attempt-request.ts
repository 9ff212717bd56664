import type { AppClient } from '../../../shared/api/contract.ts'
import type { Done } from '../../../shared/api/sessions.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'

/**
 * Runs a request to main. A request that is made before the window has connected waits for the connection. Returns null if it worked,
 * otherwise the error. `what` is the headline of the error: "The turn was not stopped".
 */
export async function attemptRequest(desk: Desk, what: string, run: (client: AppClient) => Promise<Done>): Promise<Trouble | null> {
  const client = await desk.connection.firstClient()
  if (!client) return { ...NOT_CONNECTED, what: `${what}: this window has lost its connection to Countersign.` }
  try {
    const done = await run(client)
    return done.ok ? null : done.trouble
  } catch (error) {
    return { ...NOT_CONNECTED, code: 'wire', what: `${what}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Shows the error of a request as a notice on the desk. */
export async function report(desk: Desk, doing: Promise<Trouble | null>): Promise<void> {
  const trouble = await doing
  if (trouble) desk.notice.setState({ trouble })
}

/** Runs a request like `attemptRequest`, and shows its error as a notice on the desk. */
export function requestOrReport(desk: Desk, what: string, run: (client: AppClient) => Promise<Done>): void {
  void report(desk, attemptRequest(desk, what, run))
}

export const NOT_CONNECTED: Trouble = {
  code: 'not_connected',
  what: 'This window has lost its connection to Countersign.',
  kept: 'Everything on screen and on disk is unchanged.',
  todo: 'Wait until the connection is back, or reload the window.',
}
