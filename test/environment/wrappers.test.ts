import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { logging, type OperationRecord } from '../../main/embed/environments/logging-environment.ts'
import { readOnly } from '../../main/embed/environments/read-only-environment.ts'
import { failureOf, plant, tempFolder } from './support.ts'

it('S-29: the read-only environment reads and searches, and refuses everything that could write', async () => {
  const folder = tempFolder()
  plant(folder, { 'a.txt': 'alpha\n' })
  const env = readOnly(createLocalExecutionEnvironment(folder))
  const attempts = [
    env.writeFile('b', 'x'),
    env.writeBytes('b', new Uint8Array()),
    env.deleteFile('a.txt'),
    env.symlink('a.txt', 'b'),
    env.rename('a.txt', 'b'),
    env.setMode('a.txt', 0o777),
    env.createFolder('b', 0o755),
    env.removeFolder('b'),
    env.execCommand('touch b'),
    env.openShell(),
    env.open(['touch', 'b']),
  ]
  const failures = await Promise.all(attempts.map(failureOf))
  expect(failures.map(({ code }) => code)).toEqual(attempts.map(() => 'EROFS'))
  expect(failures[0]?.message).toBe('Not done: writing a file is not possible in read-only mode (EROFS).')
  expect([readdirSync(folder), readFileSync(join(folder, 'a.txt'), 'utf8')]).toEqual([['a.txt'], 'alpha\n'])
  expect([
    await env.readFile('a.txt'),
    (await env.grep('alpha', '.')).matches.length,
    (await env.glob('*', '.')).paths,
    env.workingDirectory(),
  ]).toEqual(['     1\talpha', 1, ['a.txt'], folder])
})

it('S-29: the logging environment logs each operation once with its outcome, without any content', async () => {
  const records: OperationRecord[] = []
  const env = logging(createLocalExecutionEnvironment(tempFolder()), (record) => records.push(record))
  await env.writeFile('a.txt', 'secret content')
  await env.readFile('a.txt')
  await failureOf(env.readFile('gone'))
  await env.execCommand('echo hi')
  await env.spawn(['true', 'x'])
  const durationMs = expect.any(Number)
  expect(records).toEqual([
    { operation: 'writeFile', subject: 'a.txt', durationMs, failure: null },
    { operation: 'readFile', subject: 'a.txt', durationMs, failure: null },
    {
      operation: 'readFile',
      subject: 'gone',
      durationMs,
      failure: { code: 'ENOENT', message: 'Could not read gone: it does not exist (ENOENT).' },
    },
    { operation: 'execCommand', subject: 'echo hi', durationMs, failure: null },
    { operation: 'spawn', subject: 'true x', durationMs, failure: null },
  ])
  expect(JSON.stringify(records)).not.toContain('secret content')
})

it('S-29: wrappers can be combined', async () => {
  const records: OperationRecord[] = []
  const env = logging(readOnly(createLocalExecutionEnvironment(tempFolder())), (record) => records.push(record))
  await failureOf(env.deleteFile('a'))
  expect(records.map(({ operation, failure }) => [operation, failure?.code])).toEqual([['deleteFile', 'EROFS']])
})
