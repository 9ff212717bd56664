import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { naturalOrder } from '../../../shared/lib/natural-order.ts'
import { useDesk } from '../../state/desk-context.ts'
import { nameOf } from '../../state/stores/session-list.ts'
import { Field } from '../../ui/controls/field.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { MiddlePath } from '../../ui/text/middle-path.tsx'
import { SettingLine } from './setting-section.tsx'
import styles from './settings.module.css'
import type { Changing } from './use-setting-change.ts'

export interface VariablesSettingProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

/** Environment variables that look like secrets but are still passed to commands, for each project. */
export function VariablesSetting({ settings: { allowVariables }, change }: VariablesSettingProps): ReactNode {
  const [adding, setAdding] = useState<string | null>(null)
  const known = useStore(
    useDesk().list,
    useShallow(({ sessions }) => [...new Set([...sessions.values()].map(({ folder }) => folder))].toSorted(naturalOrder)),
  )
  const listed = Object.keys(allowVariables).toSorted(naturalOrder)
  const rows = adding === null || listed.includes(adding) ? listed : [...listed, adding]
  const others = known.filter((folder) => !rows.includes(folder))
  const keep = (folder: string, names: readonly string[]): void => {
    const { [folder]: _, ...rest } = allowVariables
    if (names.length > 0) return change({ allowVariables: { ...rest, [folder]: names } })
    setAdding(null)
    if (listed.includes(folder)) change({ allowVariables: rest })
  }
  return (
    <>
      <SettingLine
        title="Variables for commands"
        words="Variables that look like secrets, such as NPM_TOKEN, are not passed to commands unless you name them here for a project."
      >
        {others.length > 0 && (
          <Select
            variant="field"
            label="Project whose commands get variables"
            whileEmpty="Add for a project"
            options={others.map((folder) => ({ id: folder, label: nameOf(folder), hint: folder }))}
            selected={null}
            onSelect={setAdding}
            align="end"
          />
        )}
        {known.length === 0 && rows.length === 0 && <span className="soft">Open a folder first</span>}
      </SettingLine>
      {rows.map((folder) => (
        <NamesRow key={folder} folder={folder} names={allowVariables[folder] ?? []} isNew={!listed.includes(folder)} onKeep={keep} />
      ))}
    </>
  )
}

interface NamesRowProps {
  readonly folder: string
  readonly names: readonly string[]
  readonly isNew: boolean
  readonly onKeep: (folder: string, names: readonly string[]) => void
}

/** The variables of one project. Saved when the field loses the focus or on Enter. An empty field removes the project. */
function NamesRow({ folder, names, isNew, onKeep }: NamesRowProps): ReactNode {
  const kept = names.join(', ')
  const [{ typed, of }, setField] = useState({ typed: kept, of: kept })
  if (of !== kept) setField({ typed: kept, of: kept })
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const wasAdded = useRef(isNew)
  // The field gets the focus, because the user has just added this row and wants to type.
  useEffect(() => {
    if (wasAdded.current) field.current?.focus()
  }, [])
  const read = readNames(typed)
  const keep = (): void => {
    if (read.kind === 'names' && (isNew || read.names.join(', ') !== kept)) onKeep(folder, read.names)
  }
  return (
    <div className={styles.line}>
      <div className={styles.lineWords}>
        <MiddlePath path={folder} />
      </div>
      <div className={styles.names} onBlur={keep}>
        <Field
          ref={field}
          label={`Variables for commands in ${folder}`}
          mono
          whileEmpty="NPM_TOKEN, AWS_*"
          value={typed}
          onChange={(text) => setField({ typed: text, of })}
          error={read.kind === 'wrong' ? read.why : null}
          onKeyDown={(event) => {
            if (event.key === 'Enter') keep()
          }}
        />
      </div>
    </div>
  )
}

type ReadNames = { readonly kind: 'names'; readonly names: readonly string[] } | { readonly kind: 'wrong'; readonly why: string }

/** Parses variable names separated by commas or spaces, and removes duplicates. `*` stands for any characters. */
export function readNames(typed: string): ReadNames {
  const names = [...new Set(typed.split(/[\s,]+/).filter((name) => name !== ''))]
  const wrong = names.find((name) => !/^[A-Za-z_*][\w*]*$/.test(name) || name.length > 200)
  if (wrong !== undefined)
    return {
      kind: 'wrong',
      why: `${wrong.slice(0, 40)} is not the name of a variable. Use a name such as NPM_TOKEN, or AWS_* for all names that begin with AWS_.`,
    }
  const all = names.find((name) => /^\*+$/.test(name))
  if (all !== undefined) return { kind: 'wrong', why: `${all} would pass on every secret. List only the variables that are needed.` }
  return names.length > 100 ? { kind: 'wrong', why: 'At most 100 names for one project.' } : { kind: 'names', names }
}
