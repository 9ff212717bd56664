import { FolderOpen, SquareArrowOutUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'

export interface FileButtonsProps {
  /** As it is shown, for the names of the buttons. */
  readonly path: string
  readonly keys?: string | undefined
  readonly onOpen: () => void
  /** Null where no file manager can be reached: the button is absent. */
  readonly onReveal: (() => void) | null
}

/** Buttons that open or reveal a file outside the desk. */
export function FileButtons({ path, keys, onOpen, onReveal }: FileButtonsProps): ReactNode {
  return (
    <>
      <Button variant="quiet" small icon={SquareArrowOutUpRight} keys={keys} label={`Open ${path} in the editor`} onPress={onOpen}>
        Open
      </Button>
      {onReveal && (
        <Button variant="quiet" small icon={FolderOpen} label={`Show ${path} in the file manager`} onPress={onReveal}>
          Reveal
        </Button>
      )}
    </>
  )
}
