import { useStore } from 'zustand'
import type { MenuItem } from '../../ui/controls/menu-items.tsx'
import { useDesk } from '../desk-context.ts'
import { mentionFile, type NamedFile, openInEditor, revealFile, viewFile } from '../commands/files/file-actions.ts'

/** The actions of a file's buttons. `line` starts at 1. Null opens the file without a line. */
export function useFileActions(
  file: NamedFile,
  line: number | null = null,
): { readonly onOpen: () => void; readonly onReveal: (() => void) | null } {
  const desk = useDesk()
  const canReveal = useStore(desk.app, ({ hello }) => hello?.capabilities.reveal === true)
  return { onOpen: () => openInEditor(desk, file, line), onReveal: canReveal ? () => revealFile(desk, file) : null }
}

/** The entries of a file's menu. `shown` is the path as the user sees it. */
export function useFileEntries(file: NamedFile, shown: string, line: number | null = null): readonly MenuItem[] {
  const desk = useDesk()
  const { onOpen, onReveal } = useFileActions(file, line)
  return [
    { kind: 'item', id: 'view', label: 'Show the file', onSelect: () => viewFile(desk, file, line) },
    { kind: 'item', id: 'open', label: 'Open in the editor', onSelect: onOpen },
    ...(onReveal ? [{ kind: 'item', id: 'reveal', label: 'Show in the file manager', onSelect: onReveal } as const] : []),
    { kind: 'item', id: 'mention', label: 'Add to the message', onSelect: () => mentionFile(desk, { ...file, path: shown }) },
    { kind: 'item', id: 'copy-path', label: 'Copy the path', onSelect: () => void navigator.clipboard.writeText(shown) },
  ]
}
