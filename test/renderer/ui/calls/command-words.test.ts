import { expect, test } from 'vitest'
import { firstLine, withShortProgram } from '../../../../renderer/ui/calls/call-words.ts'

test.each([
  ['/home/maya/.nvm/versions/node/v24.1.0/bin/node --test', '/home/…/node --test'],
  ['"/home/maya/.nvm/versions/node/v24/bin/node" --test', '"/home/…/node" --test'],
  [
    '/usr/bin/node --test /home/maya/projects/invoicing/test/day.test.js',
    '/usr/bin/node --test /home/maya/projects/invoicing/test/day.test.js',
  ],
  ['/a-program-with-a-rather-long-name --test', '/a-program-with-a-rather-long-name --test'],
  ['npm test', 'npm test'],
])('the line of a step shows %s as %s', (command, said) => {
  expect(withShortProgram(command)).toBe(said)
})

test('a command with several lines is shown as its first line and an ellipsis', () => {
  expect(['one', 'one\ntwo'].map(firstLine)).toEqual(['one', 'one …'])
})
