import type { Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'

/** A failure reported to the host. The message says what happened. The other two texts say what was kept and what to do. */
export class AgentError extends Error {
  /** Stable code for programs: `bad_option`, `no_folder`, `authentication`, … */
  readonly code: string
  readonly kept: string
  readonly todo: string

  constructor({ code, what, kept, todo }: Trouble) {
    super(what)
    this.name = 'AgentError'
    this.code = code
    this.kept = kept
    this.todo = todo
  }
}

/** The library was used incorrectly, and nothing was started. */
export function badOption(what: string, todo: string): AgentError {
  return new AgentError({ code: 'bad_option', what, kept: 'Nothing was started or changed.', todo })
}

/** Returns the value of a result. Throws its failure as an `AgentError`. */
export function valueOf<T>(result: Result<T, Trouble>): T {
  if (result.ok) return result.value
  throw new AgentError(result.failure)
}
