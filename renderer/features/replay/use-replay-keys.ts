import { useEffect, useRef } from 'react'
import { type KeyAction, runKey } from '../../state/commands/key-combinations.ts'
import { keyboardPlatform } from '../../ui/marks/key-labels.ts'

/** Keys of the page. A focused button or field handles its own keys. */
export function useReplayKeys(table: readonly KeyAction[]): void {
  const latest = useRef(table)
  useEffect(() => {
    latest.current = table
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isOnControl = event.target instanceof HTMLElement && event.target.closest('button, input, [role=radio]') !== null
      if (event.key === ' ' && isOnControl) return
      runKey(event, latest.current, keyboardPlatform() === 'mac')
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
