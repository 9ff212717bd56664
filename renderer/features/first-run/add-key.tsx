import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { SettingsState } from '../../../shared/api/settings.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { attempt } from '../../state/attempt.ts'
import { useDesk } from '../../state/desk-context.ts'
import type { Desk } from '../../state/desk.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import { duration } from '../../ui/format.ts'
import styles from './first-run.module.css'
import { providerOfKey } from './key-kind.ts'
import { Way } from './way.tsx'

/** A key is pasted, tested and kept in one go. It lives in this field alone and leaves it with the answer of main (D-56). */
export function AddKey({ number }: { readonly number: number }): ReactNode {
  const desk = useDesk()
  const settings = useStore(desk.settings, (state) => state.settings)
  const [key, setKey] = useState('')
  const [isTesting, setTesting] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const owner = settings?.providers.find((one) => one.provider === providerOfKey(key.trim()))
  const wrong = whyNot(key.trim(), owner)
  const keep = async (): Promise<void> => {
    if (wrong !== null || !owner || isTesting) return
    setTesting(true)
    const result = await testAndKeep(desk, owner.provider, key.trim())
    setTesting(false)
    setOutcome(result)
    if (result.kind === 'kept') setKey('')
  }
  const known = settings?.providers.filter((one) => one.key === 'set') ?? []
  return (
    <Way
      number={number}
      title={known.length === 0 ? 'Add a key' : 'Add another key'}
      words={`Of Anthropic today; OpenAI, Gemini and servers that speak their language follow. ${keptWords(settings)}`}
      action={
        <Button busy={isTesting} busyWord="Testing" disabledReason={wrong ?? null} onPress={() => void keep()}>
          Test and keep
        </Button>
      }
    >
      <Field
        className={styles.key}
        label="Key"
        type="secret"
        mono
        placeholder="Paste it; the provider is recognised"
        value={key}
        onChange={(typed) => {
          setKey(typed)
          setOutcome(null)
        }}
        error={key !== '' && wrong !== null ? wrong : outcome?.kind === 'failed' ? `${outcome.trouble.what} ${outcome.trouble.todo}` : null}
        hint={
          outcome?.kind === 'kept'
            ? `${outcome.label} answered in ${duration(outcome.ms)}. The key is kept: open a folder to begin.`
            : undefined
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          void keep()
        }}
      />
      {known.map((one) => (
        <p key={one.provider} className="note">
          {one.label} has a key{one.ending === null ? '' : `, …${one.ending}`}
          {one.keptIn === 'environment' ? ', from the environment of this process' : ''}.
        </p>
      ))}
    </Way>
  )
}

type Outcome =
  | { readonly kind: 'kept'; readonly label: string; readonly ms: number }
  | { readonly kind: 'failed'; readonly trouble: Trouble }

type Provider = SettingsState['providers'][number]

function whyNot(key: string, owner: Provider | undefined): string | null {
  if (key === '') return 'Paste a key first.'
  if (!owner) return 'Nobody’s key begins like this. Anthropic’s begin with sk-ant-.'
  return owner.available ? null : `${owner.label} is not in this version yet.`
}

function keptWords(settings: SettingsState | null): string {
  return settings?.keysKeptIn === 'keychain'
    ? 'Kept in your keychain, never in the log.'
    : 'Kept in memory until the app ends, never on disk or in the log.'
}

/** What the service refuses is not kept; what could not be reached may still be right. */
async function testAndKeep(desk: Desk, provider: Provider['provider'], key: string): Promise<Outcome> {
  let outcome: Outcome | null = null
  const failed = await attempt(desk, 'The key was not kept', async (client) => {
    const kept = await client.settings.setKey({ provider, key })
    if (!kept.ok) return kept
    const test = await client.settings.testKey({ provider })
    if (test.kind === 'works') {
      const label = desk.settings.getState().settings?.providers.find((one) => one.provider === provider)?.label ?? provider
      outcome = { kind: 'kept', label, ms: test.ms }
      return kept
    }
    if (test.trouble.code === 'authentication') await client.settings.setKey({ provider, key: null })
    return { ok: false, trouble: test.trouble }
  })
  return outcome ?? { kind: 'failed', trouble: failed ?? NO_ANSWER }
}

const NO_ANSWER: Trouble = { code: 'no_answer', what: 'The key could not be tested.', kept: 'Nothing was changed.', todo: 'Try again.' }
