import { modelOnly, reason } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import type { SeenLines } from '../../../shared/session/events.ts'
import type { RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { fileFailure, leadsElsewhere, shownPath } from '../define/tool-path.ts'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import { CONCURRENT_FILES, type FileEffect, READ_AGAIN } from './file-write.ts'
import { type Made, makeChange, undoChanges } from './undoable-change.ts'

export interface Committed {
  readonly effects: readonly FileEffect[]
  /** The lines of a file that count as seen by the agent after the change; undefined if it has seen the entire file. */
  seen(path: string): SeenLines | undefined
}

/** A file that still has the content for which the change was signed. `links` is its number of hard links. */
interface Unchanged {
  readonly effect: FileEffect
  readonly links: number
}

/**
 * Makes all signed changes or none. First every file is compared with its previous content, then all files are written, then files are
 * deleted. If one change fails, those in progress are awaited and all are undone. Resolves to null on success, otherwise to the reason,
 * as text for the model.
 */
export async function commitFiles(files: Committed, run: RunContext): Promise<ToolOutput | null> {
  const found = await compareAll(files.effects, run)
  if (!found.ok) return found.failure
  run.signal.throwIfAborted()
  const notDone = await makeAll(found.value, run)
  if (notDone) return notDone
  for (const effect of files.effects) if (effect.kind === 'write') run.saw(effect.path, effect.after, files.seen(effect.path))
  return null
}

async function makeAll(files: readonly Unchanged[], run: RunContext): Promise<ToolOutput | null> {
  const made: Made[] = []
  const failures: { readonly effect: FileEffect; readonly error: unknown }[] = []
  for (const { effects, limit } of stepsOf(files)) {
    await mapAtOnce(effects, limit, async (effect) => {
      if (failures.length > 0) return
      try {
        made.push(await makeChange(effect, run))
      } catch (error) {
        failures.push({ effect, error })
      }
    })
  }
  const [first] = failures
  return first ? notMade(first.effect, first.error, await undoChanges(made, run)) : null
}

function notMade(effect: FileEffect, error: unknown, left: readonly string[]): ToolOutput {
  const why = `${shownPath(effect.shown)} was not ${effect.kind === 'delete' ? 'removed' : 'written'}: ${fileFailure(error).message}`
  if (left.length === 0) return failure(`${why} Nothing was changed: the changes already made were undone.`)
  return failure(reason`${why} These files could not be restored: ${left.map(shownPath).join(', ')}. ${modelOnly('Check them.')}`)
}

/** Changes that are made together, with at most `limit` at the same time. */
interface Step {
  readonly effects: readonly FileEffect[]
  readonly limit: number
}

/**
 * Writes come before deletions. Files that depend on each other are written one by one: hard links to the same file, and a path such as
 * `a/b` if `a` is also one of the files. The other files are written concurrently, in the order of their paths, so that files in the same
 * folder share its sync.
 */
function stepsOf(files: readonly Unchanged[]): readonly Step[] {
  const paths = new Set(files.map(({ effect }) => effect.path))
  const isIndependent = ({ effect, links }: Unchanged): boolean =>
    links <= 1 && !foldersAbove(effect.path).some((folder) => paths.has(folder))
  const writes = files.filter(({ effect }) => effect.kind === 'write')
  const byPath = (some: readonly Unchanged[]): readonly FileEffect[] =>
    some.map(({ effect }) => effect).toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))
  return [
    { effects: byPath(writes.filter(isIndependent)), limit: CONCURRENT_FILES },
    { effects: writes.filter((one) => !isIndependent(one)).map(({ effect }) => effect), limit: 1 },
    { effects: byPath(files.filter(({ effect }) => effect.kind === 'delete')), limit: CONCURRENT_FILES },
  ]
}

function foldersAbove(path: string): readonly string[] {
  return [...path.matchAll(/[/\\]/gu)].map(({ index }) => path.slice(0, index))
}

/** Compares all files. If any has changed, fails with an answer for the model about the first changed file, in the order of the effects. */
async function compareAll(effects: readonly FileEffect[], run: RunContext): Promise<Result<readonly Unchanged[], ToolOutput>> {
  const found = new Map<FileEffect, Result<Unchanged, ToolOutput>>()
  await mapAtOnce(effects, CONCURRENT_FILES, async (effect) => {
    found.set(effect, await compare(effect, run))
  })
  const unchanged: Unchanged[] = []
  for (const effect of effects) {
    const one = found.get(effect)
    if (one?.ok === false) return one
    if (one) unchanged.push(one.value)
  }
  return ok(unchanged)
}

async function compare(effect: FileEffect, run: RunContext): Promise<Result<Unchanged, ToolOutput>> {
  const shown = shownPath(effect.shown)
  try {
    const elsewhere = await leadsElsewhere(run, effect)
    if (elsewhere) return failed(elsewhere)
    const now = await bytesAt(effect.path, run)
    const before = effect.before === null ? null : await run.bytes(effect.before)
    const isSame = now && before ? Buffer.compare(now, before) === 0 : now === before
    if (!isSame) return failed(failure(reason`${shown} has changed since this step was signed. Nothing was changed. ${READ_AGAIN}`))
    const links = now === null ? 1 : ((await run.env.stat(effect.path))?.links ?? 1)
    return ok({ effect, links })
  } catch (error) {
    run.signal.throwIfAborted()
    return failed(failure(`${shown} cannot be changed: ${fileFailure(error).message} Nothing was changed.`))
  }
}

async function bytesAt(path: string, run: RunContext): Promise<Uint8Array | null> {
  try {
    return await run.env.readBytes(path, { signal: run.signal, real: true })
  } catch (error) {
    run.signal.throwIfAborted()
    if (fileFailure(error).code === 'ENOENT') return null
    throw error
  }
}
