import { expect, it } from 'vitest'
import { notOrdinaryOnWindows } from '../../../main/environment/files/paths.ts'

const ROOT = String.raw`C:\Users\ann\project`

it.each([
  'src/main.ts',
  String.raw`src\main.ts`,
  String.raw`..\other\.git`,
  '.',
  '..',
  String.raw`C:\Windows\notepad.exe`,
  'c:/users/ANN/project/a b/ü.txt',
  'C:',
  'console.txt',
  'com10',
  'auxiliary',
  '.nul',
  `deep/${'long-name/'.repeat(60)}file.txt`,
])('%s is an ordinary path on Windows', (path) => {
  expect(notOrdinaryOnWindows(ROOT, path)).toBeNull()
})

it.each<[string, RegExp]>([
  ['nul', /device/u],
  ['src/NUL.txt', /device/u],
  ['Com1', /device/u],
  ['lpt¹.log', /device/u],
  ['con .txt', /device/u],
  [String.raw`\\?\C:\x`, /device path/u],
  ['//./pipe/x', /device path/u],
  [String.raw`\??\C:\x`, /device path/u],
  ['notes.txt.', /ends with a dot/u],
  ['.git./config', /ends with a dot/u],
  ['folder /a', /ends with a dot or a space/u],
  ['.git::$INDEX_ALLOCATION/config', /stream/u],
  ['notes.txt:hidden', /stream/u],
  ['D:notes.txt', /current folder of a drive/u],
  ['what?.txt', /invalid in Windows names/u],
  ['a\nb', /invalid in Windows names/u],
  [String.raw`\\server\share\x`, /another computer/u],
  ['//server/share/x', /another computer/u],
])('%s is refused on Windows', (path, why) => {
  expect(notOrdinaryOnWindows(ROOT, path)).toMatch(why)
})

it('a project in a network folder can use only that network folder', () => {
  const root = String.raw`\\server\share\project`
  expect(notOrdinaryOnWindows(root, 'src/main.ts')).toBeNull()
  expect(notOrdinaryOnWindows(root, String.raw`\\SERVER\share\project\a`)).toBeNull()
  expect(notOrdinaryOnWindows(root, String.raw`\\server\other\a`)).toMatch(/another computer/u)
})
