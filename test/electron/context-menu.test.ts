import { expect, it, vi } from 'vitest'
import { Menu, clipboard } from '../support/fake-electron/electron.ts'
import { FakeEvent } from '../support/fake-electron/emitter.ts'
import { type RunningDesktop, desktopsHere } from './running-desktop.ts'

vi.mock('electron', () => import('../support/fake-electron/electron.ts'))

const startDesktop = desktopsHere()
let running: RunningDesktop

const FLAGS = { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: true, canSelectAll: true }
const NOWHERE = { isEditable: false, selectionText: '', linkURL: '', editFlags: FLAGS, misspelledWord: '', dictionarySuggestions: [] }

it.each([
  ['in a field', { isEditable: true }, ['undo', 'redo', undefined, 'cut', 'copy', 'paste', 'selectAll']],
  [
    'on a misspelled word',
    { isEditable: true, misspelledWord: 'tset', dictionarySuggestions: ['test'] },
    ['test', 'Learn Spelling', undefined, 'undo', 'redo', undefined, 'cut', 'copy', 'paste', 'selectAll'],
  ],
  ['on selected text', { selectionText: 'a word' }, ['copy']],
  ['on a link', { linkURL: 'https://example.com/' }, ['Copy Link']],
  ['on a link of the page itself', { linkURL: 'countersign-app://desk/#x' }, null],
  ['on nothing', {}, null],
])('a right click %s offers what a browser offers', async (_, where, expected) => {
  running = await startDesktop()
  const window = await running.window()
  window.webContents.emit('context-menu', new FakeEvent(), { ...NOWHERE, ...where })
  const items = Menu.opened?.template ?? null
  expect(items && items.map(({ role, label }) => role ?? label)).toEqual(expected)
})

it('“Copy Link” copies the address', async () => {
  running = await startDesktop()
  const window = await running.window()
  window.webContents.emit('context-menu', new FakeEvent(), { ...NOWHERE, linkURL: 'https://example.com/a' })
  const [copy] = (Menu.opened?.template ?? []) as { readonly click?: () => void }[]
  copy?.click?.()
  expect(clipboard.text).toBe('https://example.com/a')
})
