import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ProviderFacts } from '../../../../shared/api/settings.ts'
import type { Trouble } from '../../../../shared/session/events.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { ForeignText } from '../../../ui/text/exact-text.tsx'
import styles from '../settings.module.css'

/** The base URL of a provider, if it is not the default one, and a button to change it. */
export function BaseUrl({ facts: { provider, label, baseUrl } }: { readonly facts: ProviderFacts }): ReactNode {
  const [editing, setEditing] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const hasLeft = useRef(false)
  const words = baseUrl === null ? 'Set base URL' : 'Change base URL'
  useEffect(() => {
    if (!editing && hasLeft.current) change.current?.focus()
  }, [editing])
  const leave = (): void => {
    hasLeft.current = true
    setEditing(false)
  }
  if (editing) return <UrlField provider={provider} label={label} url={baseUrl ?? ''} onLeave={leave} />
  return (
    <span className={styles.url} data-address-of={provider}>
      {baseUrl !== null && (
        <span>
          <ForeignText text={baseUrl} />
        </span>
      )}
      <Button ref={change} small variant="quiet" label={`${words} of ${label}`} onPress={() => setEditing(true)}>
        {words}
      </Button>
    </span>
  )
}

interface UrlFieldProps {
  readonly provider: ProviderFacts['provider']
  readonly label: string
  readonly url: string
  readonly onLeave: () => void
}

/** A field for the address. Main validates the address and saves it in the form that the provider expects. */
function UrlField({ provider, label, url, onLeave }: UrlFieldProps): ReactNode {
  const desk = useDesk()
  const [typed, setTyped] = useState(url)
  const [keeping, setKeeping] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => field.current?.select(), [])
  const keep = async (): Promise<void> => {
    if (keeping) return
    setKeeping(true)
    const wanted = typed.trim() === '' ? null : typed.trim()
    const failed = await attemptRequest(desk, 'The address was not saved', (client) =>
      client.settings.change({ baseUrl: { provider, url: wanted } }),
    )
    setKeeping(false)
    setTrouble(failed)
    if (!failed) onLeave()
  }
  return (
    <div className={styles.keyField}>
      <Field
        ref={field}
        label={`Base URL of ${label}`}
        mono
        type="url"
        value={typed}
        whileEmpty="https://… (empty: the default)"
        onChange={(text) => {
          setTyped(text)
          setTrouble(null)
        }}
        error={trouble && `${trouble.what} ${trouble.todo}`}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void keep()
          else if (event.key === 'Escape') onLeave()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <Button small busy={keeping} busyWord="Saving" onPress={() => void keep()}>
        Save this address
      </Button>
      <Button small variant="quiet" onPress={onLeave}>
        Cancel
      </Button>
    </div>
  )
}
