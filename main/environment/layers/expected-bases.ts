import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { LayerBase, LayerFile } from '../../agent/ports/layers.ts'
import { codeOf } from '../environment-failure.ts'
import { isSameFile } from './stored-file.ts'

const file = z.object({ hash: BlobHash, size: z.number(), mode: z.number() }).readonly().nullable()
const stored = z.array(z.object({ path: z.string(), base: file, own: file })).readonly()
type Expected = z.infer<typeof stored>

/**
 * The bases of files of a layer that are being written, in a file of the layer: each counts once the layer's version is the expected one.
 * The file is missing if none is expected. Earlier versions of Countersign do not read it, and would merge such a file again.
 */
export interface ExpectedBases {
  /** Sets bases with `set`, and keeps those with `own` until `settle`. Each replaces what was expected of its path. */
  rebase(bases: readonly LayerBase[]): Promise<void>
  /**
   * Sets the bases of the files that have become what was expected, as after a kill. `ownOf`: what the layer contains at these paths, as far
   * as it has a version of its own.
   */
  settle(ownOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, LayerFile | null>>): Promise<void>
}

/** The work that is done with each file, in turn: each step reads the list that it replaces. */
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
      // Comes first: if the process is killed in between, settling sets the same base again.
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

/** A damaged file counts as empty: the layer stays usable, and at worst merges what it has already merged again. */
async function readExpected(at: string): Promise<Expected> {
  try {
    return stored.safeParse(asJson(await readFile(at, 'utf8'))).data ?? []
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Renamed into place once it is on the disk, so that a kill or a power cut leaves the old or the new list. */
async function writeExpected(at: string, now: Expected, before: Expected): Promise<void> {
  if (now.length === 0 && before.length === 0) return
  if (now.length === 0) return rm(at, { force: true })
  const part = `${at}.${randomUUID()}`
  await writeFile(part, JSON.stringify(now), { mode: 0o600, flush: true })
  await rename(part, at)
}
