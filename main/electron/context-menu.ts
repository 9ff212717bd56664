import { type BrowserWindow, Menu, type MenuItemConstructorOptions, clipboard } from 'electron'

/** The context menu of a browser: editing commands and spelling suggestions in fields, and copying of selected text and links. */
export function offerContextMenu(window: BrowserWindow): void {
  window.webContents.on(
    'context-menu',
    (_event, { isEditable, selectionText, linkURL, editFlags, misspelledWord, dictionarySuggestions }) => {
      const link: MenuItemConstructorOptions[] = /^https?:/i.test(linkURL)
        ? [{ label: 'Copy Link', click: () => void clipboard.writeText(linkURL) }]
        : []
      const text: MenuItemConstructorOptions[] = selectionText.trim() === '' ? [] : [{ role: 'copy' }]
      const spelling: MenuItemConstructorOptions[] =
        misspelledWord === ''
          ? []
          : [
              ...dictionarySuggestions.map((word) => ({ label: word, click: () => window.webContents.replaceMisspelling(word) })),
              {
                label: 'Learn Spelling',
                click: () => void window.webContents.session.addWordToSpellCheckerDictionary(misspelledWord),
              },
              { type: 'separator' },
            ]
      const field: MenuItemConstructorOptions[] = [
        ...spelling,
        { role: 'undo', enabled: editFlags.canUndo },
        { role: 'redo', enabled: editFlags.canRedo },
        { type: 'separator' },
        { role: 'cut', enabled: editFlags.canCut },
        { role: 'copy', enabled: editFlags.canCopy },
        { role: 'paste', enabled: editFlags.canPaste },
        { role: 'selectAll', enabled: editFlags.canSelectAll },
      ]
      const items = [...link, ...(isEditable ? field : text)]
      if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
    },
  )
}
