import type { BlobText } from '../../../shared/api/changes/changes.ts'

/** One file with both its texts; null: there is no such file on that side. */
export interface FileTexts {
  /** Absolute. */
  readonly path: string
  /** As the person knows it: relative to the project where it is inside. */
  readonly shown: string
  readonly before: BlobText | null
  readonly after: BlobText | null
  /** Where it was moved from, as the person knows it; undefined: nowhere. */
  readonly movedFrom?: string | undefined
}

/** The texts of a step's files, on their way or here. */
export type StepTexts =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly files: readonly FileTexts[] }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }
