import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ProviderFacts, TriedKey } from '../../../../shared/api/settings.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { keepKey, tryKey } from '../../../state/commands/save-api-key.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import styles from '../settings.module.css'
import type { Trouble } from '../../../../shared/session/events.ts'

export interface KeyFieldProps {
  readonly facts: ProviderFacts
  /** `ms` is the response time of the test. Null if the key was saved without a test. */
  readonly onKept: (ms: number | null) => void
  readonly onLeave: () => void
}

const TEST_AND_KEEP = 'Test and save'

type NotKept = Extract<TriedKey, { kind: 'not_kept' }>

/**
 * The field for a key. The key exists only in this field, which hides it and is cleared when main has answered. A key that the service
 * rejected, or that could not be tested, is saved only if the user confirms it.
 */
export function KeyField({ facts: { provider, label }, onKept, onLeave }: KeyFieldProps): ReactNode {
  const desk = useDesk()
  const [key, setKey] = useState('')
  const [doing, setDoing] = useState<'nothing' | 'testing' | 'keeping'>('nothing')
  const [refused, setRefused] = useState<NotKept | null>(null)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const typed = key.trim()
  const test = async (): Promise<void> => {
    if (typed === '' || doing !== 'nothing') return
    setDoing('testing')
    const tried = await tryKey(desk, provider, typed)
    setDoing('nothing')
    if (tried.kind === 'kept') onKept(tried.ms)
    else setRefused(tried)
  }
  const keep = async (): Promise<void> => {
    setDoing('keeping')
    const trouble = await keepKey(desk, provider, typed)
    setDoing('nothing')
    if (trouble) setRefused({ kind: 'not_kept', why: 'unstored', trouble })
    else onKept(null)
  }
  return (
    <div className={styles.keyField}>
      <Field
        ref={field}
        label={`${label} key`}
        type="secret"
        mono
        value={key}
        onChange={(text) => {
          setKey(text)
          setRefused(null)
        }}
        error={refused && `${refused.trouble.what} It was not saved. ${todoHere(refused.trouble, TEST_AND_KEEP)}`}
        whileEmpty="Paste the key"
        onKeyDown={(event) => {
          if (event.key === 'Enter') void test()
          else if (event.key === 'Escape') onLeave()
          else return
          event.preventDefault()
        }}
      />
      <Button
        small
        busy={doing === 'testing'}
        busyWord="Testing"
        disabledReason={typed === '' ? 'No key yet' : null}
        onPress={() => void test()}
      >
        {TEST_AND_KEEP}
      </Button>
      {refused && refused.why !== 'unstored' && (
        <Button small busy={doing === 'keeping'} busyWord="Saving" onPress={() => void keep()}>
          {refused.why === 'refused' ? 'Save it anyway' : 'Save without testing'}
        </Button>
      )}
      <Button small variant="quiet" onPress={onLeave}>
        Cancel
      </Button>
    </div>
  )
}

/**
 * What to do about a key that does not work, in words that fit the page where keys are set. `button` is the button to press on that page.
 */
export function todoHere({ code, todo }: Trouble, button: string): string {
  return code === 'authentication' || code === 'no_key' ? `Enter another one with “${button}”.` : todo
}
