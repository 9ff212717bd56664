import type { BlobHash } from '../lib/ids.ts'
import type { MovedFrom } from './effects.ts'

interface Pair {
  readonly path: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly movedFrom?: MovedFrom | undefined
}

/** Each file that went and came elsewhere as one: where it is now, against what it was there. */
export function withMoves<F extends Pair>(files: readonly F[]): readonly F[] {
  const gone = new Map(files.flatMap((file) => (file.after === null ? [[file.path, file.before]] : [])))
  const moved = files.map((file) => {
    const before = file.movedFrom && file.before === null ? gone.get(file.movedFrom.path) : undefined
    if (before !== undefined && before !== null) return { ...file, before }
    const { movedFrom: _, ...plain } = file
    return plain as F
  })
  const left = new Set(moved.map(({ movedFrom }) => movedFrom?.path))
  return moved.filter(({ path, after }) => after !== null || !left.has(path))
}
