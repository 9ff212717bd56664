import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import { removeFolder } from '../../support/remove-folder.ts'
import { startScriptedModel } from '../../support/scripted-model.ts'
import { driveApp } from './driven-app.ts'
import { FOUND } from './found.ts'
import { obey } from './model-script.ts'
import { finish, openSequence, take } from './sequence.ts'
import { type Step, steps } from './steps.ts'

export const PROMISE =
  'after any sequence of steps and kills, the folder is exactly what was signed, and each layer the folder plus what is unsigned'

/** Number of sequences at the same time, in one app. A kill of the app interrupts all of them. */
const AT_ONCE = 4
/** Number of failed sequences after which the rest are skipped. */
const ENOUGH = 3

/** Runs the sequences that once failed, and `count` random ones. A quarter of them run in clones. Each failure lists its steps. */
export async function followSequences(count: number): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sequences-')))
  const model = await startScriptedModel(obey)
  const app = driveApp(join(base, 'data'), model.url)
  onTestFinished(async () => {
    await app.close()
    await model.close()
    removeFolder(base)
  })
  const broken: string[] = []
  const follow = async (sequence: readonly Step[], folder: string, kind: 'overlay' | 'clone'): Promise<void> => {
    const run = await openSequence(app, folder, kind)
    for (const step of sequence) await take(run, step)
    await finish(run)
    rmSync(folder, { recursive: true })
  }
  await mapAtOnce([...[...FOUND, ...fc.sample(steps, count)].entries()], AT_ONCE, async ([index, sequence]) => {
    if (broken.length >= ENOUGH) return
    const kind = index % 4 === 3 ? 'clone' : 'overlay'
    await follow(sequence, join(base, `project-${index}`), kind).catch((error: unknown) => {
      const failure = `In a ${kind}, after ${JSON.stringify(sequence)}: ${error instanceof Error ? error.stack : String(error)}`
      // A long run shows it at once.
      process.stderr.write(`${failure}\n`)
      broken.push(failure)
    })
  })
  expect(broken.join('\n\n')).toBe('')
}
