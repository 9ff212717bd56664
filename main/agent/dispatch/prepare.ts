import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { Verdict } from '../ports/policy.ts'
import type { Prepared, PrepareContext, ToolOutput } from '../ports/tool.ts'
import { errorOutput, type FoundCall, toolError } from './find-call.ts'

type Commit = Extract<Prepared, { kind: 'ready' }>['commit']

/** What is to become of a call, as it stands now. */
export type Preparation =
  | { readonly kind: 'ended'; readonly outcome: 'failed' | 'barred'; readonly output: ToolOutput }
  /** Without effects. */
  | { readonly kind: 'read'; readonly commit: Commit }
  | {
      readonly kind: 'step'
      readonly effects: readonly Effect[]
      readonly hash: string
      readonly verdict: Exclude<Verdict, { kind: 'deny' }>
      readonly commit: Commit
    }

export interface Judge {
  /** As the policy's; without it the effects are judged as they are. */
  look?(effects: readonly Effect[]): Promise<readonly Effect[]>
  judge(effects: readonly Effect[]): Verdict
  effectHash(effects: readonly Effect[]): string
}

/** Touches nothing. Rejects only with the signal's reason; whatever else goes wrong is the call's end (P3-18). */
export async function prepareCall(found: FoundCall, context: PrepareContext, { look, judge, effectHash }: Judge): Promise<Preparation> {
  if (found.kind === 'ended') return { kind: 'ended', outcome: 'failed', output: found.output }
  const prepared = await preparedBy(found, context)
  if (prepared.kind === 'rejected') return { kind: 'ended', outcome: 'failed', output: prepared.output }
  const commit: Commit = (run) => prepared.commit(run)
  if (prepared.effects.length === 0) return { kind: 'read', commit }
  const effects = (await look?.(prepared.effects)) ?? prepared.effects
  const verdict = judge(effects)
  switch (verdict.kind) {
    case 'deny':
      return { kind: 'ended', outcome: 'barred', output: errorOutput(`${verdict.reason} Nothing was executed.`) }
    case 'allow':
    case 'ask':
      return { kind: 'step', effects, hash: effectHash(effects), verdict, commit }
    default:
      return assertNever(verdict, 'verdict')
  }
}

async function preparedBy({ tool, value }: Extract<FoundCall, { kind: 'found' }>, context: PrepareContext): Promise<Prepared> {
  try {
    return await tool.prepare(value, context)
  } catch (error) {
    context.signal.throwIfAborted()
    return { kind: 'rejected', output: errorOutput(toolError(error)) }
  }
}
