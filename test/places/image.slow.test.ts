import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownProgram } from '../../main/environment/own-programs/own-programs.ts'
import { createMadePlaces } from '../../main/places/made/made-places.ts'
import { createPlaces } from '../../main/places/places.ts'
import { parseAddress } from '../../shared/places/address.ts'
import { runAgent } from '../headless/support/agent-process.ts'
import { place as modelPlace } from '../headless/support/model-place.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { makeImage, type TestImage, whyNoContainer } from './support/container.ts'
import { newFolder } from './support/made.ts'
import { NO_REDACTOR } from './support/no-redactor.ts'
import { buildGuest } from './support/ssh-server.ts'

const whyNoDevContainer = ownProgram('devcontainer') === null ? 'no program devcontainer was found (npm: @devcontainers/cli)' : null
if (whyNoDevContainer !== null) process.stderr.write(`Skipped: ${whyNoDevContainer}\n`)

describe.skipIf(whyNoContainer !== null)('a container of its own for a session', { timeout: 180_000 }, () => {
  let image: TestImage
  beforeAll(async () => {
    await buildGuest()
    image = makeImage()
  }, 180_000)
  afterAll(() => image?.close())

  test('a headless run works on the folder in a new container, which is gone afterwards', async () => {
    const folder = newFolder('shop')
    await writeFile(join(folder, 'a.txt'), 'hello\n')
    const at = await modelPlace([
      calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
      calls(call('shell', { command: 'pwd > pwd.txt; cat /proc/1/comm > one.txt' })),
      say('Done.'),
    ])
    const ran = await runAgent(['--place', `image:${image.name}`, '--approve', 'all', 'Do it'], { ...at, cwd: folder })
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`made from image:${image.name} for ${folder}`)])
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('hello there\n')
    expect(await readFile(join(folder, 'pwd.txt'), 'utf8')).toBe(`/workspaces/${basename(folder)}\n`)
    expect(await readFile(join(folder, 'one.txt'), 'utf8')).toBe('sh\n')
    expect(image.running()).toEqual([])
    expect(image.volumesOf(folder)).toEqual([expect.stringMatching(/-data$/u)])
    const places = async () =>
      JSON.parse((await runAgent(['places', 'list', '--json'], at, false)).stdout) as { places: { place: string }[] }
    const [listed] = (await places()).places
    expect(listed).toMatchObject({
      kind: 'made',
      from: `image:${image.name}`,
      folder,
      why: expect.stringContaining('There is no container'),
    })
    const stopped = await runAgent(['places', 'stop', listed?.place ?? '', '--uninstall', '--yes'], at, false)
    expect([stopped.code, (await places()).places, image.volumesOf(folder)]).toEqual([0, [], []])
  })

  test('commands run in copies in a container that Countersign has made, and a layer there outlives the container', async () => {
    const folder = newFolder('copies')
    await writeFile(join(folder, 'a.txt'), 'hello\n')
    const at = await modelPlace([
      calls(call('shell', { command: 'echo changed >> a.txt; touch seen-in-copy' })),
      say('Done.'),
      calls(call('shell', { command: 'echo beside > b.txt' })),
      say('Done.'),
    ])
    const sandboxed = ['--place', `image:${image.name}`, '--sandbox', 'require'] as const
    const ran = await runAgent([...sandboxed, '--mode', 'plan', 'Look'], { ...at, cwd: folder })
    expect([ran.code, await readFile(join(folder, 'a.txt'), 'utf8')]).toEqual([0, 'hello\n'])
    expect(at.model.requests.at(1)?.body.messages.length).toBe(3)
    const beside = await runAgent([...sandboxed, '--beside', 'Do it'], { ...at, cwd: folder })
    expect([beside.code, await readdir(folder)]).toEqual([0, ['a.txt']])
    expect(image.running()).toEqual([])
    const [, address = ''] = /Working in (\S+), made from/u.exec(beside.stderr) ?? []
    const brought = await runAgent(['--place', address, 'bring-in', 'last', '--approve', 'all'], { ...at, cwd: '' }, false)
    expect([brought.code, brought.stderr]).toEqual([0, ''])
    expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('beside\n')
  })

  test('a container that was removed is made again by the next call', async () => {
    const folder = newFolder('again')
    const madeIn = newFolder('records')
    const places = createPlaces({ redactor: NO_REDACTOR, mayInstall: () => Promise.resolve(false), madeIn })
    const planned = await (await places.made()).plan(`image:${image.name}`, folder)
    if (!planned.ok) throw new Error(planned.failure.what)
    const { place, folder: inside } = parseAddress(planned.value.address)
    const reached = place && (await places.reach(place))
    if (!reached?.ok) throw new Error(JSON.stringify(reached))
    const env = reached.value.createEnvironment(inside)
    await env.writeFile('one.txt', 'one')
    expect(image.running()).toEqual([planned.value.name])
    await (await places.made()).stop(planned.value.name, false)
    expect(image.running()).toEqual([])
    await expect.poll(() => env.readFile('one.txt').catch(() => null), { timeout: 60_000 }).toContain('one')
    expect((await (await places.made()).list()).map(({ state }) => state)).toEqual([{ kind: 'running' }])
    await places.close()
    await (await places.made()).stop(planned.value.name, true)
    expect([image.running(), await (await places.made()).list()]).toEqual([[], []])
  })

  test('a container ends by itself when no desk renews its lease', async () => {
    const made = createMadePlaces({ folder: newFolder('records'), leaseS: 4, now: Date.now })
    const planned = await made.plan(`image:${image.name}`, newFolder('lease'))
    const { place } = parseAddress(planned.ok ? planned.value.address : '')
    if (place === null) throw new Error('There is no place.')
    expect(await made.ensure(place, { report: () => {} })).toEqual({ ok: true, value: { isNew: true } })
    made.close()
    await expect.poll(() => image.running(), { timeout: 30_000, interval: 500 }).toEqual([])
    expect((await made.list()).map(({ state }) => state)).toEqual([{ kind: 'gone', why: expect.stringContaining('There is no container') }])
  })

  test.skipIf(whyNoDevContainer !== null)(
    'a run in the dev container of the folder has its user’s tools, and the container is gone afterwards',
    async () => {
      const folder = newFolder('dev')
      await mkdir(join(folder, '.devcontainer'))
      const described = `{
      // A comment, as editors write them.
      "image": "${image.name}",
      "workspaceFolder": "/srv",
      "workspaceMount": "source=\${localWorkspaceFolder},target=/srv,type=bind",
      "postCreateCommand": "echo created > /srv/created.txt",
      "updateRemoteUserUID": false,
    }`
      await writeFile(join(folder, '.devcontainer/devcontainer.json'), described)
      const at = await modelPlace([calls(call('shell', { command: 'pwd > pwd.txt' })), say('Done.')])
      const ran = await runAgent(['--place', 'devcontainer:', '--sandbox', 'require', '--approve', 'all', 'Do it'], { ...at, cwd: folder })
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('/srv, made from devcontainer: for')])
      expect(await readFile(join(folder, 'pwd.txt'), 'utf8')).toBe('/srv\n')
      expect(await readFile(join(folder, 'created.txt'), 'utf8')).toBe('created\n')
      expect(image.running()).toEqual([])
    },
  )

  test('a folder without a devcontainer.json, or without the program for it, says what to do', async () => {
    const made = createMadePlaces({ folder: newFolder('records'), now: Date.now })
    const planned = await made.plan('devcontainer:', newFolder('plain'))
    expect(planned).toMatchObject(
      whyNoDevContainer === null
        ? { ok: false, failure: { code: 'no_devcontainer', todo: 'Add one, or use an image: image:NAME' } }
        : { ok: false, failure: { code: 'no_devcontainer_cli', todo: 'Install it with: npm install --global @devcontainers/cli' } },
    )
    made.close()
  })
})
