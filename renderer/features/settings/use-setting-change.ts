import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import type { AppClient } from '../../../shared/api/contract.ts'
import type { SettingsState } from '../../../shared/api/settings.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attemptRequest } from '../../state/commands/attempt-request.ts'
import { useDesk } from '../../state/desk-context.ts'

type Change = Parameters<AppClient['settings']['change']>[0]
type Settings = SettingsState['settings']

export interface Changing {
  readonly change: (change: Change) => void
  /** Why the last change was not saved. Null if it was saved. */
  readonly trouble: Trouble | null
  /** Time of the last saved change in ms since 1970. Null before the first change. */
  readonly savedAt: number | null
}

/** A change that main has not reported back yet. */
interface Sent {
  readonly id: number
  readonly change: Change
  /** What main had last reported when the change was sent. */
  readonly before: Settings | undefined
  readonly isSaved: boolean
}

/**
 * The settings, and a function that asks main to save a change. A change shows at once, so that the next one is made to what the user sees.
 * If it cannot be saved, it is taken back.
 */
export function useSettingChange(): Changing & { readonly state: SettingsState | null } {
  const desk = useDesk()
  const state = useStore(desk.settings, ({ settings }) => settings)
  const [sent, setSent] = useState<readonly Sent[]>([])
  const [outcome, setOutcome] = useState<Omit<Changing, 'change'>>({ trouble: null, savedAt: null })
  const change = useCallback(
    (wanted: Change): void => {
      const before = desk.settings.getState().settings?.settings
      const id = newId()
      setSent((all) => [...all.filter((one) => isOpen(one, before)), { id, change: wanted, before, isSaved: false }])
      void attemptRequest(desk, 'The setting was not saved', (client) => client.settings.change(wanted)).then((trouble) => {
        setOutcome((last) => ({ trouble, savedAt: trouble ? last.savedAt : Date.now() }))
        setSent((all) => all.flatMap((one) => (one.id !== id ? [one] : trouble ? [] : [{ ...one, isSaved: true }])))
      })
    },
    [desk],
  )
  const settings = state?.settings
  const open = sent.filter((one) => isOpen(one, settings))
  return { ...outcome, change, state: state && { ...state, settings: open.reduce(withChange, state.settings) } }
}

let lastId = 0
const newId = (): number => ++lastId

/** Main reports a saved change, together with all others, as new settings. */
const isOpen = ({ isSaved, before }: Sent, now: Settings | undefined): boolean => !isSaved || before === now

/** `baseUrl` is no setting: main stores it in one. */
function withChange(settings: Settings, { change }: Sent): Settings {
  const given = Object.entries(change).filter(([name, value]) => name !== 'baseUrl' && value !== undefined)
  return { ...settings, ...(Object.fromEntries(given) as Partial<Settings>) }
}
