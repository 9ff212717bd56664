import type { TriedKey } from '../../../shared/api/settings.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from './attempt-request.ts'
import type { Desk } from '../desk.ts'

/** Tests a key and saves it only if the service accepts it. The key is sent only to main. */
export async function tryKey(desk: Desk, provider: ProviderId, key: string): Promise<TriedKey> {
  let tried: TriedKey | null = null
  const trouble = await attemptRequest(desk, 'The key was not saved', async (client) => {
    tried = await client.settings.tryKey({ provider, key })
    return { ok: true }
  })
  return tried ?? { kind: 'not_kept', why: 'untested', trouble: trouble ?? NO_ANSWER }
}

/** Saves a key without a test, because the user asked for it. A null key removes the saved key. */
export function keepKey(desk: Desk, provider: ProviderId, key: string | null): Promise<Trouble | null> {
  return attemptRequest(desk, key === null ? 'The key was not removed' : 'The key was not saved', (client) =>
    client.settings.setKey({ provider, key }),
  )
}

const NO_ANSWER: Trouble = { code: 'no_answer', what: 'The key could not be tested.', kept: 'Nothing was changed.', todo: 'Try again.' }
