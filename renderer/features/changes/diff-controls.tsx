import { Columns2, Rows2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNarrow } from '../../state/views/narrow-window.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IgnoreSpaces } from '../../ui/diff/ignore-spaces.tsx'
import type { DiffLayout } from '../../ui/diff/code-diff.tsx'
import styles from './changes.module.css'
import type { Move } from './review-files.ts'

/**
 * Returns how differences are drawn: in the layout that the user chose. If the user chose none, side by side unless the window is narrow.
 */
export function useLayout() {
  const isNarrow = useNarrow()
  const [chosen, setChosen] = useState<DiffLayout | null>(null)
  const [ignoresSpaces, setIgnoresSpaces] = useState(false)
  return { layout: chosen ?? (isNarrow ? 'stacked' : 'split'), choose: setChosen, ignoresSpaces, setIgnoresSpaces } as const
}

export type Layout = ReturnType<typeof useLayout>

interface MoveButtonsProps {
  /** Place of the hunk, such as "hunk 2 of 3". Empty if it is not known. */
  readonly where: string
  readonly move: (move: Move) => void
}

export function MoveButtons({ where, move }: MoveButtonsProps): ReactNode {
  return (
    <>
      <span className={styles.where}>{where}</span>
      <Button variant="quiet" small keys="K" onPress={() => move('previous-hunk')}>
        Previous
      </Button>
      <Button variant="quiet" small keys="J" onPress={() => move('next-hunk')}>
        Next
      </Button>
    </>
  )
}

export function LayoutChoice({ layout, choose, ignoresSpaces, setIgnoresSpaces }: Layout): ReactNode {
  return (
    <>
      <IgnoreSpaces ignoresSpaces={ignoresSpaces} setIgnoresSpaces={setIgnoresSpaces} />
      <span className={styles.layouts} role="group" aria-label="Layout">
        <Button small only icon={Columns2} label="Side by side" pressed={layout === 'split'} onPress={() => choose('split')} />
        <Button small only icon={Rows2} label="Stacked" pressed={layout === 'stacked'} onPress={() => choose('stacked')} />
      </span>
    </>
  )
}
