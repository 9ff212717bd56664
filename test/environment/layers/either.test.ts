import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { createCloneLayers } from '../../../main/environment/layers/clone-layers.ts'
import { eitherLayers } from '../../../main/environment/layers/either-layers.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { hasNoCopies } from '../copy/support.ts'
import { openOverlayLayers, SESSION } from './support.ts'

const [SECOND, THIRD] = ['second', 'third'].map((name) => SessionId.parse(name)) as [SessionId, SessionId]

/** Layers of both kinds of one folder. `why` may change between calls. */
function openEither() {
  const { base, folder, layers: overlay, blobs } = openOverlayLayers({ a: 'A' })
  const layers = join(base, 'data', 'layers')
  const clone = createCloneLayers({
    folder,
    layers,
    missing: () => Promise.resolve(null),
    put: blobs.put,
    get: (hash) => Promise.resolve(Buffer.from(blobs.text(hash))),
    openTree: (tree) => ({
      environment: createLocalExecutionEnvironment(tree),
      copies: createLocalCommandCopies({ folder, source: tree, layers: join(base, 'data', 'copies') }),
    }),
  })
  const machine = { why: null as string | null }
  const either = eitherLayers({
    layers,
    overlay: { ...overlay, open: () => Promise.reject(new Error('An overlay was opened.')) },
    clone,
    whyClones: () => Promise.resolve(machine.why),
  })
  const kindOf = (session: SessionId): string => (existsSync(join(layers, session, 'tree')) ? 'clone' : 'overlay')
  return { either, machine, kindOf }
}

const make = (layers: ReturnType<typeof openEither>['either'], session: SessionId): Promise<void> =>
  layers.make(session, AbortSignal.timeout(60_000))

describe.skipIf(hasNoCopies)('layers of both kinds', () => {
  it('are overlays, and clones where no overlay can be used', async () => {
    const { either, machine, kindOf } = openEither()
    await make(either, SESSION)
    machine.why = 'There is no Node.'
    await make(either, SECOND)
    expect([SESSION, SECOND].map(kindOf)).toEqual(['overlay', 'clone'])
    expect(await either.whyClones()).toBe('There is no Node.')
  })

  it('stay what they are, and so do their forks', async () => {
    const { either, machine, kindOf } = openEither()
    machine.why = 'There is no Node.'
    await make(either, SESSION)
    machine.why = null
    await either.makeIfMissing(SESSION)
    await either.makeIfMissing(SECOND, SESSION)
    expect([SESSION, SECOND].map(kindOf)).toEqual(['clone', 'clone'])
    const { environment, inside } = await either.open(SESSION)
    expect([inside, await environment.readFile('a')]).toEqual([null, expect.stringContaining('A')])
    await either.makeIfMissing(THIRD)
    expect(kindOf(THIRD)).toBe('overlay')
    await expect(either.open(THIRD)).rejects.toThrow('An overlay was opened.')
  })

  it('are made again as what is possible then', async () => {
    const { either, machine, kindOf } = openEither()
    await make(either, SESSION)
    machine.why = 'There is no Node.'
    await make(either, SESSION)
    expect(kindOf(SESSION)).toBe('clone')
  })
})
