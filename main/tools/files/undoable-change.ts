import type { RunContext } from '../../agent/ports/tool.ts'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import { CONCURRENT_FILES, type FileEffect } from './file-write.ts'

/** The permission bits of a file mode. */
const MODE_BITS = 0o7777

/** A change that was made, with the data that is needed to undo it. */
export interface Made {
  readonly effect: FileEffect
  /** Permission bits of a deleted file; null for other changes. */
  readonly mode: number | null
}

export async function makeChange(effect: FileEffect, { env, bytes }: RunContext): Promise<Made> {
  if (effect.kind === 'write') {
    const expected = effect.before === null ? null : await bytes(effect.before)
    const mode = effect.mode === undefined ? {} : { mode: effect.mode }
    await env.writeBytes(effect.path, await bytes(effect.after), { expected, real: true, ...mode })
    return { effect, mode: null }
  }
  const { mode = 0o644, links = 1 } = (await env.stat(effect.path)) ?? {}
  // If the file has several names (hard links), its content is not compared, because the same call may have changed it through another
  // name.
  if (links > 1) await env.deleteFile(effect.path)
  else await deleteIfSame(effect.path, await bytes(effect.before), env)
  return { effect, mode: mode & MODE_BITS }
}

/** Compares again, because writing the other files takes time and the user may have just saved this one. */
async function deleteIfSame(path: string, expected: Uint8Array, env: RunContext['env']): Promise<void> {
  const now = await env.readBytes(path, { real: true })
  if (Buffer.compare(now, expected) !== 0)
    throw Object.assign(new Error('The file has changed since this step was signed (ECHANGED).'), { code: 'ECHANGED' })
  await env.deleteFile(path)
}

/**
 * Undoes changes. First deletes created files, several at a time. Then restores changed and deleted files one by one, newest first.
 * Resolves to the files that could not be restored.
 */
export async function undoChanges(made: readonly Made[], run: RunContext): Promise<readonly string[]> {
  const left: string[] = []
  const tryUndo = async (one: Made): Promise<void> => {
    try {
      await undo(one, run)
    } catch {
      left.push(one.effect.shown)
    }
  }
  const newestFirst = made.toReversed()
  const isCreation = ({ effect }: Made): boolean => effect.before === null
  await mapAtOnce(newestFirst.filter(isCreation), CONCURRENT_FILES, tryUndo)
  for (const one of newestFirst) if (!isCreation(one)) await tryUndo(one)
  return left
}

async function undo({ effect, mode }: Made, { env, bytes }: RunContext): Promise<void> {
  if (effect.kind === 'delete') {
    await env.writeBytes(effect.path, await bytes(effect.before), { expected: null, real: true, ...(mode !== null && { mode }) })
  } else if (effect.before === null) await deleteIfSame(effect.path, await bytes(effect.after), env)
  else await env.writeBytes(effect.path, await bytes(effect.before), { expected: await bytes(effect.after), real: true })
}
