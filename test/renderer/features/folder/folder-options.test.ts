import { expect, test } from 'vitest'
import { folderOptions, goingOn, meantPath } from '../../../../renderer/features/folder/folder-options.ts'

const HOME = '/home/ada'

test('before anything is typed, recent folders come first, then folders in the home folder', () => {
  expect(folderOptions('', ['/code/a'], ['~/code'], HOME)).toEqual([
    { folder: '/code/a', group: 'Recent' },
    { folder: '~/code', group: 'Folders' },
  ])
})

test('recent folders that do not match the typed text are left out, and no folder is listed twice', () => {
  const options = folderOptions('~/co', ['/home/ada/code', '/code/a'], ['~/code', '~/cooking'], HOME)
  expect(options).toEqual([
    { folder: '/home/ada/code', group: 'Recent' },
    { folder: '~/cooking', group: 'Folders' },
  ])
})

test('a recent folder is not offered once it is typed in full', () => {
  expect(folderOptions('/code/a', ['/code/a', '/code/ab'], [], HOME)).toEqual([{ folder: '/code/ab', group: 'Recent' }])
})

test('a completion ends with exactly one path separator', () => {
  expect([goingOn('/a/b'), goingOn('/a/b/'), goingOn('C:\\code'), goingOn('~/code')]).toEqual(['/a/b/', '/a/b/', 'C:\\code\\', '~/code/'])
})

test('quotes around a path are removed, even if the closing quote is missing, but quotes inside a name are kept', () => {
  expect(['"/a b/c"', "'~/x y'", '"C:\\My code"', '"/a b', ' /a/b ', '/a/"b"', '"odd"', '\'/a"'].map(meantPath)).toEqual([
    '/a b/c',
    '~/x y',
    'C:\\My code',
    '/a b',
    '/a/b',
    '/a/"b"',
    '"odd"',
    '/a"',
  ])
})

test('a pasted path may be escaped as in a terminal or be a file URL from a file manager', () => {
  const pasted = ['/home/ada/my\\ work\\(old\\)', '~/a\\ b/', 'file:///home/ada/my%20work', 'FILE:///C:/code', 'file://%', 'C:\\My code']
  expect(pasted.map(meantPath)).toEqual(['/home/ada/my work(old)', '~/a b/', '/home/ada/my work', 'C:/code', 'file://%', 'C:\\My code'])
})
