import { type ReactNode, useEffect, useState } from 'react'
import type { KeyTest, ProviderFacts } from '../../../../shared/api/settings.ts'
import { attemptRequest } from '../../../state/commands/attempt-request.ts'
import { useDesk, useView } from '../../../state/desk-context.ts'
import { keepKey } from '../../../state/commands/save-api-key.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { clockTime, duration } from '../../../ui/format.ts'
import { BaseUrl } from './base-url.tsx'
import { KeyField, todoHere } from './key-field.tsx'
import styles from '../settings.module.css'

export interface ProviderRowProps {
  readonly facts: ProviderFacts
}

/** The key test in this window. `at` is in ms since 1970. */
type Testing =
  | { readonly kind: 'untested' }
  | { readonly kind: 'testing' }
  | { readonly kind: 'tested'; readonly test: KeyTest; readonly at: number }

/** One provider: the last four characters of its key, the last test, and buttons. The key itself is never shown again. */
export function ProviderRow({ facts }: ProviderRowProps): ReactNode {
  const desk = useDesk()
  const { provider, label, available } = facts
  const isAsked = useView((view) => view.keyOf === provider)
  const [editing, setEditing] = useState(isAsked && available)
  // The request to open this field is cleared, so that the settings open normally next time.
  useEffect(() => {
    if (isAsked) desk.view.setState({ keyOf: null })
  }, [desk, isAsked])
  const [testing, setTesting] = useState<Testing>({ kind: 'untested' })
  const test = async (): Promise<void> => {
    setTesting({ kind: 'testing' })
    const failed = await attemptRequest(desk, 'The key was not tested', async (client) => {
      const answer = await client.settings.testKey({ provider })
      setTesting({ kind: 'tested', test: answer, at: Date.now() })
      return { ok: true }
    })
    if (failed) setTesting({ kind: 'tested', test: { kind: 'failed', trouble: failed }, at: Date.now() })
  }
  const remove = async (): Promise<void> => {
    const trouble = await keepKey(desk, provider, null)
    setTesting(trouble ? { kind: 'tested', test: { kind: 'failed', trouble }, at: Date.now() } : { kind: 'untested' })
  }
  const onKept = (ms: number | null): void => {
    setTesting(ms === null ? { kind: 'untested' } : { kind: 'tested', test: { kind: 'works', ms }, at: Date.now() })
    setEditing(false)
  }
  return (
    <tr className={styles.row}>
      <th scope="row" className={available ? 'strong' : 'soft'}>
        {label}
        {available && provider !== 'rehearsal' && <BaseUrl facts={facts} />}
      </th>
      {editing ? (
        <td colSpan={2}>
          <KeyField facts={facts} onKept={onKept} onLeave={() => setEditing(false)} />
        </td>
      ) : (
        <>
          <td className={styles.cell}>
            <KeyFacts facts={facts} />
          </td>
          <td className={styles.cell}>
            <TestFacts facts={facts} testing={testing} />
          </td>
        </>
      )}
      <td className={styles.actions}>
        {!editing && (
          <Actions
            facts={facts}
            testing={testing}
            onTest={() => void test()}
            onEdit={() => setEditing(true)}
            onRemove={() => void remove()}
          />
        )}
      </td>
    </tr>
  )
}

function KeyFacts({ facts: { key, ending, keptIn } }: { readonly facts: ProviderFacts }): ReactNode {
  if (key === 'not_needed') return <span className="dim">needs none</span>
  if (key === 'not_set') return <span className="dim">not set</span>
  if (key === 'pending') return <span className="dim">waiting for the keychain</span>
  if (key === 'optional') return <span className="dim">not set; many servers need none</span>
  return (
    <>
      <span className="mono">{ending === null ? 'set' : `…${ending}`}</span> <span className="dim">{keptIn}</span>
    </>
  )
}

function TestFacts({ facts, testing }: { readonly facts: ProviderFacts; readonly testing: Testing }): ReactNode {
  if (!facts.available) return <span className="dim">Not in this version yet</span>
  if (testing.kind !== 'tested') return null
  const { test, at } = testing
  if (test.kind === 'works')
    return (
      <>
        <span className="ok">Works</span> <span className="dim num">{`${duration(test.ms)}, ${clockTime(at)}`}</span>
      </>
    )
  return (
    <>
      <span className="fail">{test.trouble.what}</span>{' '}
      <span className="soft">{`${test.trouble.kept} ${todoHere(test.trouble, REPLACE)}`}</span>
    </>
  )
}

const REPLACE = 'Replace'

interface ActionsProps {
  readonly facts: ProviderFacts
  readonly testing: Testing
  readonly onTest: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Actions({ facts: { available, key, keptIn, label, baseUrl }, testing, onTest, onEdit, onRemove }: ActionsProps): ReactNode {
  if (!available || key === 'not_needed') return null
  const tryIt = (
    <Button
      small
      variant="quiet"
      label={key === 'set' ? `Test the key of ${label}` : `Test ${label}`}
      busy={testing.kind === 'testing'}
      busyWord="Testing"
      onPress={onTest}
    >
      Test
    </Button>
  )
  if (key !== 'set')
    return (
      <span className={styles.mixedActions}>
        {key === 'optional' && baseUrl !== null && tryIt}
        <Button small label={`Add a key for ${label}`} onPress={onEdit}>
          Add a key
        </Button>
      </span>
    )
  return (
    <span className={styles.quietActions}>
      {tryIt}
      <Button small variant="quiet" label={`Replace the key of ${label}`} onPress={onEdit}>
        {REPLACE}
      </Button>
      <Button
        small
        variant="quiet"
        label={`Remove the key of ${label}`}
        disabledReason={keptIn === 'environment' ? 'The key comes from the environment that Countersign was started in' : null}
        onPress={onRemove}
      >
        Remove
      </Button>
    </span>
  )
}
