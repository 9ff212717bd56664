import { useEffect } from 'react'
import type { HunkPlace } from '../../../../ui/diff/compare/compute-diff.ts'
import type { ReviewedFile } from '../reviewed-files.ts'

/** Hunks by path. Null for a file whose texts could not be compared. */
export type ComparedFiles = ReadonlyMap<string, readonly HunkPlace[] | null>

/** How long files are compared in one go, in ms. */
const SLICE_MS = 12

/** Compares the files that are not in `known` yet, and reports them in slices. Does nothing if `files` is null. */
export function useComparedFiles(
  files: readonly ReviewedFile[] | null,
  known: ComparedFiles,
  onFound: (found: ComparedFiles) => void,
): void {
  const missing = files?.find(({ path, texts }) => texts !== null && !known.has(path)) ?? null
  useEffect(() => {
    if (files === null || missing === null) return
    const leaving = new AbortController()
    void compareSlice(files, known).then((found) => {
      if (!leaving.signal.aborted) onFound(found)
    })
    return () => leaving.abort()
  }, [files, missing, known, onFound])
}

/** Compares files for a slice of time, at least one of them. */
async function compareSlice(files: readonly ReviewedFile[], known: ComparedFiles): Promise<ComparedFiles> {
  const { requestDiff } = await import('../../../../ui/diff/compare/request-diff.ts')
  // Lets the window draw between two slices.
  await new Promise((resolve) => setTimeout(resolve))
  const found = new Map(known)
  const end = performance.now() + SLICE_MS
  for (const { path, texts } of files) {
    if (texts === null || found.has(path)) continue
    found.set(path, await hunksOf({ path, ...texts }))
    if (performance.now() > end) break
  }
  return found

  async function hunksOf(file: { readonly path: string; readonly before: string | null; readonly after: string | null }) {
    try {
      return (await requestDiff({ ...file, language: 'text' })).hunks
    } catch {
      return null
    }
  }
}
