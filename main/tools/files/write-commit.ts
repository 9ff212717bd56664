import type { WriteEffect } from '../../../shared/session/effects.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { failure, fileFailure, leadsElsewhere, shownPath } from '../define/outcome.ts'

/**
 * Writes exactly what was signed, or nothing: the path must still lead where it led, and the file must still hold the bytes that it
 * held (C10, fault 9). `seen`: the lines that the agent has seen of it then, where that is not all of it. Null: done; else what stood in the way, for the model.
 */
export async function commitWrite(effect: WriteEffect, run: RunContext, seen?: SeenLines): Promise<ToolOutput | null> {
  const shown = shownPath(effect.shown)
  try {
    const moved = await leadsElsewhere(run, effect)
    if (moved) return moved
    const after = run.bytes(effect.after)
    const expected = effect.before === null ? null : run.bytes(effect.before)
    // A stop that came before it is obeyed.
    run.signal.throwIfAborted()
    await run.env.writeBytes(effect.path, after, { expected, real: true })
    run.saw(effect.path, after, seen)
    return null
  } catch (error) {
    run.signal.throwIfAborted()
    const { code, message } = fileFailure(error)
    if (code === 'ECHANGED')
      return failure(`${shown} has changed since this was signed. Nothing was written. Read it again, then decide anew.`)
    return failure(`${shown} was not written: ${message}`)
  }
}
