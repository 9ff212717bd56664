import type { WriteEffect } from '../../../shared/session/effects.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import type { WriteDetails } from '../../../shared/tools/write-file.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { failure, fileFailure, leadsElsewhere, shownPath } from '../define/outcome.ts'
import type { FileEffect } from './file-set.ts'

/** The permission bits of a file mode. */
const MODE_BITS = 0o7777

export interface Committed {
  readonly effects: readonly FileEffect[]
  /** The lines of a file that the agent has seen after the change. Undefined: all of them. */
  seen(path: string): SeenLines | undefined
}

/**
 * Makes all signed changes or none: first every file is compared with what it was, then all are written, then files are deleted. If one
 * change fails, those before it are undone. Null: done; else the reason, for the model.
 */
export async function commitFiles(files: Committed, run: RunContext): Promise<ToolOutput | null> {
  const { effects } = files
  for (const effect of effects) {
    const moved = await stands(effect, run)
    if (moved) return moved
  }
  run.signal.throwIfAborted()
  const done: Done[] = []
  for (const effect of [...effects].toSorted((a, b) => Number(a.kind === 'delete') - Number(b.kind === 'delete'))) {
    try {
      done.push(await carryOut(effect, run))
    } catch (error) {
      const { message } = fileFailure(error)
      const left = await putBack(done, run)
      const words = `${shownPath(effect.shown)} was not ${effect.kind === 'delete' ? 'removed' : 'written'}: ${message}`
      if (left.length === 0) return failure(`${words} Nothing was changed: what was done before was put back.`)
      return failure(`${words} These could not be put back as they were: ${left.map(shownPath).join(', ')}. Look at them.`)
    }
  }
  for (const effect of effects) if (effect.kind === 'write') run.saw(effect.path, run.bytes(effect.after), files.seen(effect.path))
  return null
}

interface Done {
  readonly effect: FileEffect
  readonly mode: number | null
}

async function stands(effect: FileEffect, run: RunContext): Promise<ToolOutput | null> {
  const shown = shownPath(effect.shown)
  try {
    const moved = await leadsElsewhere(run, effect)
    if (moved) return moved
    const now = await bytesAt(effect.path, run)
    const before = effect.before === null ? null : run.bytes(effect.before)
    const isSame = now && before ? Buffer.compare(now, before) === 0 : now === before
    return isSame ? null : failure(`${shown} has changed since this was signed. Nothing was changed. Read it again, then decide anew.`)
  } catch (error) {
    run.signal.throwIfAborted()
    return failure(`${shown} cannot be changed: ${fileFailure(error).message} Nothing was changed.`)
  }
}

async function bytesAt(path: string, run: RunContext): Promise<Uint8Array | null> {
  try {
    return await run.env.readBytes(path, { signal: run.signal })
  } catch (error) {
    run.signal.throwIfAborted()
    if (fileFailure(error).code === 'ENOENT') return null
    throw error
  }
}

async function carryOut(effect: FileEffect, { env, bytes }: RunContext): Promise<Done> {
  if (effect.kind === 'write') {
    const expected = effect.before === null ? null : bytes(effect.before)
    const mode = effect.mode === undefined ? {} : { mode: effect.mode }
    await env.writeBytes(effect.path, bytes(effect.after), { expected, real: true, ...mode })
    return { effect, mode: null }
  }
  const mode = ((await env.stat(effect.path))?.mode ?? 0o644) & MODE_BITS
  await env.deleteFile(effect.path)
  return { effect, mode }
}

/** Undoes changes, newest first. Returns the files that could not be restored. */
async function putBack(done: readonly Done[], run: RunContext): Promise<readonly string[]> {
  const left: string[] = []
  for (const one of done.toReversed()) {
    try {
      await undo(one, run)
    } catch {
      left.push(one.effect.shown)
    }
  }
  return left
}

async function undo({ effect, mode }: Done, { env, bytes }: RunContext): Promise<void> {
  if (effect.kind === 'delete') {
    await env.writeBytes(effect.path, bytes(effect.before), { expected: null, real: true, ...(mode !== null && { mode }) })
  } else if (effect.before === null) await env.deleteFile(effect.path)
  else await env.writeBytes(effect.path, bytes(effect.before), { expected: bytes(effect.after), real: true })
}

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
      return failure(`${shown} has changed since this was signed. Nothing was written. Read it again, then decide anew.`)
    return failure(`${shown} was not written: ${message}`)
  }
}

/** What a call that wrote or deleted files stores for the screen. */
export function writeDetails(effects: readonly FileEffect[]) {
  return {
    files: effects.map((effect) => {
      const { path, shown } = effect
      if (effect.kind === 'delete') return { path, shown, created: false, deleted: true, added: 0, removed: 0 }
      return { path, shown, created: effect.before === null, added: effect.lines?.added ?? 0, removed: effect.lines?.removed ?? 0 }
    }),
  } satisfies WriteDetails
}
