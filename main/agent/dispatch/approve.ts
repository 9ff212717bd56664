import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { Signer } from '../../../shared/session/events.ts'
import type { SessionRecord } from '../record/record.ts'
import type { Preparation } from './prepare-call.ts'
import type { RoundCall } from './round-call.ts'

type Step = Extract<Preparation, { kind: 'step' }>

export interface Signed {
  readonly kind: 'signed'
  readonly by: Signer
  /** What was signed; null: the mode or a rule let it pass. */
  readonly hash: string | null
  /** The world had time to move. */
  readonly waited: boolean
}
export interface Refused {
  readonly kind: 'refused'
  readonly note: string | null
  readonly by: 'person' | 'flag'
}
/** The request is no longer the one to wait for: the person changed the mode, or another request took its place. */
export interface Overtaken {
  readonly kind: 'overtaken'
}

/** Waits until the step is signed or refused, in this process or another (DESIGN §3: approvals are facts). Rejects with the signal's reason. */
export async function signatureFor(
  record: SessionRecord,
  call: RoundCall,
  { verdict }: Step,
  signal: AbortSignal,
): Promise<Signed | Refused | Overtaken> {
  if (verdict.kind === 'allow') return { kind: 'signed', by: verdict.by, hash: null, waited: false }
  let waited = false
  const signature = await record.until(() => {
    const found = look(record, call)
    if (found === null && record.state().config.mode !== call.mode) return { kind: 'overtaken' } as const
    waited ||= found === null
    return found
  }, signal)
  return signature.kind === 'signed' ? { ...signature, waited } : signature
}

function look(record: SessionRecord, { part }: RoundCall): Signed | Refused | Overtaken | null {
  const item = record.call(part.toolCallId)
  const answer = item?.approval?.answer ?? null
  if (!item?.approval) return { kind: 'overtaken' }
  if (!answer) return null
  switch (answer.kind) {
    case 'signed':
      return { kind: 'signed', by: { kind: 'person' }, hash: item.approval.hash, waited: false }
    case 'refused':
      return answer
    case 'withdrawn':
      return { kind: 'overtaken' }
    default:
      return assertNever(answer, 'answer')
  }
}

/** What the model is told (fault 36). */
export function refusalText({ note, by }: Refused): string {
  if (by === 'flag') return `Denied: nobody can be asked in this run. Nothing was executed.${note ? ` ${note}` : ''}`
  return note
    ? `The user denied this call; nothing was executed. The user says: ${note}`
    : 'The user denied this call; nothing was executed.'
}
