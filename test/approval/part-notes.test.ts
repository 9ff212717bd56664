import { expect, test } from 'vitest'
import { commandParts } from '../../main/approval/command-parts.ts'
import { withNotes } from '../../main/approval/part-notes.ts'

const place = { cwd: '/code/app', root: '/code/app', home: '/home/me' }
const notesOf = (command: string): readonly (string | null)[] => withNotes(commandParts(command), place).map(({ note = null }) => note)

test.each([
  ['nothing is special', 'npm ci && npm test', [null, null]],
  ['one removes', 'npm ci && rm -rf dist && npm test', [null, 'may delete data', null]],
  ['two do, each for itself', 'rm -rf dist; git push --force origin main', ['may delete data', expect.stringContaining('may delete data')]],
  ['it goes where the line has gone', 'cd .. && touch other.txt', [null, 'may reach outside the folder']],
  ['it writes what decides what runs', 'echo x > .git/hooks/pre-commit; ls', ['writes .git/hooks/pre-commit', null]],
])('the part that makes a command be asked for says so: %s', (_, command, notes) => {
  expect(notesOf(command)).toEqual(notes)
})
