import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { stopTurn } from '../commands/actions.ts'
import { personKeys } from '../commands/key-bindings.ts'
import { paletteCommands } from '../commands/palette-commands.ts'
import { useDesk } from '../desk-context.ts'
import type { Desk } from '../desk.ts'
import { type KeyAction, runKey } from '../commands/key-combinations.ts'
import { isPopupOpen } from '../../ui/hooks/use-escape.ts'
import { keyboardPlatform } from '../../ui/marks/key-labels.ts'

/** The keys that work everywhere. Trays and lists handle their own keys. */
export function deskKeys(desk: Desk): readonly KeyAction[] {
  return [
    ...paletteCommands(desk).flatMap(({ keys, run }) => (keys === undefined ? [] : [{ keys, run }])),
    // Many programs use this key for help. It is ignored while the user types.
    { keys: '?', run: () => desk.view.setState({ overlay: { kind: 'keys' } }) },
    { keys: 'F6', run: () => focusPane(1) },
    { keys: 'Shift+F6', run: () => focusPane(-1) },
  ]
}

export function useDeskKeys(): void {
  const desk = useDesk()
  // A layout effect runs before the first frame is painted, so no key press after that frame is missed.
  useLayoutEffect(() => {
    const escapes = new TwiceWithin(500)
    const onKeyDown = (event: KeyboardEvent): void => {
      if (desk.view.getState().overlay !== null) return
      const { sessionId, page } = desk.view.getState()
      // An Escape that closes something else, such as a drawer or a menu, does not count.
      if (
        event.key === 'Escape' &&
        !event.defaultPrevented &&
        !isPopupOpen() &&
        !event.repeat &&
        page === 'desk' &&
        escapes.hit(event.timeStamp) &&
        sessionId
      )
        stopTurn(desk, sessionId)
      // A held key must not open one terminal after another.
      const table = event.repeat ? deskKeys(desk).map(({ keys }) => ({ keys, run: () => {} })) : deskKeys(desk)
      runKey(event, table, keyboardPlatform() === 'mac', (defaultKey) => personKeys(chosenKeys(desk), defaultKey))
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [desk])
}

/** Controls that handle Space themselves. The button of what is already shown in a list does not. */
const TAKES_SPACE = 'button:not([aria-current]), input, summary, a, [role=button], [role=radio]'

/** Keys of one page. They do nothing while the user types or a dialog is open. A focused control handles Space itself. */
export function usePageKeys(table: readonly KeyAction[]): void {
  const desk = useDesk()
  const newest = useRef(table)
  useEffect(() => {
    newest.current = table
  })
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (desk.view.getState().overlay !== null) return
      if (event.key === ' ' && event.target instanceof HTMLElement && event.target.closest(TAKES_SPACE) !== null) return
      runKey(event, newest.current, keyboardPlatform() === 'mac')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [desk])
}

const NO_KEYS: Settings['keys'] = {}

const chosenKeys = (desk: Desk): Settings['keys'] => desk.settings.getState().settings?.settings.keys ?? NO_KEYS

/** Returns a function that looks up the user's key for a default key. */
export function usePersonKeys(desk: Desk): (defaultKey: string) => string {
  const chosen = useStore(desk.settings, ({ settings }) => settings?.settings.keys ?? NO_KEYS)
  return useCallback((defaultKey: string) => personKeys(chosen, defaultKey), [chosen])
}

/** Detects a second press within the given milliseconds after the first. */
class TwiceWithin {
  readonly #ms: number
  #first = Number.NEGATIVE_INFINITY

  constructor(ms: number) {
    this.#ms = ms
  }

  hit(at: number): boolean {
    const isSecond = at - this.#first <= this.#ms
    this.#first = isSecond ? Number.NEGATIVE_INFINITY : at
    return isSecond
  }
}

/** Moves the focus through the panes in screen order, for F6. */
function focusPane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane], [data-tray], [data-composer-text]')].filter((pane) =>
    pane.checkVisibility(),
  )
  if (panes.length === 0) return
  const at = panes.findLastIndex((pane) => pane.contains(document.activeElement))
  // If the focus is outside all panes, forward starts at the first pane and backward at the last.
  const to = at === -1 ? (by === 1 ? 0 : panes.length - 1) : (at + by + panes.length) % panes.length
  const target = panes[to]
  target?.focus()
}
