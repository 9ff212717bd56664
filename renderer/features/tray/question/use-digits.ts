import { type RefObject, useEffect } from 'react'
import { isTyping } from '../../../state/commands/key-combinations.ts'

/**
 * Calls `onDigit` when the user presses a digit and is not typing. The digit belongs to the question that has the focus, or else to the
 * first question. Digits pressed in a page or dialog on top of the questions are ignored.
 */
export function useDigits(
  isOn: boolean,
  body: RefObject<HTMLElement | null>,
  onDigit: (question: HTMLElement, at: number, digit: number) => void,
): void {
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!/^[1-9]$/u.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.defaultPrevented || isTyping(event.target) || isElsewhere(event.target)) return
      // Of two sessions side by side, only the active one gets the keys.
      if (body.current?.closest('[data-session-pane]:not([data-keys])')) return
      const questions = [...(body.current?.querySelectorAll('fieldset') ?? [])]
      const focused = questions.findIndex((one) => one.contains(document.activeElement))
      const at = Math.max(0, focused)
      const question = questions[at]
      if (question?.checkVisibility()) onDigit(question, at, Number(event.key))
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })
}

/** Whether the key belongs to a terminal, or to a part that lies over the desk. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.xterm, [role=dialog], [role=menu], [role=listbox]') !== null
}
