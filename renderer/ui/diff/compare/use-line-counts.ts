import { useEffect, useState } from 'react'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import { viewFile } from '../file-words.ts'

export interface LineCounts {
  readonly added: number
  readonly removed: number
}

/** A file by the hashes of both versions. `lines` is null if the lines have not been counted yet. */
export interface CountedFile {
  readonly path: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
  readonly lines: LineCounts | null
}

export type ReadText = (hash: BlobHash | null) => Promise<BlobText>

/** Maximum number of files whose texts are read only to count their lines. */
const MAX_FILES = 200

/** Added and removed lines by path. Files without counts are compared one after the other. Files that are not text have no counts. */
export function useLineCounts(files: readonly CountedFile[] | null, read: ReadText): ReadonlyMap<string, LineCounts> {
  const [compared, setCompared] = useState<ReadonlyMap<string, LineCounts | null>>(new Map())
  useEffect(() => {
    let current = true
    const compareNext = async (): Promise<void> => {
      const next = (files ?? []).slice(0, MAX_FILES).find((file) => file.lines === null && !compared.has(versionOf(file)))
      if (!next) return
      const counts = await compare(next, read).catch(() => null)
      if (current) setCompared((before) => new Map(before).set(versionOf(next), counts))
    }
    void compareNext()
    return () => {
      current = false
    }
  }, [files, read, compared])
  return new Map(
    (files ?? []).flatMap((file) => {
      const counts = file.lines ?? compared.get(versionOf(file)) ?? null
      return counts ? [[file.path, counts] as const] : []
    }),
  )
}

async function compare({ path, before, after }: CountedFile, read: ReadText): Promise<LineCounts | null> {
  const side = (hash: BlobHash | null): Promise<BlobText | null> => (hash === null ? Promise.resolve(null) : read(hash))
  const view = viewFile(await side(before), await side(after))
  if (view.kind !== 'text') return null
  const { requestDiff } = await import('./request-diff.ts')
  return requestDiff({ path, before: view.before, after: view.after, language: 'text' })
}

function versionOf({ path, before, after }: CountedFile): string {
  return `${path}\n${before}\n${after}`
}
