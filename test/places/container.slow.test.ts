import { mkdtempSync } from 'node:fs'
import { writeFile, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knownMachines } from '../../main/places/machines.ts'
import { createPlaces, type Places } from '../../main/places/places.ts'
import { executionEnvironmentConformance } from '../conformance/execution-environment.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { place as modelPlace } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { startContainer, type TestContainer, whyNoContainer } from './support/container.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest } from './support/ssh-server.ts'

describe.skipIf(whyNoContainer !== null)('a folder in a container', { timeout: 180_000 }, () => {
  let container: TestContainer
  let places: Places
  const open = async (folder: string) => {
    const reached = await places.reach({ kind: 'container', name: container.name })
    if (!reached.ok) throw new Error(JSON.stringify(reached.failure))
    return reached.value.createEnvironment(folder)
  }
  const folderIn = (name: string): string => join(container.inside, basename(mkdtempSync(join(container.folder, `${name}-`))))
  beforeAll(async () => {
    await buildGuest()
    container = startContainer()
    places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(true) })
    await open('/')
  }, 180_000)
  afterAll(async () => {
    await places?.close()
    container?.close()
  })

  executionEnvironmentConformance('in a container', () => open(folderIn('conformance')))

  test('a headless run edits files and runs commands in the container', async () => {
    await writeFile(join(container.folder, 'a.txt'), 'hello\n')
    const at = await modelPlace([
      calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
      calls(call('shell', { command: 'pwd > pwd.txt; hostname > name.txt' })),
      say('Done.'),
    ])
    const ran = await runAgent(
      ['--place', `container:${container.name}${container.inside}`, '--approve', 'all', 'Do it'],
      { ...at, cwd: '' },
      false,
    )
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(await readFile(join(container.folder, 'a.txt'), 'utf8')).toBe('hello there\n')
    expect(await readFile(join(container.folder, 'pwd.txt'), 'utf8')).toBe(`${container.inside}\n`)
  })

  test('the container is offered, and a missing container is reported in the program’s words', async () => {
    const empty = join(container.folder, 'no-config')
    expect((await knownMachines(empty)).map(({ place }) => place)).toEqual([`container:${container.name}`])
    expect(await places.reach({ kind: 'container', name: 'no-such-container' })).toMatchObject({
      ok: false,
      failure: { code: 'place_not_reached', what: expect.stringMatching(/no (such )?container/iu) },
    })
  })
})
