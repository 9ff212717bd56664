import { type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { Settings } from '../../../../shared/api/setting-fields.ts'
import { BINDINGS, type Binding, captured, conflictsOf, personKeys, withKeys } from '../../../state/commands/key-bindings.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { keyLabels, PlatformContext } from '../../../ui/marks/key-labels.ts'
import { SettingSection } from '../setting-section.tsx'
import { SECTIONS } from '../../../ui/settings-sections.ts'
import type { Changing } from '../use-setting-change.ts'
import styles from './keys.module.css'

interface ShortcutsSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

/** All keys that can be changed, each with its conflicts. */
export function ShortcutsSection({ settings: { keys: chosen }, change }: ShortcutsSectionProps): ReactNode {
  const count = Object.keys(chosen).filter((id) => BINDINGS.some((binding) => binding.id === id)).length
  return (
    <SettingSection
      section={SECTIONS.keys}
      lede="A changed key works at once, in every window. Single letters in lists and in a review cannot be changed, and neither can the keys for editing text."
    >
      <ul className={styles.rows}>
        {BINDINGS.map((binding) => (
          <KeyRow
            key={binding.id}
            binding={binding}
            chosen={chosen}
            onChoose={(keys) => change({ keys: withKeys(chosen, binding, keys) })}
          />
        ))}
      </ul>
      {count > 0 && (
        <p className={styles.all}>
          <Button variant="quiet" onPress={() => change({ keys: {} })}>
            Reset all keys
          </Button>
        </p>
      )}
    </SettingSection>
  )
}

interface KeyRowProps {
  readonly binding: Binding
  readonly chosen: Settings['keys']
  /** Called with the chosen keys. An empty text means no keys. Null means the default keys. */
  readonly onChoose: (keys: string | null) => void
}

function KeyRow({ binding, chosen, onChoose }: KeyRowProps): ReactNode {
  const platform = useContext(PlatformContext)
  const [isAsking, setAsking] = useState(false)
  const [unusable, setUnusable] = useState<string | null>(null)
  const changes = useRef<HTMLButtonElement>(null)
  const shown = (keys: string): string => (keys === '' ? 'None' : keyLabels(keys, platform).join(' '))
  const own = personKeys(chosen, binding.keys)
  const conflicts = conflictsOf(binding, chosen)
  const end = (): void => {
    setAsking(false)
    setUnusable(null)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.repeat) return
    const press = captured(event, platform === 'mac')
    if (press.kind === 'more') return
    if (press.kind === 'unusable') return setUnusable(press.keys)
    if (press.kind === 'keys') onChoose(press.keys)
    end()
    changes.current?.focus()
  }
  return (
    <li className={styles.row} data-binding={binding.id}>
      <span className={styles.words}>
        {binding.words}
        {conflicts.length > 0 && (
          <span className={styles.conflict} role="status">
            {shown(own)} is also “{conflicts.map(({ words }) => words).join('”, “')}”. Only one of them works.
          </span>
        )}
        {unusable !== null && (
          <span className={styles.conflict} role="status">
            {shown(unusable)} is needed for typing. Use {platform === 'mac' ? 'Cmd' : 'Ctrl'} with another key, or a function key.
          </span>
        )}
      </span>
      {isAsking ? (
        <KeyField words={binding.words} onKeyDown={onKeyDown} onEnd={end} />
      ) : (
        <kbd className={styles.keys} aria-label={`Key: ${shown(own)}`}>
          {shown(own)}
        </kbd>
      )}
      <span className={styles.actions}>
        <Button ref={changes} variant="quiet" small label={`Change the key for ${binding.words}`} onPress={() => setAsking(true)}>
          Change
        </Button>
        {own !== '' && (
          <Button variant="quiet" small label={`No key for ${binding.words}`} onPress={() => onChoose('')}>
            No key
          </Button>
        )}
        {own !== binding.keys && (
          <Button
            variant="quiet"
            small
            label={`Reset the key for ${binding.words}`}
            tip={`Default: ${shown(binding.keys)}`}
            onPress={() => onChoose(null)}
          >
            Reset
          </Button>
        )}
      </span>
    </li>
  )
}

interface KeyFieldProps {
  readonly words: string
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onEnd: () => void
}

/** A field that waits for a key press. */
function KeyField({ words, onKeyDown, onEnd }: KeyFieldProps): ReactNode {
  const field = useRef<HTMLButtonElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <button ref={field} type="button" className={styles.field} aria-label={`New key for ${words}`} onKeyDown={onKeyDown} onBlur={onEnd}>
      Press the keys, or Esc
    </button>
  )
}
