import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../class-names.ts'
import { Icon } from '../../marks/icon.tsx'
import { Reason } from '../../notices/screen-reader.tsx'
import { Popup } from '../popup.tsx'
import { OptionRow, type SelectOption } from './select-option.tsx'
import styles from './select.module.css'
import { useSelect } from './use-select.ts'

export interface SelectProps<Id extends string> {
  /** The subject of the choice: "Model". */
  readonly label: string
  /** Text before the value: "Mode". */
  readonly prefix?: string | undefined
  readonly options: readonly SelectOption<Id>[]
  readonly selected: Id | null
  /** Text while nothing is selected: "Choose a model". */
  readonly whileEmpty?: string | undefined
  readonly onSelect: (id: Id) => void
  /** Called directly before the select opens, so that options that take time to find can be loaded. They are added at the end. */
  readonly onOpening?: (() => void) | undefined
  /** `field` has a border and is for forms. `quiet` is for headings and toolbars. */
  readonly variant?: 'field' | 'quiet' | undefined
  readonly align?: 'start' | 'end' | undefined
  /** Why the select cannot be changed now. */
  readonly disabledReason?: string | null | undefined
  readonly className?: string | undefined
}

/** A select. The focus stays on the button. Arrow keys, Home, End and letters move the active option, and Enter chooses it. */
export function Select<Id extends string>(props: SelectProps<Id>): ReactNode {
  const { options, variant = 'quiet', disabledReason = null } = props
  const { list, ...select } = useSelect(options, props.selected, props.onSelect)
  const { id, open, active, chosen } = select
  const disabled = disabledReason !== null

  return (
    <span className={classNames(styles.anchor, props.className)}>
      <button
        type="button"
        role="combobox"
        className={classNames(styles.select, styles[variant])}
        aria-label={props.label}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-haspopup="listbox"
        aria-activedescendant={open && active >= 0 ? `${id}-${active}` : undefined}
        aria-disabled={disabled || undefined}
        aria-describedby={disabled ? `${id}-reason` : undefined}
        data-tip={disabledReason ?? undefined}
        popoverTarget={disabled ? undefined : `${id}-list`}
        onKeyDown={disabled ? undefined : select.onKeyDown}
      >
        <span className={styles.value}>
          {props.prefix !== undefined && `${props.prefix}: `}
          {options[chosen]?.label ?? props.whileEmpty ?? ''}
        </span>
        <Icon glyph={ChevronDown} size={12} />
      </button>
      {disabled && <Reason id={`${id}-reason`}>{disabledReason}</Reason>}
      <Popup
        ref={list}
        id={`${id}-list`}
        role="listbox"
        label={props.label}
        align={props.align}
        onOpening={() => {
          select.onOpening()
          props.onOpening?.()
        }}
        onOpenChange={select.onOpenChange}
      >
        {() =>
          options.map((option, at) => (
            <OptionRow
              key={option.id}
              id={`${id}-${at}`}
              option={option}
              heads={option.group !== undefined && option.group !== options[at - 1]?.group}
              active={at === active}
              selected={at === chosen}
              onEnter={() => select.activate(at)}
              onTake={() => select.take(at)}
            />
          ))
        }
      </Popup>
    </span>
  )
}
