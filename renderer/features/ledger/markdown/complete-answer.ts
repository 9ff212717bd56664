import { createContext } from 'react'
import type { NamedPlace } from './file-names.ts'

/** An answer that is complete. */
export interface CompleteAnswer {
  /** The paths in the answer that are files of an open folder. Names of other files are plain text. */
  readonly files: ReadonlySet<string>
  /** Opens one of these files. */
  readonly open: (place: NamedPlace) => void
}

/** The complete answer around a component. Null while it is being written: code is then not colored, and no name is a link. */
export const AnswerContext = createContext<CompleteAnswer | null>(null)
