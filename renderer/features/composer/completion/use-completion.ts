import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import { indexAfterKey, vertical } from '../../../ui/arrow-keys.ts'
import { isComposing } from '../../../ui/is-composing.ts'
import { completed, type CompletionTarget, completionTargetAt, type CompletionOption } from './completion-target.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { calledCommand } from '../../../../shared/session/called-command.ts'
import type { CommandEnd } from '../../../state/slash/desk-slash-commands.ts'
import { useCompletionOptions } from './use-completion-options.ts'

export interface Completion {
  /** Id of the list. Its options have the ids `${id}-${index}`. */
  readonly id: string
  readonly options: readonly CompletionOption[]
  /** Index of the active option. -1 if there is none. */
  readonly active: number
  /** The line below the options. It says that nothing matches, or which argument the command needs. Null if there is no such line. */
  readonly none: string | null
  readonly setActive: (at: number) => void
  readonly take: (option: CompletionOption) => void
  /** Returns whether the list handled the key. */
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean
  /** Must be called whenever the caret moves. */
  readonly onSelect: () => void
  /** Runs a message that is a desk command. Returns null if the message is not a desk command. */
  readonly runDeskCommand: (written: string) => CommandEnd | Promise<CommandEnd> | null
}

interface Draft {
  readonly text: string
  readonly write: (text: string) => void
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** Completes slash commands, paths, symbols and sessions in the message field. */
export function useCompletion(sessionId: SessionId, { text, write, field }: Draft): Completion {
  const id = useId()
  const [caret, setCaret] = useState(0)
  /** Null until the user moves the selection. */
  const [active, setActive] = useState<number | null>(null)
  /** The draft whose list was closed by Escape. */
  const [closed, setClosed] = useState<string | null>(null)
  const completing = closed === text ? null : completionTargetAt(text, Math.min(caret, text.length))
  const desk = useDesk()
  const { options, hint, isLoading, ofDesk } = useCompletionOptions(sessionId, completing)
  // If Enter is pressed right after the command's name, the command runs without an argument.
  const isUnchosen = active === null && completing?.kind === 'argument' && completing.typed === ''
  const at = isUnchosen ? -1 : Math.min(active ?? 0, Math.max(0, options.length - 1))

  const take = (option: CompletionOption): void => {
    if (completing === null) return
    setActive(null)
    desk.used.use(option.used)
    if (option.text === null) {
      write('')
      option.run?.()
      return
    }
    option.run?.()
    const next = completed(text, completing, option.text)
    flushSync(() => {
      write(next.draft)
      setCaret(next.caret)
    })
    field.current?.focus()
    field.current?.setSelectionRange(next.caret, next.caret)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const option = options[Math.max(0, at)]
    if (completing === null || !option || isComposing(event.nativeEvent) || event.altKey || event.ctrlKey || event.metaKey) return false
    const isWhole = option.text?.trimEnd() === `${completing.kind === 'command' ? '/' : '@'}${completing.typed}`
    const to = event.key.startsWith('Arrow') ? indexAfterKey(event.key, vertical, at, options.length) : null
    if (to !== null) setActive(to)
    else if (event.key === 'Escape') setClosed(text)
    // If the option is already typed completely, Enter sends the message instead of choosing the option.
    else if ((event.key === 'Enter' && !event.shiftKey && !isWhole && at >= 0) || (event.key === 'Tab' && !event.shiftKey)) take(option)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const isUnknown = completing !== null && options.length === 0 && completing.typed !== '' && !isLoading
  return {
    id,
    options,
    active: at,
    setActive,
    take,
    onKeyDown,
    none: hint !== '' ? hint : isUnknown ? noneWords(completing) : null,
    onSelect() {
      setCaret(field.current?.selectionStart ?? 0)
    },
    runDeskCommand(written) {
      const called = calledCommand(written)
      const command = called && ofDesk(called.name)
      if (!command) return null
      desk.used.use(`command:${command.name}`)
      return command.run(called.args)
    },
  }
}

function noneWords({ kind, typed }: CompletionTarget): string | null {
  if (kind === 'argument') return null
  return kind === 'command'
    ? `There is no command /${typed}. Your text is sent as a message.`
    : `No file, symbol or session matches ${typed}.`
}
