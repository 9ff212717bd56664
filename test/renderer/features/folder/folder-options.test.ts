import { expect, test } from 'vitest'
import { folderOptions, goingOn, meantPath } from '../../../../renderer/features/folder/folder-options.ts'

const HOME = '/home/ada'

test('with nothing typed the recent folders come first, then the folders of home', () => {
  expect(folderOptions('', ['/code/a'], ['~/code'], HOME)).toEqual([
    { folder: '/code/a', group: 'Recent' },
    { folder: '~/code', group: 'Folders' },
  ])
})

test('recent folders that do not fit what was typed are left out, and no folder is listed twice', () => {
  const options = folderOptions('~/co', ['/home/ada/code', '/code/a'], ['~/code', '~/cooking'], HOME)
  expect(options).toEqual([
    { folder: '/home/ada/code', group: 'Recent' },
    { folder: '~/cooking', group: 'Folders' },
  ])
})

test('a folder that is already typed in full is not offered as recent', () => {
  expect(folderOptions('/code/a', ['/code/a', '/code/ab'], [], HOME)).toEqual([{ folder: '/code/ab', group: 'Recent' }])
})

test('a completion ends with the separator of its system, once', () => {
  expect([goingOn('/a/b'), goingOn('/a/b/'), goingOn('C:\\code'), goingOn('~/code')]).toEqual(['/a/b/', '/a/b/', 'C:\\code\\', '~/code/'])
})

test('quotes around a path are removed, even if the second one is missing; those of a name stay', () => {
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

test('a path is understood as terminals escape it and as file managers copy it', () => {
  const pasted = ['/home/ada/my\\ work\\(old\\)', '~/a\\ b/', 'file:///home/ada/my%20work', 'FILE:///C:/code', 'file://%', 'C:\\My code']
  expect(pasted.map(meantPath)).toEqual(['/home/ada/my work(old)', '~/a b/', '/home/ada/my work', 'C:/code', 'file://%', 'C:\\My code'])
})
