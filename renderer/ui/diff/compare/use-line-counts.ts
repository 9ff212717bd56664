import { useMemo } from 'react'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import { type LineCounts, type ReadText, useFileHunks } from './use-file-hunks.ts'

/** A file by the hashes of both versions. `lines` is null if the lines have not been counted yet. */
export interface CountedFile {
  readonly path: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly lines: LineCounts | null
}

/** Maximum number of files whose texts are read only to count their lines. */
const MAX_FILES = 200

/** Added and removed lines by path. Files without counts are compared one after the other. Files that are not text have no counts. */
export function useLineCounts(files: readonly CountedFile[] | null, read: ReadText): ReadonlyMap<string, LineCounts> {
  const uncounted = useMemo(() => files && files.slice(0, MAX_FILES).filter(({ lines }) => lines === null), [files])
  const { byPath } = useFileHunks(uncounted, read)
  return new Map(
    (files ?? []).flatMap(({ path, lines }) => {
      const counts = lines ?? byPath.get(path)?.lines
      return counts ? [[path, counts] as const] : []
    }),
  )
}
