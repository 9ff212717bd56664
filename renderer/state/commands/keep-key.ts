import type { TriedKey } from '../../../shared/api/settings.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attempt } from './attempt.ts'
import type { Desk } from '../desk.ts'

/** Tests a key, and keeps it only if the service accepts it (D-56: the key goes to main and nowhere else). */
export async function tryKey(desk: Desk, provider: ProviderId, key: string): Promise<TriedKey> {
  let tried: TriedKey | null = null
  const trouble = await attempt(desk, 'The key was not saved', async (client) => {
    tried = await client.settings.tryKey({ provider, key })
    return { ok: true }
  })
  return tried ?? { kind: 'not_kept', why: 'untested', trouble: trouble ?? NO_ANSWER }
}

/** Keeps a key that was not accepted: only when the person has said so. Null removes the one that is set. */
export function keepKey(desk: Desk, provider: ProviderId, key: string | null): Promise<Trouble | null> {
  return attempt(desk, key === null ? 'The key was not removed' : 'The key was not saved', (client) =>
    client.settings.setKey({ provider, key }),
  )
}

const NO_ANSWER: Trouble = { code: 'no_answer', what: 'The key could not be tested.', kept: 'Nothing was changed.', todo: 'Try again.' }
