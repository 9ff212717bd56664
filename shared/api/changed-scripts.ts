import { z } from 'zod'

/** The real paths of scripts, each with a hash of its content. */
export const ScriptHashes = z.record(z.string().max(10_000), z.string().max(1_000)).readonly()
export type ScriptHashes = z.infer<typeof ScriptHashes>

/** A script whose content is no longer the one that the user trusted. */
export interface ChangedScript {
  /** The path as it is shown. */
  readonly shown: string
  /**
   * The hunks of the change, each in the unified format. Null if the trusted content was not kept, or if one of the contents is not text.
   */
  readonly hunks: readonly string[] | null
}
