/** A script whose content is no longer the one that the user trusted. */
export interface ChangedScript {
  /** The path as it is shown. */
  readonly shown: string
  /** The hunks of the change, each in the unified format. Null if the trusted content was not kept, or if one of the contents is not text. */
  readonly hunks: readonly string[] | null
}
