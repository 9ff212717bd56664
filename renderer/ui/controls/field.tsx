import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, type KeyboardEventHandler, type ReactNode, type Ref, useId } from 'react'
import { classNames } from '../class-names.ts'
import { BusyRing } from '../marks/dot.tsx'
import { Icon } from '../marks/icon.tsx'
import styles from './field.module.css'
import { isComposing } from '../is-composing.ts'

export interface FieldProps {
  /** The accessible name. `labelShown` also shows it above the field. */
  readonly label: string
  readonly labelShown?: boolean | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  /** Placeholder: an example of what to type. The `label` names the field. */
  readonly whileEmpty?: string | undefined
  /** `secret` hides the characters but is not a password field, so that no browser offers to save the text. */
  readonly type?: 'text' | 'secret' | 'search' | 'url' | undefined
  readonly icon?: LucideIcon | undefined
  /** Number of lines of a field for prose. If left out, the field has one line. */
  readonly rows?: number | undefined
  /** Set for paths, commands and patterns. */
  readonly mono?: boolean | undefined
  /** What is wrong and what is allowed: "99999 is not a port. Up to 65535." */
  readonly error?: string | null | undefined
  readonly hint?: ReactNode
  readonly busy?: boolean | undefined
  /** Content at the left, inside the border: a unit such as "$". */
  readonly start?: ReactNode
  /** Content at the right, inside the border: a small quiet button. */
  readonly end?: ReactNode
  /** Not called for keys that an input method handles, such as the Enter that chooses a word. */
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement | HTMLTextAreaElement> | undefined
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLInputElement & HTMLTextAreaElement> | undefined
}

/** A text field with its label, error and hint. */
export function Field({ ref, ...props }: FieldProps): ReactNode {
  const { label, labelShown = false, type = 'text', mono = false, error = null, rows } = props
  const id = useId()
  const note = error ?? props.hint
  const shared = {
    id,
    ref,
    className: classNames(styles.input, mono && 'mono', type === 'secret' && styles.secret),
    value: props.value,
    // The placeholder only gives an example, because the label names the field.
    placeholder: props.whileEmpty,
    'aria-label': labelShown ? undefined : label,
    'aria-invalid': error !== null || undefined,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
    autoComplete: 'off',
    spellCheck: rows !== undefined && !mono,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      if (!isComposing(event.nativeEvent)) props.onKeyDown?.(event)
    },
    onChange: (event: { readonly target: { readonly value: string } }) => props.onChange(event.target.value),
  }
  return (
    <div className={classNames(styles.field, props.className)}>
      {labelShown && (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      <div className={classNames(styles.box, error !== null && styles.wrong, rows !== undefined && styles.tall)}>
        {props.icon !== undefined && <Icon glyph={props.icon} />}
        {props.start}
        {rows === undefined ? <input type={type === 'secret' ? 'text' : type} {...shared} /> : <textarea rows={rows} {...shared} />}
        {props.busy === true && <BusyRing />}
        {props.end}
      </div>
      {note !== undefined && (
        <p className={classNames(styles.note, error !== null && styles.error)} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}
