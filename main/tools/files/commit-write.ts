import { failure } from '../../agent/tool-output.ts'
import type { WriteEffect } from '../../../shared/session/effects.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import type { WriteDetails } from '../../../shared/tools/write-file.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { fileFailure, leadsElsewhere, shownPath } from '../define/outcome.ts'
import type { FileEffect } from './file-set.ts'

/**
 * Writes exactly what was signed, or nothing: the path must still lead to the same place, and the file must still have the same bytes.
 * `seen`: the lines that the agent has seen after the change; absent: all. Null: done; else the reason, for the model.
 */
export async function commitWrite(effect: WriteEffect, run: RunContext, seen?: SeenLines): Promise<ToolOutput | null> {
  const shown = shownPath(effect.shown)
  try {
    const moved = await leadsElsewhere(run, effect)
    if (moved) return moved
    const after = run.bytes(effect.after)
    const expected = effect.before === null ? null : run.bytes(effect.before)
    // A stop before the write still counts.
    run.signal.throwIfAborted()
    await run.env.writeBytes(effect.path, after, { expected, real: true })
    run.saw(effect.path, after, seen)
    return null
  } catch (error) {
    run.signal.throwIfAborted()
    const { code, message } = fileFailure(error)
    if (code === 'ECHANGED')
      return failure(`${shown} has changed since this was signed. Nothing was written. Read it again, then decide again.`)
    return failure(`${shown} was not written: ${message}`)
  }
}

/** What a call that wrote or deleted files stores for the screen. */
export function writeDetails(effects: readonly FileEffect[]) {
  return {
    files: effects.map((effect) => {
      const { path, shown } = effect
      if (effect.kind === 'delete') return { path, shown, created: false, deleted: true, added: 0, removed: 0 }
      return { path, shown, created: effect.before === null, added: effect.lines?.added ?? null, removed: effect.lines?.removed ?? null }
    }),
  } satisfies WriteDetails
}
