import type { ReactNode } from 'react'
import styles from './switch.module.css'

export interface SwitchProps {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  /** For screen readers. What is switched is written beside the switch. */
  readonly label: string
}

/** A switch for a setting that takes effect at once. */
export function Switch(props: SwitchProps): ReactNode {
  return (
    <span className={styles.switch}>
      <input
        type="checkbox"
        role="switch"
        className={styles.track}
        checked={props.on}
        aria-label={props.label}
        aria-checked={props.on}
        onChange={(event) => props.onChange(event.target.checked)}
      />
    </span>
  )
}
