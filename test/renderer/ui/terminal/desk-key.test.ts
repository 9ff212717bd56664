import { expect, test } from 'vitest'
import { isDeskKey } from '../../../../renderer/ui/terminal/terminal-canvas.tsx'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

test('the ways out of a terminal are the desk’s', () => {
  expect(isDeskKey(press('F6'), 'other')).toBe(true)
  expect(isDeskKey(press('F6', { shiftKey: true }), 'mac')).toBe(true)
  expect(isDeskKey(press('j', { ctrlKey: true }), 'other')).toBe(true)
  expect(isDeskKey(press('`', { metaKey: true }), 'mac')).toBe(true)
})

test('on a Mac, Ctrl J is a line feed for the command, and elsewhere the Windows key is not the desk’s', () => {
  expect(isDeskKey(press('j', { ctrlKey: true }), 'mac')).toBe(false)
  expect(isDeskKey(press('j', { metaKey: true }), 'other')).toBe(false)
})

test('every other key is the command’s, those that the desk has elsewhere too', () => {
  for (const key of ['k', 'c', 'd', 'z', 'n', 'o', '.', ',']) expect(isDeskKey(press(key, { ctrlKey: true }), 'other')).toBe(false)
  for (const key of ['j', '`', 'Escape', 'Tab', 'F5']) expect(isDeskKey(press(key), 'other')).toBe(false)
})
