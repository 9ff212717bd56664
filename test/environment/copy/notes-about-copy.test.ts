import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { notesAboutCopy } from '../../../main/environment/copy/notes-about-copy.ts'
import { hasNoCopies, openCopies, ownHome } from './support.ts'

const NOTHING = {
  output: '',
  folder: '/code/project',
  hidden: ['/home/me/.ssh', '/code'],
  homeKept: 0,
  homeLost: 0,
  denied: [],
  leftRunning: 0,
}

it.each([
  ['cat: /home/me/.ssh/config: No such file or directory', ['Hidden from commands in a copy: /home/me/.ssh.']],
  ["Error: ENOENT: no such file or directory, open '/code/other/a.txt'", ['Hidden from commands in a copy: /code.']],
  ['cat: /code/project/a.txt: No such file or directory', []],
  ['The docs say that keys belong to /home/me/.ssh', []],
  ['cat: /home/me/.sshd/config: No such file or directory', []],
])('%s causes the notes %s', (output, notes) => {
  expect(notesAboutCopy({ ...NOTHING, output })).toEqual(notes)
})

describe.skipIf(hasNoCopies)('the note about what ended with a copy', () => {
  it('counts changes under home, and processes left running', async () => {
    const home = ownHome()
    writeFileSync(join(home, '.kept'), 'before')
    const { copies } = openCopies()
    const { notes, drop } = await copies.run('mkdir ~/.cache; echo 1 > ~/.cache/a; echo 2 > ~/.kept; sleep 300 & sleep 300 & disown -a')
    expect(notes).toEqual([
      "2 changes under the home folder are kept for this session's commands only.",
      '2 processes that the command left running ended with the copy. Run a command in the background to keep it running.',
    ])
    await drop()
  })

  it('is absent if no process is left, even if a signal ended the command', async () => {
    mkdirSync(join(ownHome(), '.config'))
    const { copies } = openCopies()
    const { notes, result, drop } = await copies.run('ls ~ >/dev/null; yes | head -1; (sleep 0.01 & wait); kill -9 $$')
    expect([notes, result.stdout, result.stderr, result.exitCode]).toEqual([[], 'y\n', '', 137])
    await drop()
  })

  it('cannot be forged by a command that overwrites the number of processes', async () => {
    const { copies } = openCopies()
    const { notes, drop } = await copies.run('head -c 50000 /dev/zero | tr "\\0" 7 > /run/countersign-left')
    expect(notes).toEqual([])
    await drop()
  })

  it('names hard links and extended attributes, which are not kept', async () => {
    const { copies, folder } = openCopies({ 'a.txt': 'a', 'e.txt': 'e', 'g.txt': 'g' })
    for (const name of ['e', 'g']) linkSync(join(folder, `${name}.txt`), join(folder, `${name}-2.txt`))
    const { changeSet, drop } = await copies.run(
      'ln a.txt b.txt; echo more >> e.txt; cat g.txt; echo x > c.txt; setfattr -n user.color -v red c.txt; echo y > d.txt',
    )
    expect(changeSet.leftOut).toEqual([
      { path: 'a.txt', what: 'hard-link' },
      { path: 'b.txt', what: 'hard-link' },
      { path: 'e.txt', what: 'hard-link' },
      { path: 'c.txt', what: 'attributes' },
    ])
    await drop()
  })
})
