import { Check as CheckGlyph } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../class-names.ts'
import { Icon } from '../../marks/icon.tsx'
import popup from '../popup.module.css'

export interface SelectOption<Id extends string> {
  readonly id: Id
  readonly label: string
  /** A second line that explains the option. */
  readonly hint?: string | undefined
  /** Text at the right: a price, a size. */
  readonly aside?: string | undefined
  /** Name of the option's group. Options of one group must be consecutive. The name is shown above the first. */
  readonly group?: string | undefined
  /** Why the option cannot be chosen now. */
  readonly disabledReason?: string | null | undefined
}

export interface OptionRowProps {
  readonly id: string
  readonly option: SelectOption<string>
  readonly heads: boolean
  readonly active: boolean
  readonly selected: boolean
  readonly onEnter: () => void
  readonly onTake: () => void
}

/** One option of an open select. The focus stays on the select, which refers to the active option. */
export function OptionRow({ id, option, heads, active, selected, onEnter, onTake }: OptionRowProps): ReactNode {
  const disabled = (option.disabledReason ?? null) !== null
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
        aria-disabled={disabled || undefined}
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
