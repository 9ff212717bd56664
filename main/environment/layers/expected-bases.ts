import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { LayerBase, LayerFile } from '../../agent/ports/layers.ts'
import { orNull } from '../environment-failure.ts'
import { unlessMissing } from './stored-file.ts'
import { isSameFile } from '../../agent/layer-file.ts'

const file = z.object({ hash: BlobHash, size: z.number(), mode: z.number().nullable() }).readonly().nullable()
const stored = z.array(z.object({ path: z.string(), base: file, own: file })).readonly()
type Expected = z.infer<typeof stored>

/**
 * New bases of files that are about to be written to a layer. They are kept in a file beside the layer, so that a kill during the writing
 * does not lose them, and each comes into force once the layer contains what was to be written. There is no such file while nothing is
 * being written. Earlier versions of Countersign do not read it, and would merge these files again.
 */
export interface ExpectedBases {
  /** Sets the bases without `own` at once, and keeps those with `own` until `settle`. Each replaces an earlier one of its path. */
  rebase(bases: readonly LayerBase[]): Promise<void>
  /** Sets the kept bases whose files are in the layer by now. `ownOf` returns the layer's own files at these paths, without other ones. */
  settle(ownOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, LayerFile | null>>): Promise<void>
}

/** The newest task for each file. Tasks run one after another, because each one reads the list that it replaces. */
const turns = new Map<string, Promise<void>>()

async function inTurn(at: string, work: () => Promise<void>): Promise<void> {
  const done = (turns.get(at) ?? Promise.resolve()).then(work)
  const last = done.catch(() => {})
  turns.set(at, last)
  void last.then(() => turns.get(at) === last && turns.delete(at))
  return done
}

/** `at`: the file. `set`: makes these the bases of the layer's files. */
export function expectedBases(at: string, set: (bases: readonly LayerBase[]) => Promise<void>): ExpectedBases {
  const { rebase, settle } = oneAtATime(at, set)
  return {
    rebase: (bases) => inTurn(at, () => rebase(bases)),
    settle: (ownOf) => inTurn(at, () => settle(ownOf)),
  }
}

function oneAtATime(at: string, set: (bases: readonly LayerBase[]) => Promise<void>): ExpectedBases {
  return {
    async rebase(bases) {
      const now = bases.filter(({ own }) => own === undefined)
      const later = bases.flatMap(({ path, base, own }) => (own === undefined ? [] : [{ path, base, own }]))
      const given = new Set(bases.map(({ path }) => path))
      const earlier = await readExpected(at)
      // Comes first, so that a kill in between loses no base.
      await set(now)
      await writeExpected(at, [...earlier.filter(({ path }) => !given.has(path)), ...later], earlier)
    },
    async settle(ownOf) {
      const expected = await readExpected(at)
      if (expected.length === 0) return
      const own = await ownOf(expected.map(({ path }) => path))
      const arrived = expected.filter((one) => own.has(one.path) && isSameFile(own.get(one.path) ?? null, one.own))
      if (arrived.length === 0) return
      await set(arrived)
      await writeExpected(
        at,
        expected.filter((one) => !arrived.includes(one)),
        expected,
      )
    },
  }
}

/** A damaged file counts as empty, so that the layer stays usable. At worst, some files are merged a second time. */
async function readExpected(at: string): Promise<Expected> {
  const text = await readFile(at, 'utf8').catch(unlessMissing)
  return stored.safeParse(orNull(() => JSON.parse(text ?? '') as unknown)).data ?? []
}

/** Syncs a new file and renames it, so that a kill or a power cut leaves either the old or the new list. */
async function writeExpected(at: string, now: Expected, before: Expected): Promise<void> {
  if (now.length === 0 && before.length === 0) return
  if (now.length === 0) return rm(at, { force: true })
  const part = `${at}.${randomUUID()}`
  await writeFile(part, JSON.stringify(now), { mode: 0o600, flush: true })
  await rename(part, at)
}
