import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { tempFolder } from './temp-folder.ts'

const PROCESSES = fileURLToPath(new URL('../../main/bootstrap/processes.mjs', import.meta.url))

/** Runs two programs one after the other, as the suites are run. The first program takes 50 ms to exit after a signal. */
const script = `
import { writeFileSync } from 'node:fs'
import { Interrupted, runOpenly } from ${JSON.stringify(PROCESSES)}
const first = "process.on('SIGTERM', () => setTimeout(() => { require('fs').writeFileSync('tidied', ''); process.exit(7) }, 50)); setInterval(() => {}, 1000); console.log('ready')"
const options = { cwd: process.cwd(), env: process.env }
try {
  await runOpenly(process.execPath, ['-e', first], options)
  await runOpenly(process.execPath, ['-e', "require('fs').writeFileSync('went on', '')"], options)
} catch (error) {
  process.exitCode = error instanceof Interrupted ? error.exitCode : 99
}
`

/** A program that prints when it runs and when it receives a signal. Without a signal it would run forever. */
const patient =
  "process.on('SIGTERM', () => { console.log('told to end'); process.exit(0) }); setInterval(() => {}, 1000); console.log('runs')"
const STARTS = `
import { runOpenly } from ${JSON.stringify(PROCESSES)}
await runOpenly(process.execPath, ['-e', ${JSON.stringify(patient)}], { cwd: process.cwd(), env: process.env }).catch(() => {})
`

// Windows has no signals that a program can handle.
test.skipIf(process.platform === 'win32')('after a signal the running program may finish, and no other program is started', async () => {
  const folder = tempFolder({ 'script.mjs': script })
  const child = spawn(process.execPath, ['script.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.once('data', () => child.kill('SIGTERM'))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, tidied: existsSync(join(folder, 'tidied')), wentOn: existsSync(join(folder, 'went on')) }).toEqual({
    code: 7,
    tidied: true,
    wentOn: false,
  })
})

// Windows has no signals that a program can handle.
describe.skipIf(process.platform === 'win32')('a signal that ends npm start also ends what it runs', () => {
  test.each<[string, string, readonly string[], NodeJS.Signals]>([
    ['npm itself', 'npm', ['start', '--silent'], 'SIGTERM'],
    // `; true` keeps the shell from replacing itself with the program.
    ['the shell between npm and us', 'sh', ['-c', '"$0" starts.mjs; true', process.execPath], 'SIGTERM'],
    ['the shell between npm and us, which is killed', 'sh', ['-c', '"$0" starts.mjs; true', process.execPath], 'SIGKILL'],
  ])('%s (%s %j, %s)', async (_, command, args, signal) => {
    const scripts = { start: 'node starts.mjs' }
    const folder = tempFolder({ 'starts.mjs': STARTS, 'package.json': JSON.stringify({ name: 'x', private: true, scripts }) })
    const env = { ...process.env, npm_lifecycle_event: 'start' }
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said === 'runs\n') child.kill(signal)
    })
    // The output closes only after every process that has it open has ended.
    await new Promise((resolve) => child.on('close', resolve))
    expect(said).toBe('runs\ntold to end\n')
  })
})
