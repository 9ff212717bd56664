import type { ReactNode } from 'react'
import { Select } from '../../ui/controls/select/select.tsx'
import type { SelectOption } from '../../ui/controls/select/select-option.tsx'
import { SettingLine } from './setting-section.tsx'

export interface SelectSettingProps<Id extends string> {
  readonly title: string
  /** What the setting does, in a sentence. */
  readonly words: string
  /** The accessible name of the select, if it is not the title. */
  readonly label?: string
  readonly options: readonly SelectOption<Id>[]
  readonly selected: Id | null
  /** Text while nothing is selected. */
  readonly whileEmpty?: string
  readonly onSelect: (id: Id) => void
}

/** A setting that is one of several choices. */
export function SelectSetting<Id extends string>({ title, words, label = title, ...select }: SelectSettingProps<Id>): ReactNode {
  return (
    <SettingLine title={title} words={words}>
      <Select variant="field" align="end" label={label} {...select} />
    </SettingLine>
  )
}
