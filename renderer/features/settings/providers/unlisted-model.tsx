import { type ReactNode, useState } from 'react'
import type { SettingsState } from '../../../../shared/api/settings.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Field } from '../../../ui/controls/field.tsx'
import { Select } from '../../../ui/controls/select/select.tsx'
import { SettingLine } from '../setting-section.tsx'
import styles from '../settings.module.css'
import type { Changing } from '../use-setting-change.ts'

export interface UnlistedModelProps {
  readonly state: SettingsState
  readonly change: Changing['change']
}

/** A model that is not in the list, such as a newer model or a model of another server. Its name is sent unchanged. */
export function UnlistedModel({ state: { settings, providers }, change }: UnlistedModelProps): ReactNode {
  const [provider, setProvider] = useState(settings.provider === 'rehearsal' ? 'openai-compatible' : settings.provider)
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const wrong = nameFlaw(name)
  const options = providers.flatMap((facts) =>
    facts.available && facts.provider !== 'rehearsal' ? [{ id: facts.provider, label: facts.label }] : [],
  )
  const keep = (): void => {
    if (name === '' || wrong !== null) return
    change({ provider, model: name })
    setTyped('')
  }
  return (
    <SettingLine title="Model by name" words="A model that is not in the list, by the exact name that its provider uses.">
      <div className={styles.named}>
        <Select variant="field" label="Provider of the named model" selected={provider} options={options} onSelect={setProvider} />
        <Field
          label="Name of the model"
          mono
          whileEmpty="vendor/model"
          value={typed}
          onChange={setTyped}
          error={wrong}
          onKeyDown={(event) => {
            if (event.key === 'Enter') keep()
          }}
        />
        <Button disabledReason={name === '' ? 'Write its name first.' : wrong} onPress={keep}>
          Use it
        </Button>
      </div>
    </SettingLine>
  )
}

function nameFlaw(name: string): string | null {
  if (/\s/.test(name)) return 'A model’s name has no spaces.'
  return name.length > 200 ? 'At most 200 characters.' : null
}
