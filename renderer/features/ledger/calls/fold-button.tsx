import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import styles from '../ledger.module.css'

export interface FoldButtonProps {
  readonly open: boolean
  /** The part that the button shows or hides: "the output". */
  readonly what: string
  readonly onPress: () => void
}

/** Shows or hides the content below a line. */
export function FoldButton({ open, what, onPress }: FoldButtonProps): ReactNode {
  return (
    <Button
      variant="quiet"
      small
      only
      className={styles.chevron}
      icon={open ? ChevronDown : ChevronRight}
      label={`${open ? 'Hide' : 'Show'} ${what}`}
      expanded={open}
      onPress={onPress}
    />
  )
}
