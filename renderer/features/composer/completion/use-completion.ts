import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { rove, vertical } from '../../../ui/hooks/roving.ts'
import { completed, completingAt, type CompletionOption } from './completing.ts'
import { useOptions } from './use-options.ts'

export interface Completion {
  /** Of its list; options are `${id}-${index}`. */
  readonly id: string
  readonly options: readonly CompletionOption[]
  readonly active: number
  /** Shown instead of options; null: nothing is completed, or there are some. */
  readonly none: string | null
  readonly setActive: (at: number) => void
  readonly take: (option: CompletionOption) => void
  /** Whether the key was for the list. */
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean
  /** After each change of the caret. */
  readonly onSelect: () => void
}

interface Draft {
  readonly text: string
  readonly write: (text: string) => void
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** Completes slash commands, and paths, symbols and sessions in the message field. */
export function useCompletion(sessionId: SessionId, { text, write, field }: Draft): Completion {
  const id = useId()
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  /** The draft whose list was closed by Escape. */
  const [closed, setClosed] = useState<string | null>(null)
  const [taken, setTaken] = useState<readonly string[]>([])
  const completing = closed === text ? null : completingAt(text, Math.min(caret, text.length))
  const options = useOptions(sessionId, completing, taken)
  const at = Math.min(active, Math.max(0, options.length - 1))

  const take = (option: CompletionOption): void => {
    if (completing === null) return
    setActive(0)
    if (option.text === null) {
      write('')
      option.run?.()
      return
    }
    option.run?.()
    if (completing.kind === 'path' && option.about === '') setTaken([option.words, ...taken.filter((path) => path !== option.words)])
    const next = completed(text, completing, option.text)
    flushSync(() => {
      write(next.draft)
      setCaret(next.caret)
    })
    field.current?.focus()
    field.current?.setSelectionRange(next.caret, next.caret)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const option = options[at]
    if (completing === null || !option || event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return false
    const isWhole = option.text?.trimEnd() === `${completing.kind === 'command' ? '/' : '@'}${completing.typed}`
    const to = event.key.startsWith('Arrow') ? rove(event.key, vertical, at, options.length) : null
    if (to !== null) setActive(to)
    else if (event.key === 'Escape') setClosed(text)
    // what is written in full is sent, not completed
    else if ((event.key === 'Enter' && !event.shiftKey && !isWhole) || (event.key === 'Tab' && !event.shiftKey)) take(option)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return {
    ...{ id, options, active: at, setActive, take, onKeyDown },
    none: completing === null || options.length > 0 || completing.typed === '' ? null : noneWords(completing.kind, completing.typed),
    onSelect() {
      setCaret(field.current?.selectionStart ?? 0)
    },
  }
}

const noneWords = (kind: 'command' | 'path', typed: string): string =>
  kind === 'command' ? `No command is called /${typed}. It is sent as a message.` : `No file, symbol or session matches ${typed}.`
