import type { Effect } from '../../../shared/session/effects.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Signer } from '../../../shared/session/events.ts'

/** What the policy says of a call's effects. `ask` and `deny` carry the reason as a sentence for the person and for the model. */
export type Verdict =
  | { readonly kind: 'allow'; readonly by: Signer }
  | { readonly kind: 'ask'; readonly reason: string; readonly destructive: boolean }
  | { readonly kind: 'deny'; readonly reason: string }

/** A pure decision over effects: deny > ask > allow (DESIGN §6), and the look at the disk that it rests on. */
export interface Policy {
  judge(effects: readonly Effect[], mode: ApprovalMode): Verdict
  /** The same effects with what only the disk tells of them, to be judged then; touches nothing. */
  look(effects: readonly Effect[]): Promise<readonly Effect[]>
}
