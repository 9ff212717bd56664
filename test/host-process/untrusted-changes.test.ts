import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { oneLook } from '../../main/agent/one-look.ts'
import { failureOf } from '../environment/support.ts'
import { memoryBlobs } from '../support/memory-blobs.ts'
import { type ScriptedFarSide, startWith, welcome } from './scripted-far-side.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const RESULT = {
  stdout: '',
  stderr: '',
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  durationMs: 1,
  bytes: 0,
  complete: true,
}
const FILE = { kind: 'file', mode: 0o644, size: 3, mtimeMs: 0 }

/** The far side's answer to a command in a copy that has written one file. */
function answered(path: string, folder: string, hash: string) {
  const changeSet = { changes: [{ kind: 'created', path, after: { ...FILE, hash } }], obstacles: [], leftOut: [] }
  return {
    result: RESULT,
    changeSet,
    blocked: [],
    stopped: null,
    unfit: null,
    secondTry: null,
    hidden: [],
    notes: [],
    stateAfter: null,
    kept: { ...changeSet, version: 1, folder, device: '1' },
  }
}

/** Runs a command in a copy on a far side that gives these answers, and keeps its changes. */
async function keptFrom(answer: ReturnType<typeof answered>, content: string) {
  const blobs = memoryBlobs()
  const script = async (far: ScriptedFarSide): Promise<void> => {
    await welcome(far)
    const { id } = await far.heard('call')
    far.send({ kind: 'content', id, bytes: content.length })
    far.send({ kind: 'piece', id }, Buffer.from(content))
    far.send({ kind: 'done', id, value: answer })
  }
  const host = await startWith(script, { data: '/data', blobs, isFar: true })
  const copy = await host.copies?.run('true')
  return copy?.keep(blobs.putInSlices)
}

it('a change set is kept with the content that has its hash', async () => {
  expect(await keptFrom(answered('a.txt', '/somewhere', hashOf('one')), 'one')).toMatchObject({ changes: [{ path: 'a.txt' }] })
})

it.each([
  ['with a wrong hash', answered('a.txt', '/somewhere', hashOf('two')), 'the content of a file is missing'],
  ['for another folder', answered('a.txt', '/home/ada', hashOf('one')), 'the changes belong to another folder'],
  ['with a path outside of the folder', answered('../a.txt', '/somewhere', hashOf('one')), 'was not valid'],
  ['with an absolute path', answered('/etc/passwd', '/somewhere', hashOf('one')), 'was not valid'],
])('a change set %s is refused, and nothing of it can be signed', async (_, answer, words) => {
  expect(await failureOf(keptFrom(answer, 'one'))).toEqual({ code: 'EPROTO', message: expect.stringContaining(words) })
})

it('a look whose contents are not complete is not believed: the file is asked for again', async () => {
  const host = await startWith(
    async (far) => {
      await welcome(far)
      const looked = await far.heard('call')
      const none = { is: null }
      const lie = { path: '/somewhere/a', real: { is: '/somewhere/a' }, stat: none, lstat: none, bytes: 10, entries: null }
      far.send({ kind: 'piece', id: looked['id'] }, Buffer.from('short'))
      far.send({ kind: 'done', id: looked['id'], value: [lie] })
      const asked = await far.heard('call')
      far.send({ kind: 'failed', id: asked['id'], code: 'EACCES', message: 'Not for you (EACCES).' })
    },
    { isFar: true },
  )
  expect(await oneLook(() => failureOf(host.environment.readBytes('/somewhere/a')))).toMatchObject({ code: 'EACCES' })
})
