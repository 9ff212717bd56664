import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLocalExecutionEnvironment, type LocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { rebasedEnvironment } from '../../main/environment/rebased-environment.ts'
import { plant, tempFolder } from './support.ts'

type Effect = (env: LocalExecutionEnvironment) => Promise<unknown>

const EFFECTS: readonly (readonly [string, Effect])[] = [
  ['writeFile', (env) => env.writeFile('new/a.txt', 'x')],
  ['writeBytes', (env) => env.writeBytes('a.txt', new Uint8Array([1]))],
  ['deleteFile', (env) => env.deleteFile('kept.txt')],
  ['rename', (env) => env.rename('kept.txt', 'b.txt')],
  ['symlink', (env) => env.symlink('kept.txt', 'link')],
  ['setMode', (env) => env.setMode('kept.txt', 0o600)],
  ['createFolder', (env) => env.createFolder('made', 0o755)],
  ['removeFolder', (env) => env.removeFolder('sub')],
  ['execCommand', (env) => env.execCommand('touch made')],
  ['execCommand in another folder', (env) => env.execCommand('true', { workingDir: '/' })],
  ['openShell', (env) => env.openShell()],
  ['spawn', (env) => env.spawn(['touch', 'made'])],
  ['a write from a subfolder', (env) => rebasedEnvironment(env, join(env.workingDirectory(), 'sub')).writeFile('a.txt', 'x')],
]

const LOSSES: readonly (readonly [string, (root: string) => void])[] = [
  ['deleted', (root) => rmSync(root, { recursive: true })],
  ['renamed', (root) => renameSync(root, `${root}-elsewhere`)],
  ['deleted and created again', (root) => (rmSync(root, { recursive: true }), mkdirSync(root), plant(root, { 'kept.txt': 'other' }))],
  [
    'renamed, with another folder in its place',
    (root) => (renameSync(root, `${root}-elsewhere`), mkdirSync(root), plant(root, { 'kept.txt': 'other' })),
  ],
]

describe('fault 22: a missing project folder is neither recreated nor replaced by another folder', () => {
  for (const [how, lose] of LOSSES) {
    it.each(EFFECTS)(`${how}: %s fails with ESTALE and has no effect`, async (_, effect) => {
      const root = join(tempFolder(), 'project')
      plant(root, { 'kept.txt': 'kept' })
      const env = createLocalExecutionEnvironment(root)
      await env.initialize()
      lose(root)
      const before = existsSync(root) ? readdirSync(root) : null
      await expect(effect(env)).rejects.toMatchObject({ code: 'ESTALE', message: expect.stringContaining('Nothing was done') })
      expect(existsSync(root) ? readdirSync(root) : null).toEqual(before)
    })
  }

  it('a running shell executes nothing more', async () => {
    const root = join(tempFolder(), 'project')
    mkdirSync(root)
    const env = createLocalExecutionEnvironment(root)
    await env.initialize()
    const shell = await env.openShell()
    renameSync(root, `${root}-elsewhere`)
    await expect(shell.run('touch made')).rejects.toMatchObject({ code: 'ESTALE' })
    expect(readdirSync(`${root}-elsewhere`)).toEqual([])
    await env.cleanup()
  })

  it('a missing file is distinguished from a missing project, and a restored project can be used again', async () => {
    const root = join(tempFolder(), 'project')
    mkdirSync(root)
    const env = createLocalExecutionEnvironment(root)
    await env.initialize()
    expect(await env.stat('a.txt')).toBeNull()
    renameSync(root, `${root}-elsewhere`)
    await expect(env.stat('a.txt')).rejects.toMatchObject({ code: 'ESTALE' })
    await expect(env.readBytes('a.txt')).rejects.toMatchObject({ code: 'ESTALE' })
    renameSync(`${root}-elsewhere`, root)
    await env.writeFile('a.txt', 'x')
    expect(readdirSync(root)).toEqual(['a.txt'])
  })
})
