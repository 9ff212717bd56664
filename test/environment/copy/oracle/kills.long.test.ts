import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recoverCopies } from '../../../../main/environment/copy/apply-journal.ts'
import { removeHeldTrees } from '../../../../main/environment/copy/copies-left-behind.ts'
import { hasNoCopies, openCopies, processesWith, treeOf } from '../support.ts'

const ROUNDS = 300
/** In ms. This is longer than a complete run. */
const LONGEST_MS = 900

/** Returns a script that runs a command in a copy, keeps its changes for a while, and applies them. */
const scriptFor = (folder: string, layers: string): string => `
  import { createHash } from 'node:crypto'
  import { createLocalCommandCopies } from ${JSON.stringify(new URL('../../../../main/environment/copy/local-command-copies.ts', import.meta.url).href)}
  const copies = createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(layers)} })
  console.log('begun')
  const ended = await copies.run('rm -r old; mkdir new dist; touch dist/{1..250}; for i in {1..39..2}; do echo new > f$i; echo new > new/f$i; done; sleep 0.0471; sleep 4711 & sleep 0.2')
  const blobs = new Map()
  const kept = await ended.keep((bytes) => { const hash = createHash('sha256').update(bytes).digest('hex'); blobs.set(hash, bytes); return hash })
  await ended.drop()
  await new Promise((resolve) => setTimeout(resolve, 50))
  console.log((await copies.apply(kept, (hash) => blobs.get(hash))).kind)
`

it.skipIf(hasNoCopies)(
  `${ROUNDS} kills at random moments leave the folder in its old or its new state`,
  async () => {
    const { folder, layers, base } = openCopies()
    const file = join(base, 'script.ts')
    writeFileSync(file, scriptFor(folder, layers))
    const seen = { before: 0, after: 0 }
    let whole: object | null = null
    for (let round = 0; round <= ROUNDS; round++) {
      plantOld(folder)
      const before = treeOf(folder)
      await delay(10)
      const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
      const closed = new Promise((resolve) => child.once('close', resolve))
      await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
      // The first round is not killed. It shows the expected result.
      if (round > 0) {
        await Promise.race([delay(Math.random() * LONGEST_MS), closed])
        child.kill('SIGKILL')
      }
      await closed
      expect(await recoverCopies(layers)).toEqual([])
      await removeHeldTrees(layers, () => Promise.resolve([]))
      const after = treeOf(folder)
      whole ??= after
      expect([before, whole]).toContainEqual(after)
      seen[JSON.stringify(after) === JSON.stringify(before) ? 'before' : 'after'] += 1
      expect(readdirSync(layers)).toEqual([])
      await expect.poll(() => processesWith('sleep\u00004711')).toEqual([])
    }
    expect(seen.before).toBeGreaterThan(ROUNDS / 10)
    expect(seen.after).toBeGreaterThan(0)
  },
  3_600_000,
)

function plantOld(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'old'), { recursive: true })
  for (let index = 0; index < 40; index++) writeFileSync(join(folder, index % 2 ? `f${index}` : `old/f${index}`), 'old')
  writeFileSync(join(folder, '.gitignore'), 'dist/')
  execFileSync('touch', ['-d', '2020-01-01', join(folder, '.gitignore')])
}
