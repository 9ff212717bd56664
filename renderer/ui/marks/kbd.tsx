import { type ReactNode, useContext } from 'react'
import { classNames } from '../class-names.ts'
import styles from './kbd.module.css'
import { keyLabels, PersonKeysContext, PlatformContext } from './key-labels.ts'

export interface KbdProps {
  /** Keys joined by `+`, such as `Mod+Enter`. `Mod` is Ctrl, and Cmd on a Mac. */
  readonly keys: string
  readonly className?: string | undefined
}

/**
 * A key hint with the user's own key. Renders nothing if the user removed the key. It is hidden from screen readers, because its control
 * has `aria-keyshortcuts`.
 */
export function Kbd({ keys, className }: KbdProps): ReactNode {
  const platform = useContext(PlatformContext)
  const own = useContext(PersonKeysContext)(keys)
  if (own === '') return null
  return (
    <kbd className={classNames(styles.kbd, className)} aria-hidden="true">
      {keyLabels(own, platform).join(' ')}
    </kbd>
  )
}
