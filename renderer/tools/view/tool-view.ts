import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { ToolSpec } from '../../../shared/tools/spec/tool-spec.ts'

/** What lies under a step's line: nothing; something that is always shown; something to unfold that is open or closed at first. */
export type Folding = 'none' | 'fixed' | 'open' | 'closed'

export interface BodyProps {
  readonly call: CallItem
  readonly sessionId: SessionId
  /** Draws Markdown as the ledger does. */
  readonly prose: (text: string) => ReactNode
}

/** How the ledger shows the calls of a tool. What all calls share (commands, differences of files, failures) is drawn by the ledger itself. */
export interface ToolView {
  readonly spec: ToolSpec
  /** What a call that ended came to, in a few words. Null or absent: nothing of its own. */
  outcome?(call: CallItem): string | null
  /** For a call that ended well. Absent: closed if it has an output. */
  folding?(call: CallItem): Folding
  /** What unfolding shows, for the name of the button. Default: "the result". */
  readonly unfolds?: string
  /** Below the line of a call that ended well and changed no files. Absent: its output. */
  readonly Body?: (props: BodyProps) => ReactNode
  /** The file that a call looked at, for buttons that open it. Null or absent: none. */
  lookedAt?(call: CallItem): { readonly path: string; readonly line: number | null } | null
  /** False: it takes no time worth a number. */
  readonly isTimed?: boolean
}

/** Of tools that write files: the difference is there to unfold, unless nothing was changed. */
export function writeFolding({ effects }: CallItem): Folding {
  return effects.length > 0 ? 'closed' : 'none'
}
