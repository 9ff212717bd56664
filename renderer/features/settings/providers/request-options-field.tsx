import { type ReactNode, useState } from 'react'
import type { SettingsState } from '../../../../shared/api/settings.ts'
import { type RequestOptions, RequestOptionsByProvider } from '../../../../shared/session/settings/request-options.ts'
import { Field } from '../../../ui/controls/field.tsx'
import { Select } from '../../../ui/controls/select/select.tsx'
import { SettingLine } from '../setting-section.tsx'
import styles from '../settings.module.css'
import type { Changing } from '../use-setting-change.ts'

type WithOptions = keyof RequestOptionsByProvider

export interface RequestOptionsFieldProps {
  readonly state: SettingsState
  readonly change: Changing['change']
}

/** Options that are added to every request to a provider, as JSON. Saved when the field loses the focus and its content is valid. */
export function RequestOptionsField({ state: { settings, providers }, change }: RequestOptionsFieldProps): ReactNode {
  const [provider, setProvider] = useState<WithOptions>(settings.provider === 'rehearsal' ? 'anthropic' : settings.provider)
  const options = providers.flatMap(({ provider: id, label }) => (id === 'rehearsal' ? [] : [{ id, label }]))
  const label = options.find(({ id }) => id === provider)?.label ?? provider
  const save = (saved: RequestOptions | null): void => {
    const { [provider]: _, ...others } = settings.providerOptions
    change({ providerOptions: saved === null ? others : { ...others, [provider]: saved } })
  }
  return (
    <SettingLine
      title="Request options"
      words={`Added to every request to the provider, as JSON. Names: ${OPTION_NAMES.join(', ')}. Leave empty to add nothing.`}
    >
      <div className={styles.options}>
        <Select variant="field" label="Provider of the request options" selected={provider} options={options} onSelect={setProvider} />
        <OptionsField key={provider} provider={provider} label={label} saved={settings.providerOptions[provider] ?? null} onSave={save} />
      </div>
    </SettingLine>
  )
}

interface OptionsFieldProps {
  readonly provider: WithOptions
  readonly label: string
  readonly saved: RequestOptions | null
  readonly onSave: (options: RequestOptions | null) => void
}

function OptionsField({ provider, label, saved, onSave }: OptionsFieldProps): ReactNode {
  const text = saved === null ? '' : JSON.stringify(saved, null, 2)
  const [{ typed, of }, setField] = useState({ typed: text, of: text })
  if (of !== text) setField({ typed: text, of: text })
  const read = readOptions(provider, typed)
  const save = (): void => {
    if (read.kind === 'options' && JSON.stringify(read.options, null, 2) !== text) onSave(read.options)
    if (read.kind === 'none' && saved !== null) onSave(null)
  }
  return (
    <div className={styles.optionsField} onBlur={save}>
      <Field
        label={`Request options of ${label}`}
        mono
        rows={4}
        whileEmpty={EXAMPLES[provider]}
        value={typed}
        onChange={(next) => setField({ typed: next, of })}
        error={read.kind === 'wrong' ? read.why : null}
      />
    </div>
  )
}

/** The names of the fields of `RequestOptions`. */
const OPTION_NAMES = [
  'headers',
  'body',
  'betaHeaders',
  'autoCache',
  'safetySettings',
  'grounding',
] as const satisfies readonly (keyof RequestOptions)[]

const EXAMPLES: Readonly<Record<WithOptions, string>> = {
  anthropic: '{ "autoCache": false }',
  openai: '{ "body": { "service_tier": "flex" } }',
  gemini: '{ "grounding": true }',
  'openai-compatible': '{ "headers": { "x-project": "invoicing" } }',
}

export type ReadOptions =
  | { readonly kind: 'options'; readonly options: RequestOptions }
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly why: string }

/** Parses and validates typed options. `why` says what is wrong and where. */
export function readOptions(provider: WithOptions, typed: string): ReadOptions {
  if (typed.trim() === '') return { kind: 'none' }
  let value: unknown
  try {
    value = JSON.parse(typed)
  } catch (error) {
    return wrong(`This is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong(`Write a JSON object, such as ${EXAMPLES[provider]}.`)
  const parsed = RequestOptionsByProvider.safeParse({ [provider]: value })
  if (parsed.success) return { kind: 'options', options: parsed.data[provider] ?? {} }
  const [issue] = parsed.error.issues
  const path = issue?.path.slice(1).join('.') ?? ''
  if (issue?.code === 'unrecognized_keys')
    return wrong(`${issue.keys.join(', ')}: there is no such option. Use ${OPTION_NAMES.join(', ')}.`)
  if (issue?.code === 'invalid_key') return wrong(`${path} cannot be set here: Countersign sets it itself.`)
  return wrong(`${path === '' ? '' : `${path}: `}${(issue?.message ?? 'not valid').replace(/^Invalid input: /u, '')}.`)
}

const wrong = (what: string): ReadOptions => ({ kind: 'wrong', why: `${what} Nothing was changed.` })
