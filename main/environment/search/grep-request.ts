/** One search, whatever carries it out. */
export interface GrepRequest {
  readonly pattern: string
  readonly folder: string
  /** The one file of `folder` to search in; null: all. */
  readonly file: string | null
  readonly caseSensitive: boolean
  readonly multiline: boolean
  readonly includePattern: string | null
  readonly contextLines: number
  readonly maxResults: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}
