import { useCallback, useState } from 'react'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'

type Change = Parameters<AppClient['settings']['change']>[0]

export interface Changing {
  readonly change: (change: Change) => void
  /** Why the last change was not saved. Null if it was saved. */
  readonly trouble: Trouble | null
  /** Time of the last saved change in ms since 1970. Null before the first change. */
  readonly savedAt: number | null
}

/** Asks main to save a setting. The page shows what main reports back. */
export function useSettingChange(): Changing {
  const desk = useDesk()
  const [outcome, setOutcome] = useState<Omit<Changing, 'change'>>({ trouble: null, savedAt: null })
  const change = useCallback(
    (wanted: Change): void => {
      void attemptRequest(desk, 'The setting was not saved', (client) => client.settings.change(wanted)).then((trouble) =>
        setOutcome((before) => ({ trouble, savedAt: trouble ? before.savedAt : Date.now() })),
      )
    },
    [desk],
  )
  return { ...outcome, change }
}
