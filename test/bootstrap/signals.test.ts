import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { tempFolder } from './temp-folder.ts'

const PROCESSES = fileURLToPath(new URL('../../main/bootstrap/processes.mjs', import.meta.url))

/** Two programs one after the other, as the suites are run; the first takes its time to end when it is told to. */
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

test.skipIf(process.platform === 'win32')('told to end, what runs may finish in order, and nothing more is begun', async () => {
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
