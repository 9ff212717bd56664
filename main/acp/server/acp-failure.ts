import { RequestError } from '@agentclientprotocol/sdk'
import type { Result } from '../../../shared/lib/result.ts'
import type { Done } from '../../../shared/api/sessions.ts'
import type { Trouble } from '../../../shared/session/events.ts'

const INTERNAL = -32603

/** A trouble as the error of a request. Editors show its message; `data` has the parts. */
export function requestError(trouble: Trouble): RequestError {
  const { code, what, kept, todo } = trouble
  if (code === 'key_missing' || code === 'wrong_key') return RequestError.authRequired({ code, what, kept, todo }, `${what} ${todo}`)
  return new RequestError(INTERNAL, `${what} ${kept} ${todo}`, { code, what, kept, todo })
}

/** @throws {RequestError} the failure */
export function valueOf<T>(result: Result<T, Trouble>): T {
  if (!result.ok) throw requestError(result.failure)
  return result.value
}

/** @throws {RequestError} the trouble */
export function mustBeDone(done: Done): void {
  if (!done.ok) throw requestError(done.trouble)
}
