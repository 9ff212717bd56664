import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runOwnProgram } from '../../../main/environment/own-programs/run-own-program.ts'
import { tempFolder } from '../support.ts'

it.skipIf(process.platform === 'win32')('a script of our own in bash does not run the user’s .bashrc', async () => {
  const home = tempFolder()
  writeFileSync(join(home, '.bashrc'), 'echo from bashrc\n')
  const { failure, stdout } = await runOwnProgram('/bin/bash', ['-c', 'echo ours'], { cwd: '/', variables: { HOME: home } })
  expect([failure, stdout.toString()]).toEqual([null, 'ours\n'])
})
