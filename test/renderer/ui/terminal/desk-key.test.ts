import { expect, test } from 'vitest'
import { isDeskKey } from '../../../../renderer/ui/terminal/terminal-canvas.tsx'
import { press } from '../../support/press.ts'

const defaultKey = (keys: string): string => keys

test('keys that leave the terminal go to the app', () => {
  expect(isDeskKey(press('F6'), defaultKey, 'other')).toBe(true)
  expect(isDeskKey(press('F6', { shiftKey: true }), defaultKey, 'mac')).toBe(true)
  expect(isDeskKey(press('j', { ctrlKey: true }), defaultKey, 'other')).toBe(true)
  expect(isDeskKey(press('`', { metaKey: true }), defaultKey, 'mac')).toBe(true)
})

test('Ctrl J on a Mac and the Windows key elsewhere go to the command', () => {
  expect(isDeskKey(press('j', { ctrlKey: true }), defaultKey, 'mac')).toBe(false)
  expect(isDeskKey(press('j', { metaKey: true }), defaultKey, 'other')).toBe(false)
})

test('every other key goes to the command, even if it is a shortcut elsewhere in the app', () => {
  for (const key of ['k', 'c', 'd', 'z', 'n', 'o', '.', ','])
    expect(isDeskKey(press(key, { ctrlKey: true }), defaultKey, 'other')).toBe(false)
  for (const key of ['j', '`', 'Escape', 'Tab', 'F5']) expect(isDeskKey(press(key), defaultKey, 'other')).toBe(false)
})

test('if the user has set a key for leaving the terminal, that key goes to the app and the default key to the command', () => {
  const own = (keys: string): string => (keys === 'Mod+J' ? 'Mod+U' : keys)
  expect(isDeskKey(press('u', { ctrlKey: true }), own, 'other')).toBe(true)
  expect(isDeskKey(press('j', { ctrlKey: true }), own, 'other')).toBe(false)
})
