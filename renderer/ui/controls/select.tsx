/* oxlint-disable jsx-a11y/prefer-tag-over-role -- options of two lines, with reasons, in our own look: beyond what <select> draws */
import { Check as CheckGlyph, ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { rove, vertical } from '../hooks/roving.ts'
import { useTypeAhead } from '../hooks/use-type-ahead.ts'
import { Icon } from '../marks/icon.tsx'
import { Popup } from './popup.tsx'
import { Reason } from '../notices/reason.tsx'
import popup from './popup.module.css'
import styles from './select.module.css'

export interface SelectOption<Id extends string> {
  readonly id: Id
  readonly label: string
  /** A second line: what it means. */
  readonly hint?: string | undefined
  /** At the right: a price, a size. */
  readonly aside?: string | undefined
  /** Options of one group follow each other; its name stands above the first. */
  readonly group?: string | undefined
  /** Cannot be chosen now, and why. */
  readonly disabledReason?: string | null | undefined
}

export interface SelectProps<Id extends string> {
  /** What is chosen: "Model". */
  readonly label: string
  /** Put before the value in sight: "Mode". */
  readonly prefix?: string | undefined
  readonly options: readonly SelectOption<Id>[]
  readonly selected: Id | null
  /** Shown while nothing is selected: "Choose a model". */
  readonly placeholder?: string | undefined
  readonly onSelect: (id: Id) => void
  /** `field` has a border, for forms; `quiet` is for heads and toolbars. */
  readonly variant?: 'field' | 'quiet' | undefined
  readonly align?: 'start' | 'end' | undefined
  /** Cannot be changed now, and why. */
  readonly disabledReason?: string | null | undefined
  readonly className?: string | undefined
}

/** One of a list that unfolds. The focus stays on the button; arrows, Home, End and letters move the active option, Enter takes it. */
export function Select<Id extends string>(props: SelectProps<Id>): ReactNode {
  const { options, selected, variant = 'quiet', disabledReason = null } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const typeAhead = useTypeAhead(options.map((option) => option.label))
  const chosen = options.findIndex((option) => option.id === selected)
  const barred = disabledReason !== null

  const move = (to: number): void => {
    setActive(to)
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const take = (at: number): void => {
    const option = options[at]
    if (option === undefined || (option.disabledReason ?? null) !== null) return
    list.current?.hidePopover()
    if (option.id !== selected) props.onSelect(option.id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (barred) return
    const typed = typeAhead(event.nativeEvent, open ? active : chosen)
    if (!open) {
      if (typed !== null) take(typed)
      else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.currentTarget.click()
      else return
    } else if (event.key === 'Tab') {
      list.current?.hidePopover()
      return
    } else if (event.key === 'Enter' || (event.key === ' ' && typed === null)) take(active)
    else {
      const to = typed ?? rove(event.key, vertical, active, options.length)
      if (to === null) return
      move(to)
    }
    event.preventDefault()
  }

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
        aria-disabled={barred || undefined}
        aria-describedby={barred ? `${id}-reason` : undefined}
        data-tip={disabledReason ?? undefined}
        popoverTarget={barred ? undefined : `${id}-list`}
        onKeyDown={onKeyDown}
      >
        <span className={styles.value}>
          {props.prefix !== undefined && `${props.prefix}: `}
          {options[chosen]?.label ?? props.placeholder ?? ''}
        </span>
        <Icon glyph={ChevronDown} size={12} />
      </button>
      {barred && <Reason id={`${id}-reason`}>{disabledReason}</Reason>}
      <Popup
        ref={list}
        id={`${id}-list`}
        role="listbox"
        label={props.label}
        align={props.align}
        onOpenChange={(now) => {
          setOpen(now)
          if (now) move(Math.max(0, chosen))
        }}
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
              onEnter={() => setActive(at)}
              onTake={() => take(at)}
            />
          ))
        }
      </Popup>
    </span>
  )
}

interface OptionRowProps {
  readonly id: string
  readonly option: SelectOption<string>
  readonly heads: boolean
  readonly active: boolean
  readonly selected: boolean
  readonly onEnter: () => void
  readonly onTake: () => void
}

function OptionRow({ id, option, heads, active, selected, onEnter, onTake }: OptionRowProps): ReactNode {
  const barred = (option.disabledReason ?? null) !== null
  const hint = option.disabledReason ?? option.hint
  return (
    <>
      {heads && (
        <div className={popup.group} role="presentation">
          {option.group}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- options with two lines; focus and keys stay on the combobox, which names the active one */}
      <div
        id={id}
        role="option"
        className={classNames(popup.item, active && popup.active)}
        aria-selected={selected}
        aria-disabled={barred || undefined}
        onPointerMove={onEnter}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onTake}
      >
        <span className={popup.tick}>{selected && <Icon glyph={CheckGlyph} />}</span>
        <span className={popup.words}>
          {option.label}
          {hint !== undefined && <span className={popup.hint}>{hint}</span>}
        </span>
        {option.aside !== undefined && <span className="meta">{option.aside}</span>}
      </div>
    </>
  )
}
