import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inLook, lookAhead, newLook, oneLook } from '../../main/agent/one-look.ts'
import { lookAt } from '../../main/host-process/far/look-at.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { hostOver } from '../environment/host-environment.ts'
import { failureOf, tempFolder } from '../environment/support.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

async function farFolder() {
  const folder = tempFolder()
  writeFileSync(join(folder, 'a.txt'), 'one')
  const { environment, comparison } = await hostOver(folder, { isFar: true })
  return { folder, env: environment, comparison, path: join(folder, 'a.txt') }
}

it('outside of a look, every read sees the file as it is now', async () => {
  const { env, path } = await farFolder()
  expect(text(await env.readBytes(path))).toBe('one')
  writeFileSync(path, 'two')
  expect([text(await env.readBytes(path)), (await env.stat(path))?.size]).toEqual(['two', 3])
})

it('in a look, facts and content of a file belong together, and the next look sees it as it is then', async () => {
  const { env, path } = await farFolder()
  await oneLook(async () => {
    expect(await env.realpath(path)).toBe(path)
    writeFileSync(path, 'longer')
    expect([(await env.stat(path))?.size, text(await env.readBytes(path))]).toEqual([3, 'one'])
  })
  expect(await oneLook(async () => text(await env.readBytes(path)))).toBe('longer')
})

it('in a look, what we write, remove and run is seen at once', async () => {
  const { env, path } = await farFolder()
  await oneLook(async () => {
    await env.realpath(path)
    await env.writeBytes(path, Buffer.from('written'), { expected: Buffer.from('one') })
    expect([text(await env.readBytes(path)), (await env.stat(path))?.size]).toEqual(['written', 7])
    await env.execCommand(`printf run > ${path}`)
    expect(text(await env.readBytes(path))).toBe('run')
    await env.deleteFile(path)
    expect(await env.stat(path)).toBeNull()
  })
})

it('a file that has changed since the look is not overwritten', async () => {
  const { env, path } = await farFolder()
  await oneLook(async () => {
    const seen = await env.readBytes(path)
    writeFileSync(path, 'of the user')
    expect(await failureOf(env.writeBytes(path, Buffer.from('ours'), { expected: seen, real: true }))).toMatchObject({ code: 'ECHANGED' })
  })
  expect(readFileSync(path, 'utf8')).toBe('of the user')
})

it('a failure in a look has the code and the words of the call itself', async () => {
  const { env, path } = await farFolder()
  const below = join(path, 'below')
  expect(await oneLook(() => failureOf(env.readBytes(below)))).toEqual(await failureOf(env.readBytes(below)))
  expect(await oneLook(() => failureOf(env.realpath('a\0b')))).toEqual(await failureOf(env.realpath('a\0b')))
})

it('a configuration folder is looked at whole, and nothing is read that was not asked for', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, '.claude/commands'), { recursive: true })
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.claude/commands/fix.md'), 'Fix it.')
  writeFileSync(join(folder, '.git/config'), 'secret')
  const env = createLocalExecutionEnvironment(folder)
  const sent: string[] = []
  const look = async (read: readonly string[]) => {
    const paths = ['.claude', '.git'].map((name) => join(folder, name))
    const found = await lookAt(env, paths, new Set(read), async (bytes) => void sent.push(text(bytes)))
    return found.map(({ path }) => path.slice(folder.length + 1)).toSorted()
  }
  const all = ['.claude', '.claude/commands', '.claude/commands/fix.md', '.git']
  expect([await look([]), sent]).toEqual([all, []])
  expect([await look([join(folder, '.claude')]), sent]).toEqual([all, ['Fix it.']])
})

it('paths that are looked at ahead cost no further question', async () => {
  const { env, folder } = await farFolder()
  await inLook(newLook(), async () => {
    await lookAhead(env, [join(folder, 'a.txt'), join(folder, 'none.txt')], 'facts')
    writeFileSync(join(folder, 'none.txt'), 'new')
    expect(await env.stat(join(folder, 'none.txt'))).toBeNull()
  })
})

it('a command waits there for the comparison that began before it', async () => {
  const { env, comparison, path } = await farFolder()
  const run = await comparison.begin()
  await env.execCommand(`printf changed > ${path}`)
  const { changes } = await run.end()
  expect(changes.map(({ before, after }) => [before && text(before.bytes), after && text(after.bytes)])).toEqual([['one', 'changed']])
})
