import { expect, test } from 'vitest'
import { broadFolderWarning } from '../../../../renderer/features/trust/trust-dialog.tsx'

test.each([
  ['/', '/home/maya', 'This is the whole disk.'],
  ['C:\\', 'C:\\Users\\Maya', 'This is the whole disk.'],
  ['/home/maya', '/home/maya', 'This is your whole home folder.'],
  ['C:\\Users\\Maya', 'C:\\Users\\Maya', 'This is your whole home folder.'],
  ['/home', '/home/maya', 'This folder contains your whole home folder.'],
  ['C:\\Users', 'C:\\Users\\Maya', 'This folder contains your whole home folder.'],
  ['/home/maya/code', '/home/maya', null],
  ['/hom', '/home/maya', null],
  ['/srv/work', '', null],
])('for trusting %s with the home folder %s the warning is %s', (folder, home, words) => {
  expect(broadFolderWarning(folder, home)).toBe(words)
})
