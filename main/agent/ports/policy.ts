import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { NoCopy, Signer } from '../../../shared/session/events.ts'
import type { FileView } from './tool.ts'

/** The policy's verdict on a call's effects. `ask` and `deny` contain the reason as a sentence for the user and the model, `advice` what only the model reads. */
export type Verdict =
  | { readonly kind: 'allow'; readonly by: Signer }
  | { readonly kind: 'ask'; readonly reason: string; readonly destructive: boolean }
  | { readonly kind: 'deny'; readonly reason: string; readonly advice?: string }

/** Decides about effects: deny beats ask, ask beats allow. `judge` is pure. `look` reads the facts for it from the disk. */
export interface Policy {
  judge(effects: readonly Effect[], mode: ApprovalMode): Verdict
  /** How a command runs on a machine with a sandbox. Null if it runs for real. `tried`: why the command did not run in a copy before. */
  sandboxFor(command: CommandEffect, mode: ApprovalMode, tried: NoCopy | null): CommandEffect['sandbox'] | null
  /** Returns the effects with facts read from the disk. Changes nothing. */
  look(effects: readonly Effect[]): Promise<readonly Effect[]>
  /**
   * Adds to each command that does not run in a copy the files that it executes, so that a signature counts only for their current content.
   * `files`: the files as the command will find them.
   */
  withExecutedFiles(effects: readonly Effect[], files: FileView): Promise<readonly Effect[]>
}
