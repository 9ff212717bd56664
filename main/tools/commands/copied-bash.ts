import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { BashState, CopiedBash } from '../../agent/ports/command-copies.ts'

export interface OwnCopiedBash extends CopiedBash {
  /** Where its next command starts. Null: none has run, or it was ended by `end`. */
  folder(): string | null
  /** The next command starts a new bash in the session's folder. False: there was none to end. */
  end(): boolean
}

interface Ran {
  readonly toolCallId: ToolCallId
  readonly before: BashState | null
  readonly folderBefore: string | null
}

/** `onRun`: called after each command. */
export function createCopiedBash(onRun: () => void): OwnCopiedBash {
  let state: BashState | null = null
  let folder: string | null = null
  let isFresh = false
  let last: Ran | null = null
  return {
    state: () => state,
    folder: () => folder,
    isFresh: () => isFresh,
    ended(toolCallId, after) {
      last = { toolCallId, before: state, folderBefore: folder }
      state = after
      folder = after?.folder ?? folder
      isFresh = after === null
      onRun()
    },
    undo(toolCallId) {
      if (last?.toolCallId !== toolCallId) return
      state = last.before
      folder = last.folderBefore
      isFresh = false
      last = null
    },
    end() {
      const isThere = state !== null
      state = null
      folder = null
      last = null
      isFresh ||= isThere
      return isThere
    },
  }
}
