import { useStore } from 'zustand'
import { useDesk } from '../desk-context.ts'
import { type NamedFile, openInEditor, revealFile } from '../commands/file-actions.ts'

/** The actions of a file's buttons. `line` starts at 1. Null opens the file without a line. */
export function useFileActions(
  file: NamedFile,
  line: number | null = null,
): { readonly onOpen: () => void; readonly onReveal: (() => void) | null } {
  const desk = useDesk()
  const canReveal = useStore(desk.app, ({ hello }) => hello?.capabilities.reveal === true)
  return { onOpen: () => openInEditor(desk, file, line), onReveal: canReveal ? () => revealFile(desk, file) : null }
}
