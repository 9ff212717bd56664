import { naturalOrder } from '../../../shared/lib/natural-order.ts'

export interface FolderGroup<T> {
  /** Path without the trailing slash. Empty for the project folder itself. */
  readonly folder: string
  readonly files: readonly T[]
}

/** Groups the files by folder, in natural name order. Files of the project folder itself come last. */
export function byFolder<T extends { readonly shown: string }>(files: readonly T[]): readonly FolderGroup<T>[] {
  const groups = Map.groupBy(files, ({ shown }) => shown.slice(0, Math.max(0, shown.lastIndexOf('/'))))
  return [...groups]
    .map(([folder, own]) => ({ folder, files: own.toSorted((a, b) => naturalOrder(nameOf(a.shown), nameOf(b.shown))) }))
    .toSorted((a, b) => (a.folder === '' ? 1 : b.folder === '' ? -1 : naturalOrder(a.folder, b.folder)))
}

/** The last part of a path. */
export function nameOf(shown: string): string {
  return shown.slice(shown.lastIndexOf('/') + 1)
}
