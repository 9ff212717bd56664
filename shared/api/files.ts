import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import { command, items, returns, stream } from '../wire/contract.ts'
import type { Done } from './sessions.ts'
import type { BlobText } from './changes/changes.ts'

/** An entry of a folder. A link has the kind of its target. */
export interface FolderEntry {
  readonly name: string
  readonly isFolder: boolean
}

export type ListedFolder =
  | { readonly ok: true; readonly entries: readonly FolderEntry[]; /** Number of entries beyond the limit. */ readonly leftOut: number }
  | { readonly ok: false; readonly trouble: Trouble }

/** The current content of a file in the place where a session works. */
export interface ShownFile {
  /** Absolute path. */
  readonly path: string
  /** Path relative to the folder of the session, with `/` as the separator. */
  readonly shown: string
  readonly content: BlobText
  /** The text of a PDF, page by page. Null for other files, and if the PDF cannot be read. */
  readonly pdf: string | null
}

export type ReadFile = { readonly ok: true; readonly file: ShownFile } | { readonly ok: false; readonly trouble: Trouble }

/** Maximum number of open folders whose changes are reported. */
export const MAX_OPEN_FOLDERS = 500

/** Maximum length of a text that can be edited in the desk. Longer files must be edited in an editor. */
export const MAX_EDITED = 500_000

const Path = z.string().max(4096)
const session = z.object({ sessionId: SessionId })

/**
 * The files of the place where a session works: its folder, or its layer. Paths are relative to the folder, with `/` as the separator, or
 * absolute. Nothing outside the folder, or in a folder that is not trusted, is read.
 */
export const filesApi = {
  /** The entries of one folder, folders first. The empty path is the session's folder itself. `.git` is left out. */
  folder: command({ input: session.extend({ path: Path }), output: returns<ListedFolder>() }),
  /** Files and folders whose path matches the typed text, best first, at most 50. The path of a folder ends with `/`. */
  find: command({
    input: session.extend({ typed: z.string().max(1024) }),
    output: returns<{ readonly paths: readonly string[] }>(),
  }),
  read: command({ input: session.extend({ path: Path.min(1) }), output: returns<ReadFile>() }),
  /**
   * Replaces the text of a file, in its own encoding, as a change of the user. Refused if the file no longer has the text `expected`, which
   * is the one that was shown.
   */
  write: command({
    input: session.extend({ path: Path.min(1), expected: z.string().max(MAX_EDITED), text: z.string().max(MAX_EDITED) }),
    output: returns<Done>(),
  }),
  /** Sends an item soon after an entry of one of these folders may have changed. */
  changes: stream({ input: session.extend({ folders: z.array(Path).max(MAX_OPEN_FOLDERS) }), item: items<Record<never, never>>() }),
}
