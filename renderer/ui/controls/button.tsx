import type { LucideIcon } from 'lucide-react'
import { type AriaRole, type MouseEvent, type ReactNode, type Ref, useId } from 'react'
import { classNames } from '../class-names.ts'
import { BusyRing } from '../marks/dot.tsx'
import { Icon } from '../marks/icon.tsx'
import { Kbd } from '../marks/kbd.tsx'
import { Reason } from '../notices/screen-reader.tsx'
import { useAriaKeys } from '../marks/key-labels.ts'
import shared from './button-base.module.css'
import styles from './button.module.css'

interface ButtonBase {
  /** `preferred` marks the recommended next action in places where nothing is signed. Signing has its own button. */
  readonly variant?: 'plain' | 'quiet' | 'preferred' | undefined
  readonly small?: boolean | undefined
  /** Whether the button has full width, with the label at the left and the keys at the right. */
  readonly block?: boolean | undefined
  readonly icon?: LucideIcon | undefined
  /** Content in place of an icon, such as a mark, a dot or the stop square. */
  readonly lead?: ReactNode
  /** The accessible name, if it differs from the visible label. Required for a button with only an icon. */
  readonly label?: string | undefined
  /** The shortcut, such as `Mod+K`, shown as a hint. */
  readonly keys?: string | undefined
  /** Why the button is disabled, as tooltip and description. The button can still be reached by Tab, so that the reason can be read. */
  readonly disabledReason?: string | null | undefined
  /** The label while busy: the same verb in its -ing form. Its width is reserved, so that nothing moves. */
  readonly busyWord?: string | undefined
  readonly busy?: boolean | undefined
  /** For a toggle button: whether it is on. */
  readonly pressed?: boolean | undefined
  /** For a button that unfolds content: whether it is unfolded. */
  readonly expanded?: boolean | undefined
  readonly controls?: string | undefined
  readonly popup?: 'menu' | 'listbox' | 'dialog' | undefined
  /** Id of a popover that this button opens and closes. */
  readonly popoverTarget?: string | undefined
  readonly role?: AriaRole | undefined
  readonly tabIndex?: number | undefined
  readonly tip?: string | undefined
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
  readonly onPress?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined
}

/**
 * A button whose label is a verb. Only buttons with a well-known icon, such as close, add, search, more and play, may show the icon alone,
 * with a `label`.
 */
export type ButtonProps = ButtonBase &
  (
    | { readonly only?: false | undefined; readonly children: ReactNode }
    | { readonly only: true; readonly icon: LucideIcon; readonly label: string; readonly children?: undefined }
  )

/** A plain, quiet or preferred button. Only signing buttons are filled. */
export function Button({ ref, ...props }: ButtonProps): ReactNode {
  const { variant = 'plain', small = false, only = false, busy = false, disabledReason = null, busyWord, onPress } = props
  const reasonId = useId()
  const ariaKeys = useAriaKeys(props.keys)
  const disabled = disabledReason !== null
  return (
    <>
      <button
        ref={ref}
        type="button"
        className={classNames(
          shared.base,
          styles.btn,
          styles[variant],
          small && styles.small,
          only && styles.only,
          props.block === true && styles.block,
          props.className,
        )}
        role={props.role}
        tabIndex={props.tabIndex}
        aria-label={props.label}
        aria-disabled={disabled || busy || undefined}
        aria-busy={busy || undefined}
        aria-pressed={props.pressed}
        aria-expanded={props.expanded}
        aria-controls={props.controls}
        aria-haspopup={props.popup}
        aria-keyshortcuts={ariaKeys}
        aria-describedby={disabled ? reasonId : undefined}
        data-tip={disabledReason ?? props.tip ?? (only ? props.label : undefined)}
        data-tip-keys={disabled ? undefined : only ? props.keys : undefined}
        popoverTarget={disabled || busy ? undefined : props.popoverTarget}
        onClick={(event) => {
          if (disabled || busy) event.preventDefault()
          else onPress?.(event)
        }}
      >
        <span className={classNames(shared.face, busy && shared.away)} aria-hidden={(busy && busyWord !== undefined) || undefined}>
          {props.icon !== undefined && <Icon glyph={props.icon} size={small ? 14 : 16} />}
          {props.lead}
          {props.children}
          {props.keys !== undefined && !only && <Kbd keys={props.keys} className={styles.keys} />}
        </span>
        {(busy || busyWord !== undefined) && (
          <span className={classNames(shared.face, !busy && shared.away)} aria-hidden={!busy || undefined}>
            <BusyRing />
            {!only && busyWord}
          </span>
        )}
      </button>
      {disabled && <Reason id={reasonId}>{disabledReason}</Reason>}
    </>
  )
}
