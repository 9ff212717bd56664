import { useEffect, useRef, useState } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'

export interface ModelDraft {
  readonly isDrafting: boolean
  readonly trouble: Trouble | null
  readonly draft: () => Promise<void>
}

/**
 * Lets the session's model draft a text. `put` gets it, unless `written` has changed since the request: what a person types in the meantime
 * is never replaced.
 */
export function useModelDraft(
  sessionId: SessionId,
  of: 'commit' | 'pull-request',
  written: string | null,
  put: (text: string) => void,
): ModelDraft {
  const desk = useDesk()
  const [isDrafting, setDrafting] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const newest = useRef(written)
  useEffect(() => {
    newest.current = written
  })
  const draft = async (): Promise<void> => {
    setDrafting(true)
    const failed = await attemptRequest(desk, 'No text was drafted', async (client) => {
      const drafted = await client.publish.draft({ sessionId, of })
      if (!drafted.ok) return drafted
      if (newest.current !== written) return { ok: false, trouble: TYPED_MEANWHILE }
      put(drafted.text)
      return drafted
    })
    setTrouble(failed)
    setDrafting(false)
  }
  return { isDrafting, trouble, draft }
}

const TYPED_MEANWHILE: Trouble = {
  code: 'typed_meanwhile',
  what: 'The model’s text was discarded, because you typed in the meantime.',
  kept: 'What you typed is unchanged.',
  todo: 'Draft again to replace it.',
}
