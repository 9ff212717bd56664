import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { NoCopy, Signer } from '../../../shared/session/events.ts'

/** The policy's verdict on a call's effects. `ask` and `deny` carry the reason as a sentence for the person and the model. */
export type Verdict =
  | { readonly kind: 'allow'; readonly by: Signer }
  | { readonly kind: 'ask'; readonly reason: string; readonly destructive: boolean }
  | { readonly kind: 'deny'; readonly reason: string }

/** Decides over effects: deny wins over ask, ask over allow. `judge` is pure; `look` reads the disk for it. */
export interface Policy {
  judge(effects: readonly Effect[], mode: ApprovalMode): Verdict
  /** How a command runs where the machine has a sandbox; null: for real. `tried`: why it did not run in a copy before. */
  sandboxFor(command: CommandEffect, mode: ApprovalMode, tried: NoCopy | null): CommandEffect['sandbox'] | null
  /** The same effects with the facts that only the disk knows. Changes nothing. */
  look(effects: readonly Effect[]): Promise<readonly Effect[]>
}
