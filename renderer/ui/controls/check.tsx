import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import { Reason } from '../notices/screen-reader.tsx'
import styles from './check.module.css'

export interface CheckProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly label: string
  /** Set if the label is already written beside the check box. */
  readonly labelHidden?: boolean | undefined
  /** Why the check box cannot be changed. */
  readonly disabledReason?: string | null | undefined
  readonly className?: string | undefined
}

/** A check box. Its tick has the color that marks everything the user does. */
export function Check(props: CheckProps): ReactNode {
  const { disabledReason = null } = props
  const id = useId()
  const disabled = disabledReason !== null
  return (
    <span className={classNames(styles.check, props.className)} data-tip={disabledReason ?? undefined}>
      <input
        type="checkbox"
        id={id}
        className={styles.box}
        checked={props.checked}
        aria-label={props.labelHidden === true ? props.label : undefined}
        aria-disabled={disabled || undefined}
        aria-describedby={disabled ? `${id}-note` : undefined}
        onChange={(event) => {
          if (!disabled) props.onChange(event.target.checked)
        }}
      />
      {props.labelHidden !== true && (
        <label className={styles.label} htmlFor={id}>
          {props.label}
        </label>
      )}
      {disabledReason !== null && <Reason id={`${id}-note`}>{disabledReason}</Reason>}
    </span>
  )
}
