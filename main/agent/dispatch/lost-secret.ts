import { Buffer } from 'node:buffer'
import type { Effect, WriteEffect } from '../../../shared/session/effects.ts'
import type { BlobStore } from '../ports/event-log.ts'
import type { Verdict } from '../ports/policy.ts'
import type { Redactor } from '../ports/redactor.ts'

/** What every marker contains. */
const IN_MARKER = 'hidden by Countersign: '

/** Files that a model has only seen with markers would lose their keys to what it writes back: such a call is refused. Null: no file would. */
export function lostSecret(
  effects: readonly Effect[],
  { blobs, redactor }: { readonly blobs: Pick<BlobStore, 'get'>; readonly redactor: Redactor },
): Verdict | null {
  for (const effect of effects) {
    if (effect.kind !== 'write') continue
    const after = Buffer.from(blobs.get(effect.after))
    if (!after.includes(IN_MARKER)) continue
    const hash = hashBefore(effect, effects)
    const before = hash === null ? '' : Buffer.from(blobs.get(hash)).toString()
    if (redactor.losesSecret(before, after.toString())) return refusal(effect.shown)
  }
  return null
}

/** A file that is moved is compared with what it was in its old place. */
function hashBefore({ before, movedFrom }: WriteEffect, effects: readonly Effect[]): WriteEffect['before'] {
  if (before !== null || !movedFrom) return before
  const gone = effects.find((effect) => effect.kind === 'delete' && effect.path === movedFrom.path)
  return gone?.kind === 'delete' ? gone.before : null
}

function refusal(shown: string): Verdict {
  const reason =
    `${shown} holds a key that tools show as "[${IN_MARKER}…]", and the new text has that marker where the key stands, so the key would be lost. ` +
    'Make a smaller edit that leaves the line with the key as it is.'
  return { kind: 'deny', reason }
}
