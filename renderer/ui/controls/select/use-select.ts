import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { indexAfterKey, vertical } from '../../arrow-keys.ts'
import { useTypeAhead } from '../../hooks/use-type-ahead.ts'
import type { SelectOption } from './select-option.tsx'

export interface SelectState {
  readonly id: string
  readonly list: RefObject<HTMLDivElement | null>
  readonly open: boolean
  /** Index of the active option. The next field is the index of the selected option. -1 if there is none. */
  readonly active: number
  readonly chosen: number
  readonly activate: (at: number) => void
  readonly take: (at: number) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
  readonly onOpening: () => void
  readonly onOpenChange: (open: boolean) => void
}

/** Keyboard control of a select. Keys move through the open list. While the list is closed, typing selects an option. */
export function useSelect<Id extends string>(
  options: readonly SelectOption<Id>[],
  selected: Id | null,
  onSelect: (id: Id) => void,
): SelectState {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // The active option is stored as an id, because options that are added while the list is open must not change it.
  const [activeId, setActiveId] = useState<Id | null>(null)
  const active = options.findIndex((option) => option.id === activeId)
  const activate = (at: number): void => setActiveId(options[at]?.id ?? null)
  const typeAhead = useTypeAhead(options.map((option) => option.label))
  const chosen = options.findIndex((option) => option.id === selected)

  const move = (to: number): void => {
    activate(to)
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const take = (at: number): void => {
    const option = options[at]
    if (option === undefined || (option.disabledReason ?? null) !== null) return
    list.current?.hidePopover()
    if (option.id !== selected) onSelect(option.id)
  }
  /** Returns whether the list handled the key. */
  const whileOpen = (key: string, typed: number | null): boolean => {
    if (key === 'Tab') {
      list.current?.hidePopover()
      return false
    }
    if (key === 'Enter' || (key === ' ' && typed === null)) {
      take(active)
      return true
    }
    const to = typed ?? indexAfterKey(key, vertical, active, options.length)
    if (to !== null) move(to)
    return to !== null
  }
  const whileClosed = (event: KeyboardEvent<HTMLButtonElement>, typed: number | null): boolean => {
    if (typed !== null) take(typed)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.currentTarget.click()
    else return false
    return true
  }
  return {
    id,
    list,
    open,
    active,
    chosen,
    activate,
    take,
    onKeyDown: (event) => {
      const typed = typeAhead(event.nativeEvent, open ? active : chosen)
      if (open ? whileOpen(event.key, typed) : whileClosed(event, typed)) event.preventDefault()
    },
    // The list opens at once, so that a second key press finds it open.
    onOpening: () => {
      setOpen(true)
      activate(Math.max(0, chosen))
    },
    onOpenChange: (now) => {
      if (now) move(active)
      else setOpen(false)
    },
  }
}
