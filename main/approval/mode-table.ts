import type { CommandEffect } from '../../shared/session/effects.ts'
import type { NoCopy } from '../../shared/session/events.ts'
import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'

type Answer = 'allow' | 'ask' | 'deny'

/** What a mode decides about effects. Blocked deletions, control files, places outside the folder and rules are handled separately. */
interface ModeRow {
  /** `edits`: files that the edit tools write. `deletions`: files that they delete. */
  readonly edits: Answer
  readonly deletions: Answer
  /**
   * Changes that a command made in its copy. Plan mode drops them. A change set from before the switch to plan mode can still be signed.
   */
  readonly copied: Answer
  /** A command in the real folder that cannot write anywhere else. */
  readonly confined: Answer
  /** A command with all rights of the user. `ask`: it needs a signature unless it is proven to only read. */
  readonly open: Answer
  /** `way`: how commands run. `wayWithoutCopy`: how commands run if they cannot run in a copy, such as background commands. */
  readonly way: 'copy' | 'open'
  readonly wayWithoutCopy: 'confined' | 'open'
}

/** What each mode allows without a signature. */
export const MODE_TABLE: Readonly<Record<ApprovalMode, ModeRow>> = {
  plan: { edits: 'deny', deletions: 'deny', copied: 'ask', confined: 'deny', open: 'deny', way: 'copy', wayWithoutCopy: 'open' },
  ask: { edits: 'ask', deletions: 'ask', copied: 'ask', confined: 'ask', open: 'ask', way: 'copy', wayWithoutCopy: 'open' },
  'accept-edits': { edits: 'allow', deletions: 'ask', copied: 'allow', confined: 'ask', open: 'ask', way: 'copy', wayWithoutCopy: 'open' },
  auto: { edits: 'allow', deletions: 'ask', copied: 'allow', confined: 'allow', open: 'ask', way: 'copy', wayWithoutCopy: 'confined' },
  full: { edits: 'allow', deletions: 'allow', copied: 'allow', confined: 'allow', open: 'allow', way: 'open', wayWithoutCopy: 'open' },
}

export interface CommandWay {
  readonly mode: ApprovalMode
  /** Why the command did not run in a copy before. Null if that was not tried. */
  readonly tried: NoCopy | null
  /** Whether no command may run for real. */
  readonly isRequired: boolean
}

/**
 * How a command runs on a machine with a sandbox. Null if it runs for real. A background command outlives its call, so it cannot run in a
 * copy. The session's bash is never confined, because it is one process for many commands.
 */
export function sandboxFor({ way, noCopy }: CommandEffect, { mode, tried, isRequired }: CommandWay): CommandEffect['sandbox'] | null {
  if (tried?.isConfined && way !== 'shell') return 'confined'
  const row = MODE_TABLE[mode]
  if (row.way === 'open' && !isRequired) return null
  // Whatever a command lacks in a copy, it also lacks when confined.
  const needsMore = tried ? !tried.mayConfine : noCopy !== undefined
  if (needsMore && !isRequired) return null
  if (way !== 'background' && !tried) return 'copy'
  return way !== 'shell' && (row.wayWithoutCopy === 'confined' || isRequired) ? 'confined' : null
}
