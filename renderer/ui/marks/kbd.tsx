import { type ReactNode, useContext } from 'react'
import { classNames } from '../class-names.ts'
import styles from './kbd.module.css'
import { keyWords, PersonKeysContext, type Platform, PlatformContext } from './key-words.ts'

export interface KbdProps {
  /** Keys joined by `+`; `Mod` is Ctrl, on a Mac Cmd: `Mod+Enter`. */
  readonly keys: string
  readonly platform?: Platform | undefined
  readonly className?: string | undefined
}

/** A key hint, with the key that the person has for it; nothing if there is none. Hidden from screen readers: its control has `aria-keyshortcuts`. */
export function Kbd({ keys, platform, className }: KbdProps): ReactNode {
  const around = useContext(PlatformContext)
  const own = useContext(PersonKeysContext)(keys)
  if (own === '') return null
  return (
    <kbd className={classNames(styles.kbd, className)} aria-hidden="true">
      {keyWords(own, platform ?? around).join(' ')}
    </kbd>
  )
}
