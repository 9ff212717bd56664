import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT, runtimeNode } from '../../main/bootstrap/places.mjs'
import { putInPlace, removeOldFiles } from '../../main/bootstrap/put-in-place.mjs'
import { readAssetTable } from '../../main/http/asset-table.ts'
import { pageResponse } from '../../main/http/page-response.ts'
import { say, startScriptedModel } from '../support/scripted-model.ts'
import { tempFolder } from './temp-folder.ts'

const NODE = runtimeNode(ROOT) ?? process.execPath
const DAY = 24 * 3600 * 1000

test('a running process keeps loading the chunks of its own build after a new build', { timeout: 120_000 }, async () => {
  const folder = tempFolder({ 'host.mjs': HOST, 'work/a.txt': '' })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const built = join(folder, 'built')
  const next = join(folder, 'next')
  const dist = join(folder, 'dist')
  const rolldown = join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs')
  await promisify(execFile)(NODE, [rolldown, '-c', join(ROOT, 'main', 'agent-entry.config.ts'), '--dir', built], { cwd: ROOT })
  cpSync(built, next, { recursive: true })
  const renamed = giveNewHashes(next)
  putInPlace(built, dist)

  const model = await startScriptedModel([say('Done by the first build.')])
  const env = { ...process.env, ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url }
  const child = spawn(NODE, [join(folder, 'host.mjs')], { cwd: join(folder, 'work'), env, stdio: ['pipe', 'pipe', 'pipe'] })
  try {
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    await once(child.stdout, 'data')
    putInPlace(next, dist)
    for (const name of renamed) expect(existsSync(join(dist, 'chunks', name))).toBe(true)
    child.stdin.end('go on\n')
    let answer = ''
    child.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    await once(child, 'close')
    expect(errors).toBe('')
    expect(answer).toContain('Done by the first build.')
  } finally {
    child.kill()
    await model.close()
  }
})

/** A program that loads the entry, waits for a line, and only then asks a model, which loads the provider's SDK. */
const HOST = `import { createAgent } from './dist/agent-entry.js'
const agent = await createAgent({ cwd: process.cwd(), provider: 'anthropic', policy: 'accept-edits' })
process.stdout.write('loaded\\n')
for await (const _ of process.stdin);
const session = await agent.createSession()
const done = session.submit('Say it')
for await (const event of session.events()) {
  if (event.kind === 'ASSISTANT_TEXT_DELTA') process.stdout.write(event.text)
  if (event.kind === 'PROCESSING_END') break
}
await done
await agent.close()
`

/** Makes a build look as if it came from other sources: every chunk gets another hash in its name. Returns the new names. */
function giveNewHashes(folder: string): readonly string[] {
  const chunks = readdirSync(join(folder, 'chunks'))
  const renamed = chunks.map((name) => name.replace(/-[\w-]{8}\.js$/, '-00000000.js'))
  const unique = renamed.map((name, index) => name.replace('00000000', String(index).padStart(8, '0')))
  chunks.forEach((name, index) => renameSync(join(folder, 'chunks', name), join(folder, 'chunks', unique[index] ?? name)))
  for (const file of readdirSync(folder, { recursive: true }).map(String)) {
    const path = join(folder, file)
    if (!statSync(path).isFile()) continue
    const text = chunks.reduce((so, name, index) => so.replaceAll(name, unique[index] ?? name), readFileSync(path, 'utf8'))
    writeFileSync(path, text)
  }
  return unique
}

test('files of an older build are removed after a week, but files of the newest build are kept', () => {
  const folder = tempFolder({ 'one/chunks/a-1.js': 'a1', 'one/run.js': '1', 'two/chunks/a-2.js': 'a2', 'two/run.js': '2' })
  const one = join(folder, 'one')
  const two = join(folder, 'two')
  const dist = join(folder, 'dist')
  const again = (from: string, now: number): readonly string[] => {
    cpSync(from, join(folder, 'new'), { recursive: true })
    putInPlace(join(folder, 'new'), dist, now)
    expect(existsSync(join(folder, 'new'))).toBe(false)
    return readdirSync(join(dist, 'chunks')).toSorted()
  }
  expect(again(one, 0)).toEqual(['a-1.js'])
  expect(again(two, DAY)).toEqual(['a-1.js', 'a-2.js'])
  expect(readFileSync(join(dist, 'run.js'), 'utf8')).toBe('2')
  expect(again(two, 7 * DAY)).toEqual(['a-1.js', 'a-2.js'])
  expect(again(one, 8 * DAY)).toEqual(['a-1.js', 'a-2.js'])
  expect(again(one, 16 * DAY)).toEqual(['a-1.js'])
})

test('only the newest build is packaged', () => {
  const folder = tempFolder({ 'one/chunks/a-1.js': 'a1', 'two/chunks/a-2.js': 'a2', 'dist/chunks/unknown.js': '' })
  const dist = join(folder, 'dist')
  putInPlace(join(folder, 'one'), dist)
  putInPlace(join(folder, 'two'), dist)
  removeOldFiles(dist)
  expect(readdirSync(join(dist, 'chunks'))).toEqual(['a-2.js'])
})

test('after the page is rebuilt, a running server keeps serving the page and scripts that it started with', async () => {
  const page = (name: string) => ({ 'index.html': `<script src="${name}">`, 'asset-list.json': `["index.html","assets/${name}"]` })
  const folder = tempFolder()
  const put = (name: string): void => {
    const files = Object.entries({ ...page(name), [`assets/${name}`]: name })
    const built = tempFolder(Object.fromEntries(files))
    putInPlace(built, join(folder, 'renderer'))
  }
  put('a.js')
  const table = await readAssetTable(join(folder, 'renderer'))
  if (!table.ok) throw new Error(table.failure.what)
  put('b.js')
  const shown = async (path: string): Promise<string> => Buffer.from((await pageResponse(table.value, path, 'browser')).body).toString()
  expect(await shown('/')).toContain('a.js')
  expect(await shown('/assets/a.js')).toBe('a.js')
})
