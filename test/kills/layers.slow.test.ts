import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { placesOf } from '../../main/environment/layers/layer-places.ts'
import { layerPlacesIn } from '../../main/host-process/here/folder-layers.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { type Place, place } from '../headless/support/model-place.ts'
import { pathWithoutBubblewrap } from '../headless/support/path-without-bubblewrap.ts'
import { opened } from '../store/support/stores.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { treeOf } from './file-tree.ts'
import { repeatable } from './kill-rounds.ts'
import { runChild } from './run-child.ts'

/** The base and the layer's version of each changed file. */
type Files = Readonly<Record<string, readonly string[]>>
const OK = { ok: true, value: null }
const NAMES = ['a.txt', 'b.txt', 'c.txt']
const lines = (first: string, last: string): string => `${first}\n\n\n\n${last}\n`

/** A session that has changed the last line of each file in its layer, while the user has changed the first line in the folder. */
async function worked(kind: 'overlay' | 'clone') {
  const at = await place([calls(call('shell', { command: `sed -i s/last/layer/ ${NAMES.join(' ')}` })), say('Done.')])
  const env: Record<string, string> = kind === 'overlay' ? { ...at.env } : { ...at.env, PATH: await pathWithoutBubblewrap(at.data) }
  for (const name of NAMES) writeFileSync(join(at.cwd, name), lines('first', 'last'))
  const outcome = await runAgent(['--beside', '--approve', 'all', 'Change them'], { ...at, env })
  expect([outcome.code, outcome.stderr]).toEqual([0, ''])
  const store = await opened(at.data)
  const id = store.sessions.list().find(({ parent }) => parent === null)?.sessionId ?? ''
  store.close()
  const { tree } = placesOf(layerPlacesIn(at.data).layers, SessionId.parse(id))
  /** The user's change is newer than the layer. Files that were copied back are too, or a clone would count them as unchanged. */
  const changeFolder = (): void => {
    for (const name of NAMES) writeFileSync(join(at.cwd, name), lines('folder', 'last'))
    if (kind === 'clone') for (const name of NAMES) chmodSync(join(tree, name), statSync(join(tree, name)).mode)
  }
  changeFolder()
  return { at, env, id, changeFolder }
}

/** Carries out tasks of `children/layer-task.ts`. */
const layerTasks = (tasks: string, { data }: Place, id: string, env: Readonly<Record<string, string>>) =>
  runChild('layer-task.ts', [tasks, data, id], env, ['--import', new URL('../../main/preflight.mjs', import.meta.url).href])

describe.skipIf(hasNoCopies)('a kill while the folder’s changes are taken over', { timeout: 1_200_000 }, () => {
  test.each(['overlay', 'clone'] as const)(
    'before any change of the disk: each file of the %s is as before, or merged and based on the folder’s version',
    async (kind) => {
      const { at, env, id, changeFolder } = await worked(kind)
      const { restore, run } = await repeatable(at, (more) => layerTasks('take-over', at, id, { ...env, ...more }))
      /** Starts Countersign again and takes over. Returns the layer’s files before it, its result, and the files after it. */
      const next = async (): Promise<readonly [Files, unknown, Files]> =>
        JSON.parse((await layerTasks('changes,take-over,changes', at, id, env)).stdout)
      const before = [lines('first', 'last'), lines('first', 'layer')]
      const taken = [lines('folder', 'last'), lines('folder', 'layer')]
      const all = (versions: readonly string[]) => Object.fromEntries(NAMES.map((name) => [name, versions]))
      const folder = treeOf(at.cwd)
      const whole = await run({ KILL_AT: '0' })
      expect([whole.outcome.code, ...(await next())]).toEqual([0, all(taken), OK, all(taken)])
      // Once more, because the first run has filled what all runs share.
      restore()
      changeFolder()
      const { changes } = await run({ KILL_AT: '0' })
      // The app has started by the time it stores the first base.
      const first = changes.findIndex((change) => /\/expected\./u.test(change.trim()))
      expect(first).toBeGreaterThan(0)
      const counts = new Set<number>()
      let isWhole = false
      for (let killAt = Math.max(1, first - 3); !isWhole; killAt++) {
        restore()
        changeFolder()
        const { outcome } = await run({ KILL_AT: `${killAt}` })
        isWhole = outcome.code !== null
        const [found, ...again] = await next()
        for (const name of NAMES) expect([before, taken], `${killAt}: ${name}`).toContainEqual(found[name])
        const count = NAMES.filter((name) => found[name]?.[0] === taken[0]).length
        counts.add(count)
        expect(treeOf(at.cwd)).toEqual(folder)
        expect([killAt, ...again]).toEqual([killAt, OK, all(taken)])
      }
      expect([...counts]).toEqual(expect.arrayContaining([0, NAMES.length]))
      // The changes of a clone are applied completely or not at all.
      expect(counts.size > 2 && kind === 'clone').toBe(false)
    },
  )
})
