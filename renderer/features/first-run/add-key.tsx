import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { SettingsState, TriedKey } from '../../../shared/api/settings.ts'
import { useDesk } from '../../state/desk-context.ts'
import { keepKey, tryKey } from '../../state/commands/save-api-key.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/controls/field.tsx'
import { duration } from '../../ui/format.ts'
import styles from './first-run.module.css'
import { StartOption } from './start-option.tsx'
import type { ProviderId } from '../../../shared/session/content.ts'

/** Accepts a pasted key, tests it and saves it. The key exists only in this field, which is cleared when main has answered. */
export function AddKey(): ReactNode {
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
    const tried = await tryKey(desk, owner.provider, key.trim())
    setTesting(false)
    setOutcome({ ...tried, label: owner.label })
    if (tried.kind === 'kept') setKey('')
  }
  const keepAllTheSame = async (): Promise<void> => {
    if (!owner) return
    const trouble = await keepKey(desk, owner.provider, key.trim())
    setOutcome(trouble && { kind: 'not_kept', why: 'unstored', trouble, label: owner.label })
    if (!trouble) setKey('')
  }
  const known = settings?.providers.filter((one) => one.key === 'set') ?? []
  return (
    <StartOption
      title={known.length === 0 ? 'Add a key' : 'Add another key'}
      words={`${ofWhom(settings)} ${keptWords(settings)}`}
      action={
        <Button busy={isTesting} busyWord="Testing" disabledReason={wrong ?? null} onPress={() => void keep()}>
          Test and save
        </Button>
      }
    >
      <Field
        className={styles.key}
        label="Key"
        type="secret"
        mono
        whileEmpty="Paste a key; its provider is detected"
        value={key}
        onChange={(typed) => {
          setKey(typed)
          setOutcome(null)
        }}
        error={
          key !== '' && wrong !== null
            ? wrong
            : outcome?.kind === 'not_kept'
              ? `${outcome.trouble.what} It was not saved. ${outcome.why === 'refused' ? 'Paste another one.' : outcome.trouble.todo}`
              : null
        }
        hint={
          outcome?.kind === 'kept'
            ? `${outcome.label} answered in ${duration(outcome.ms)}. The key is saved. Open a folder to start.`
            : undefined
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          void keep()
        }}
      />
      {outcome?.kind === 'not_kept' && outcome.why !== 'unstored' && (
        <Button small onPress={() => void keepAllTheSame()}>
          {outcome.why === 'refused' ? 'Save it anyway' : 'Save without testing'}
        </Button>
      )}
      {known.map((one) => (
        <p key={one.provider} className="note">
          {one.label} has a key{one.ending === null ? '' : `, …${one.ending}`}
          {one.keptIn === 'environment' ? ', from the environment of this process' : ''}.
        </p>
      ))}
    </StartOption>
  )
}

type Outcome = TriedKey & { readonly label: string }

type Provider = SettingsState['providers'][number]

function whyNot(key: string, owner: Provider | undefined): string | null {
  if (key === '') return 'Paste a key first.'
  if (!owner)
    return 'No provider is known for this key. Anthropic keys start with sk-ant-, OpenAI keys with sk-, and Gemini keys with AIza.'
  return owner.available ? null : `${owner.label} is not supported in this version yet.`
}

/** The supported providers: "For Anthropic, OpenAI or Gemini." */
function ofWhom(settings: SettingsState | null): string {
  const labels = settings?.providers.flatMap(({ label, available, key }) => (available && key !== 'not_needed' ? [label] : [])) ?? []
  const kinds = labels.map((label) => (label.endsWith('server') ? `an ${label}` : label))
  return labels.length === 0 ? '' : `For ${new Intl.ListFormat('en-US', { type: 'disjunction' }).format(kinds)}.`
}

function keptWords(settings: SettingsState | null): string {
  if (settings?.keysKeptIn === 'pending') return 'Waiting for the keychain of this computer. Unlock it if it asks.'
  return settings?.keysKeptIn === 'keychain'
    ? 'Stored in your keychain, never in the log.'
    : 'Stored in memory until the app closes, never on disk or in the log.'
}

/** The provider of a key, found by the prefix. Null if unknown. */
export function providerOfKey(key: string): ProviderId | null {
  if (key.startsWith('sk-ant-')) return 'anthropic'
  if (key.startsWith('AIza')) return 'gemini'
  return key.startsWith('sk-') ? 'openai' : null
}
