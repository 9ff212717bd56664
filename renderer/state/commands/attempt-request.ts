import type { AppClient } from '../../../shared/api/contract.ts'
import type { Done } from '../../../shared/api/sessions.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { Desk } from '../desk.ts'

type Failed = Extract<Done, { readonly ok: false }>

/**
 * Runs a request to main, and returns its answer. A request that is made before the window has connected waits for the connection. `what` is
 * the headline of the error if there is no answer: "The turn was not stopped".
 */
export async function requestAnswer<T extends Done>(desk: Desk, what: string, run: (client: AppClient) => Promise<T>): Promise<T | Failed> {
  const client = await desk.connection.firstClient()
  if (!client) return { ok: false, trouble: { ...NOT_CONNECTED, what: `${what}: this window has lost its connection to Countersign.` } }
  try {
    return await run(client)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, trouble: { ...NOT_CONNECTED, code: 'wire', what: `${what}: ${why}` } }
  }
}

/** Runs a request like `requestAnswer`. Returns null if it worked, otherwise the error. */
export async function attemptRequest(desk: Desk, what: string, run: (client: AppClient) => Promise<Done>): Promise<Trouble | null> {
  const done = await requestAnswer(desk, what, run)
  return done.ok ? null : done.trouble
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
