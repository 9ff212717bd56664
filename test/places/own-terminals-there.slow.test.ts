import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { processesWith } from '../environment/copy/support.ts'
import { say, startScriptedModel } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startContainer, whyNoContainer } from './support/container.ts'
import { openFarDesk } from './support/far-desk.ts'
import { buildGuest, startSshServer, whyNoSshServer } from './support/ssh-server.ts'

beforeAll(buildGuest, 180_000)

const KINDS = {
  'on an ssh host': async () => {
    const ssh = await startSshServer()
    onTestFinished(() => ssh.close())
    vi.stubEnv('COUNTERSIGN_SSH_CONFIG', ssh.config)
    mkdirSync(join(ssh.folder, 'project'))
    return { address: `ssh://${ssh.host}${ssh.folder}/project`, folder: `${ssh.folder}/project`, home: ssh.home }
  },
  'in a container': () => {
    const { name, inside, close } = startContainer()
    onTestFinished(close)
    return Promise.resolve({ address: `container:${name}${inside}`, folder: inside, home: '/root' })
  },
}

test.for([
  ['on an ssh host', whyNoSshServer, '4931'],
  ['in a container', whyNoContainer, '4932'],
] as const)(
  'the user’s own terminal %s works in the folder there, has its size, and ends with all it started',
  { timeout: 180_000 },
  async ([kind, missing, seconds], { skip }) => {
    if (missing !== null) return skip(missing)
    const { address, folder, home } = await KINDS[kind]()
    const model = await startScriptedModel([say('Done.')])
    onTestFinished(() => model.close())
    const desk = await openFarDesk({ base: temporaryFolder('terminal'), folder: address, modelUrl: model.url })
    onTestFinished(() => desk.close())
    const sessionId = await desk.session('ask')
    const { terminals } = desk.client
    const opened = await terminals.openOwn({ sessionId, words: 'echo "in $PWD of $HOME"; stty size' })
    if (!opened.ok) throw new Error(opened.trouble.what)
    const one = { sessionId, toolCallId: opened.toolCallId }
    let screen = ''
    const abort = new AbortController()
    onTestFinished(() => abort.abort())
    const watching = (async () => {
      for await (const item of terminals.attach(one, abort.signal)) if (item.kind === 'replay' || item.kind === 'data') screen += item.data
    })().catch(() => {})
    await expect.poll(() => screen).toContain('stty size')
    await terminals.resize({ ...one, columns: 99, rows: 33 })
    await terminals.write({ ...one, data: '\r' })
    await expect.poll(() => screen).toContain(`in ${folder} of ${home}`)
    await expect.poll(() => screen).toContain('33 99')
    await terminals.write({ ...one, data: `setsid sleep ${seconds} & sleep ${seconds}\r` })
    await expect.poll(() => processesWith(`sleep\0${seconds}`).length).toBe(2)
    expect(await terminals.end(one)).toEqual({ ended: true })
    await expect.poll(() => processesWith(`sleep\0${seconds}`).length).toBe(0)
    abort.abort()
    await watching
  },
)
