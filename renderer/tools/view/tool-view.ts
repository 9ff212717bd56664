import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { ToolSpec } from '../../../shared/tools/spec/tool-spec.ts'

/**
 * How the content below a step's line is shown. `none`: there is none. `fixed`: it is always shown. `open` and `closed`: it can be
 * folded, and is open or closed at first.
 */
export type Folding = 'none' | 'fixed' | 'open' | 'closed'

export interface BodyProps {
  readonly call: CallItem
  readonly sessionId: SessionId
  /** Renders Markdown as the ledger does. */
  readonly prose: (text: string) => ReactNode
}

/**
 * What the ledger shows for the calls of one tool. The ledger itself renders commands, changed files and failures in the same way for all
 * tools.
 */
export interface ToolView {
  readonly spec: ToolSpec
  /** The result of a finished call in a few words, such as "12 files". If null, only a failure is shown. */
  outcome?(call: CallItem): string | null
  /** The folding of a call that ended without an error. Default: closed if it has an output. */
  folding?(call: CallItem): Folding
  /** Name of the unfolded content, for the label of the button. Default: "the result". */
  readonly unfolds?: string
  /** The content below the line of a call that ended without an error and changed no files. Default: its output. */
  readonly Body?: (props: BodyProps) => ReactNode
  /** The file that a call read, for buttons that open it. Null if there is none. */
  lookedAt?(call: CallItem): { readonly path: string; readonly line: number | null } | null
  /** Whether the duration is shown. Default: true. */
  readonly isTimed?: boolean
}
