import { appendFile, readFile, rm, stat, truncate } from 'node:fs/promises'
import { z } from 'zod'
import { BlobHash } from '../../../../shared/lib/ids.ts'
import type { LayerFile } from '../../../agent/ports/layers.ts'

const fileSchema = z.object({ hash: BlobHash, size: z.number(), mode: z.number().nullable() }).readonly()

/**
 * What is known of one path. `base`: the file in the folder on which the layer's version is based, null if there was none. `covered`: the
 * folder's entry at the path stopped showing through, and the files in it have been noted. `forgotten`: the layer no longer has a version
 * of its own.
 */
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('base'), path: z.string(), base: fileSchema.nullable() }),
  z.object({ kind: z.literal('covered'), path: z.string() }),
  z.object({ kind: z.literal('forgotten'), path: z.string() }),
])
export type BaseLine = z.infer<typeof lineSchema>

/** The versions on which the files of a layer are based, kept in a file of the layer to which lines are added. */
export interface BaseVersions {
  readonly bases: ReadonlyMap<string, LayerFile | null>
  readonly covered: ReadonlySet<string>
  /** Reads what another process has added, such as one that has brought in the layer's changes. */
  update(): Promise<void>
  /** Resolves when the lines are in the file. */
  add(lines: readonly BaseLine[]): Promise<void>
}

export async function readBaseVersions(path: string): Promise<BaseVersions> {
  const bases = new Map<string, LayerFile | null>()
  const covered = new Set<string>()
  const take = (line: BaseLine): void => {
    if (line.kind === 'base') bases.set(line.path, line.base)
    if (line.kind === 'covered') covered.add(line.path)
    if (line.kind !== 'forgotten') return
    bases.delete(line.path)
    covered.delete(line.path)
  }
  /** Number of bytes of the file that are known. */
  let known = 0
  /** Returns whether the file ends with a whole line. */
  const readAll = async (): Promise<boolean> => {
    const text = await readFile(path, 'utf8').catch(() => '')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    bases.clear()
    covered.clear()
    for (const line of whole.split('\n')) if (line !== '') take(lineSchema.parse(JSON.parse(line)))
    known = Buffer.byteLength(whole)
    return whole.length === text.length
  }
  // A process that was killed while it wrote may have left half a line.
  if (!(await readAll())) await truncate(path, known)
  return {
    bases,
    covered,
    async update() {
      if ((await sizeOf(path)) !== known) await readAll()
    },
    async add(lines) {
      if (lines.length === 0) return
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      await appendFile(path, text, { mode: 0o600 })
      known += Buffer.byteLength(text)
      for (const line of lines) take(line)
    },
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Writes the first versions of a layer that is being made. */
export async function writeBaseVersions(path: string, { bases, covered }: Pick<BaseVersions, 'bases' | 'covered'>): Promise<void> {
  await rm(path, { force: true })
  const versions = await readBaseVersions(path)
  await versions.add([
    ...[...bases].map(([at, base]) => ({ kind: 'base', path: at, base }) as const),
    ...[...covered].map((at) => ({ kind: 'covered', path: at }) as const),
  ])
}
