import { FolderOpen, SquareArrowOutUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'

export interface FileButtonsProps {
  /** The path as shown. The names of the buttons contain it. */
  readonly path: string
  readonly keys?: string | undefined
  readonly onOpen: () => void
  /** Null if no file manager can be reached. The button is then left out. */
  readonly onReveal: (() => void) | null
}

/** Buttons that open a file in the editor or show it in the file manager. */
export function FileButtons({ path, keys, onOpen, onReveal }: FileButtonsProps): ReactNode {
  return (
    <>
      <Button variant="quiet" small icon={SquareArrowOutUpRight} keys={keys} label={`Open ${path} in the editor`} onPress={onOpen}>
        Open
      </Button>
      {onReveal && (
        <Button variant="quiet" small icon={FolderOpen} label={`Reveal ${path} in the file manager`} onPress={onReveal}>
          Reveal
        </Button>
      )}
    </>
  )
}
