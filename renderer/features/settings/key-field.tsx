import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SettingsState } from '../../../shared/api/settings.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import styles from './settings.module.css'

export interface KeyFieldProps {
  readonly label: string
  readonly keptIn: SettingsState['keysKeptIn']
  readonly onKeep: (key: string) => Promise<Trouble | null>
  readonly onLeave: () => void
}

/** Where a key is typed or pasted. It lives in this field alone, hidden, and leaves it with the answer of main (D-56). */
export function KeyField({ label, keptIn, onKeep, onLeave }: KeyFieldProps): ReactNode {
  const [key, setKey] = useState('')
  const [keeping, setKeeping] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const keep = async (): Promise<void> => {
    const typed = key.trim()
    if (typed === '' || keeping) return
    setKeeping(true)
    const failed = await onKeep(typed)
    if (!failed) return
    setKeeping(false)
    setTrouble(failed)
  }
  return (
    <div className={styles.keyField}>
      <Field
        ref={field}
        label={label}
        type="secret"
        mono
        value={key}
        onChange={(typed) => {
          setKey(typed)
          setTrouble(null)
        }}
        error={trouble === null ? null : `${trouble.what} ${trouble.todo}`}
        placeholder="Paste the key"
        onKeyDown={(event) => {
          if (event.key === 'Enter') void keep()
          else if (event.key === 'Escape') onLeave()
          else return
          event.preventDefault()
        }}
      />
      <Button small busy={keeping} busyWord="Keeping" disabledReason={key.trim() === '' ? 'No key yet' : null} onPress={() => void keep()}>
        {keptIn === 'keychain' ? 'Keep in the keychain' : 'Keep in memory'}
      </Button>
      <Button small variant="quiet" onPress={onLeave}>
        Leave as it is
      </Button>
    </div>
  )
}
