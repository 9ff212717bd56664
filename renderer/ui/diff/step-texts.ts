import type { BlobText } from '../../../shared/api/changes/changes.ts'

/** One file with both its texts. A text is null if the file does not exist on that side. */
export interface FileTexts {
  /** Absolute path. */
  readonly path: string
  /** The path that the user sees: relative to the project if the file is inside. */
  readonly shown: string
  readonly before: BlobText | null
  readonly after: BlobText | null
  /** The old path of a moved file, as the user sees it. Undefined if it was not moved. */
  readonly movedFrom?: string | undefined
}

/** The texts of a step's files, either loading or loaded. */
export type StepTexts =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly files: readonly FileTexts[] }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }
