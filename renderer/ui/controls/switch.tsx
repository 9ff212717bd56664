import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import { Reason } from '../notices/screen-reader.tsx'
import styles from './switch.module.css'

export interface SwitchProps {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly label: string
  readonly labelHidden?: boolean | undefined
  /** Why the switch cannot be changed here, and who set it. */
  readonly setBy?: string | null | undefined
  readonly className?: string | undefined
}

/** A switch for a setting that takes effect at once. */
export function Switch(props: SwitchProps): ReactNode {
  const { setBy = null } = props
  const id = useId()
  return (
    <span className={classNames(styles.switch, props.className)} data-tip={setBy ?? undefined}>
      <input
        type="checkbox"
        role="switch"
        id={id}
        className={styles.track}
        checked={props.on}
        aria-label={props.labelHidden === true ? props.label : undefined}
        aria-disabled={setBy !== null || undefined}
        aria-checked={props.on}
        aria-describedby={setBy === null ? undefined : `${id}-note`}
        onChange={(event) => {
          if (setBy === null) props.onChange(event.target.checked)
        }}
      />
      {props.labelHidden !== true && (
        <label className={styles.label} htmlFor={id}>
          {props.label}
        </label>
      )}
      {setBy !== null && <Reason id={`${id}-note`}>{setBy}</Reason>}
    </span>
  )
}
