import type { ReactNode } from 'react'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { ToolSpec } from '../../../shared/tools/spec/tool-spec.ts'

/** What is under a step's line: nothing; something that is always shown; something to unfold that is open or closed at first. */
export type Folding = 'none' | 'fixed' | 'open' | 'closed'

export interface BodyProps {
  readonly call: CallItem
  readonly sessionId: SessionId
  /** Draws Markdown as the ledger does. */
  readonly prose: (text: string) => ReactNode
}

/** What the ledger shows for the calls of one tool. It draws commands, changed files and failures itself, alike for all tools. */
export interface ToolView {
  readonly spec: ToolSpec
  /** The result of an ended call in a few words, such as "12 files". Null: only whether it failed is shown. */
  outcome?(call: CallItem): string | null
  /** For a call that ended well. Default: closed if it has an output. */
  folding?(call: CallItem): Folding
  /** What unfolding shows, for the name of the button. Default: "the result". */
  readonly unfolds?: string
  /** Below the line of a call that ended well and changed no files. Default: its output. */
  readonly Body?: (props: BodyProps) => ReactNode
  /** The file that a call read, for buttons that open it. Null: none. */
  lookedAt?(call: CallItem): { readonly path: string; readonly line: number | null } | null
  /** False: its duration is not shown. Default: true. */
  readonly isTimed?: boolean
}
