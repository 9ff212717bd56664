import { useEffect, useMemo, useState } from 'react'
import type { BlobText } from '../../../../shared/api/changes/changes.ts'
import type { BlobHash } from '../../../../shared/lib/ids.ts'
import { viewFile } from '../file-words.ts'
import type { HunkPlace } from './compute-diff.ts'

export interface LineCounts {
  readonly added: number
  readonly removed: number
}

export type ReadText = (hash: BlobHash | null) => Promise<BlobText>

/** A hunk without its text. */
export type HunkFacts = Pick<HunkPlace, 'key' | 'before' | 'after' | 'name'>

/**
 * The hunks of one file, and the number of lines that they add and remove. The numbers are null for a file that is not shown as lines.
 * Such a file counts as one hunk.
 */
export interface FileHunks {
  readonly hunks: readonly HunkFacts[]
  readonly lines: LineCounts | null
}

interface ComparedFile {
  readonly path: string
  readonly before: BlobHash | null
  readonly after: BlobHash | null
}

/** Maximum number of files whose hunks are counted. Comparing more would keep the window busy for minutes. */
const MAX_FILES = 1_000

/** Hunks by path, computed one file after the other. `isWhole` is true when all hunks that can be computed are known. */
export function useFileHunks(files: readonly ComparedFile[] | null, read: ReadText) {
  const [compared, setCompared] = useState<ReadonlyMap<string, FileHunks>>(new Map())
  useEffect(() => {
    let current = true
    const compareNext = async (): Promise<void> => {
      const next = (files ?? []).slice(0, MAX_FILES).find((file) => !compared.has(versionOf(file)))
      if (!next) return
      const found = await hunksOf(next, read)
      if (current) setCompared((before) => new Map(before).set(versionOf(next), found))
    }
    void compareNext()
    return () => {
      current = false
    }
  }, [files, read, compared])
  return useMemo(() => {
    const known = (files ?? []).flatMap((file) => {
      const own = compared.get(versionOf(file))
      return own ? [[file.path, own] as const] : []
    })
    return { byPath: new Map(known), isWhole: files !== null && known.length >= Math.min(files.length, MAX_FILES) }
  }, [files, compared])
}

/** A file that cannot be read or compared counts as one hunk. */
async function hunksOf(file: ComparedFile, read: ReadText): Promise<FileHunks> {
  try {
    return await comparedHunks(file, read)
  } catch {
    return asOne(file)
  }
}

async function comparedHunks(file: ComparedFile, read: ReadText): Promise<FileHunks> {
  const { path, before, after } = file
  const side = (hash: BlobHash | null): Promise<BlobText | null> => (hash === null ? Promise.resolve(null) : read(hash))
  const view = viewFile(await side(before), await side(after))
  if (view.kind !== 'text') return asOne(file)
  const { requestDiff } = await import('./request-diff.ts')
  const { hunks, added, removed } = await requestDiff({ path, before: view.before, after: view.after, language: 'text' })
  return {
    hunks: hunks.map((hunk) => ({ key: hunk.key, before: hunk.before, after: hunk.after, name: hunk.name })),
    lines: { added, removed },
  }
}

function asOne({ before, after }: ComparedFile): FileHunks {
  return { hunks: [wholeFile(before, after)], lines: null }
}

/** Represents a file that is not shown as lines by a single hunk. */
export function wholeFile(before: string | null, after: string | null): HunkFacts {
  return { key: `file ${(before ?? '-').slice(0, 40)} ${(after ?? '-').slice(0, 40)}`, before: [0, 1], after: [0, 1], name: null }
}

const versionOf = ({ path, before, after }: ComparedFile): string => `${path}\n${before}\n${after}`
