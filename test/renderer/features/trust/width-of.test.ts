import { expect, test } from 'vitest'
import { widthOf } from '../../../../renderer/features/trust/trust-dialog.tsx'

test.each([
  ['/', '/home/maya', 'This is the whole disk.'],
  ['C:\\', 'C:\\Users\\Maya', 'This is the whole disk.'],
  ['/home/maya', '/home/maya', 'This is your whole home folder.'],
  ['C:\\Users\\Maya', 'C:\\Users\\Maya', 'This is your whole home folder.'],
  ['/home', '/home/maya', 'Your whole home folder lies in this one.'],
  ['C:\\Users', 'C:\\Users\\Maya', 'Your whole home folder lies in this one.'],
  ['/home/maya/code', '/home/maya', null],
  ['/hom', '/home/maya', null],
  ['/srv/work', '', null],
])('trusting %s of somebody at home in %s says %s', (folder, home, words) => {
  expect(widthOf(folder, home)).toBe(words)
})
