import { type ReactNode, useState } from 'react'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Machine } from '../../../shared/places/places-api.ts'
import { parseAddress, placeKey } from '../../../shared/places/address.ts'
import { newPlaceText, parseNewPlace } from '../../../shared/places/new-place.ts'
import { useAnswer } from '../../state/use-answer.ts'
import { classNames } from '../../ui/class-names.ts'
import { Field } from '../../ui/controls/field.tsx'
import styles from './places.module.css'

const GROUPS = [
  { kind: 'ssh', name: 'SSH, from ~/.ssh/config' },
  { kind: 'container', name: 'Running containers' },
] as const

const DEV_CONTAINER = newPlaceText({ kind: 'devcontainer' })

interface MachineListProps {
  readonly chosen: string | null
  readonly onChoose: (place: string) => void
}

/** The machines of the user's ssh configuration, the running containers, and a field for another host. */
export function MachineList({ chosen, onChoose }: MachineListProps): ReactNode {
  const machines = useMachines()
  const [typed, setTyped] = useState('')
  const other = otherMachine(typed)
  return (
    <nav className={styles.machines} aria-label="Machines">
      {GROUPS.map(({ kind, name }) => {
        const own = machines?.filter((machine) => machine.kind === kind) ?? []
        return (
          <section key={kind} aria-label={name}>
            <h3 className={styles.group}>{name}</h3>
            {own.map((machine) => (
              <button
                key={machine.place}
                type="button"
                className={classNames(styles.machine, machine.place === chosen && styles.chosen)}
                aria-pressed={machine.place === chosen}
                onClick={() => onChoose(machine.place)}
              >
                <span className="clip">{machine.name}</span>
                {machine.note !== null && <span className="meta clip">{machine.note}</span>}
              </button>
            ))}
            {machines !== null && own.length === 0 && <p className={styles.nothing}>None found.</p>}
          </section>
        )
      })}
      <section aria-label="New, for the shown folder">
        <h3 className={styles.group}>New, for the shown folder</h3>
        <button
          type="button"
          className={classNames(styles.machine, chosen === DEV_CONTAINER && styles.chosen)}
          aria-pressed={chosen === DEV_CONTAINER}
          onClick={() => onChoose(DEV_CONTAINER)}
        >
          <span className="clip">Its dev container</span>
        </button>
      </section>
      <div className={styles.other}>
        <Field
          label="Another host, image: or k8s://"
          labelShown
          mono
          whileEmpty="ada@build-box"
          value={typed}
          onChange={setTyped}
          error={typed.trim() === '' || other.ok ? null : other.failure}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !other.ok) return
            event.preventDefault()
            onChoose(other.value)
          }}
        />
      </div>
    </nav>
  )
}

/** The address of the typed host. A failure is a sentence. */
function otherMachine(typed: string): Result<string, string> {
  const text = typed.trim()
  const made = parseNewPlace(text)
  if (made !== null) return made.ok ? ok(newPlaceText(made.value)) : made
  const { place } = parseAddress(text.includes(':') && !/:\d+$/u.test(text) ? text : `ssh://${text}`)
  return text === '' || place === null
    ? failed('Type an ssh host, container:NAME, image:NAME or k8s://CONTEXT/NAMESPACE?image=NAME (or ?pool=NAME).')
    : ok(placeKey(place))
}

const NO_MACHINES: { readonly machines: readonly Machine[] } = { machines: [] }

/** The machines to choose from. Null while they are being listed. */
function useMachines(): readonly Machine[] | null {
  return useAnswer(null, (client) => client.places.list({}).catch(() => NO_MACHINES)).value?.machines ?? null
}
