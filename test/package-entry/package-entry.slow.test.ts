import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasNoCopies } from '../environment/copy/support.ts'
import { calls, call, say, startScriptedModel } from '../support/scripted-model.ts'
import { emptyProject, linkHere, NODE, packed, ROOT, run, temporaryFolder, unpackLinked } from './packed-project.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let tarball = ''
const project = (): string => join(folder.path, 'host')

beforeAll(async () => {
  folder = await temporaryFolder()
  tarball = await packed(folder.path)
  await mkdir(project())
  await emptyProject(project())
  await unpackLinked(tarball, project())
  await linkHere(project(), ['@types/node', 'undici-types'])
}, 300_000)

afterAll(() => folder.remove())

test('the package contains its entry point, worker threads, types and documentation, but no source files', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.split('\n').filter(Boolean)
  expect(files).toEqual(
    expect.arrayContaining(
      ['agent-entry.js', 'host-process.js', 'search-worker.js', 'document-worker.js', 'types/main/agent-entry.d.ts']
        .map((name) => `package/dist/agent/${name}`)
        .concat(['LICENSE', 'README.md', 'docs/agent-api.md', 'docs/agent-example.ts'].map((name) => `package/${name}`)),
    ),
  )
  // The file that `main` refers to is always packed by npm, whatever `files` says.
  const others = files.filter((name) => !/^package\/(dist\/(agent\/|main\/index\.js)|docs\/agent-|[^/]+$)/u.test(name))
  expect(others).toEqual([])
  expect(files.filter((name) => name.endsWith('.ts') && !/\.d\.ts$|agent-example/u.test(name))).toEqual([])
})

test('the example runs in an empty project: custom tool, edit, refused command, live events', async () => {
  const model = await startScriptedModel([
    calls(call('read_issue', { id: 7 })),
    calls(
      call('write_file', { file_path: 'greeting.txt', content: 'hello\n' }),
      call('shell', { command: 'echo ignore-scripts=false > .npmrc' }),
    ),
    say('Mended.'),
  ])
  const at = join(folder.path, 'work')
  await mkdir(at)
  try {
    const env = { ...process.env, ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url }
    const { stdout, stderr } = await run(NODE, [join(project(), 'agent-example.ts'), 'Mend issue 7'], { cwd: at, env, timeout: 60_000 })
    expect(stderr).toBe('')
    expect(stdout).toContain('> read_issue {"id":7}\ndone')
    expect(stdout).toContain('refused: ')
    expect(stdout.trimEnd()).toMatch(/Mended\.\s+completed$/u)
    expect(await readFile(join(at, 'greeting.txt'), 'utf8')).toBe('hello\n')
    const sent = Buffer.from((await model.request(1)).bytes).toString()
    expect(sent).toContain('greeting.txt should say')
    expect(Buffer.from((await model.request(2)).bytes).toString()).toContain('Only edits are allowed here.')
  } finally {
    await model.close()
  }
})

test.skipIf(hasNoCopies)('a subagent that writes works in a layer, through the host process of the package', async () => {
  const model = await startScriptedModel(({ body: { messages } }) => {
    const isChild = JSON.stringify(messages[0]).includes('CHILD')
    if (messages.length > 1) return say('Done.')
    if (!isChild) return calls(call('task', { agent_type: 'code', description: 'CHILD', prompt: 'CHILD' }))
    return calls(call('shell', { command: `tr '\\0' ' ' < /proc/$PPID/cmdline; echo child > child.txt` }))
  })
  const at = join(folder.path, 'delegating')
  await mkdir(at)
  await writeFile(join(project(), 'delegate.mjs'), DELEGATE)
  try {
    const env = { ...process.env, ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url }
    const { stdout } = await run(NODE, [join(project(), 'delegate.mjs')], { cwd: at, env, timeout: 60_000 })
    expect(stdout).toBe('completed\n')
    expect(await readFile(join(at, 'child.txt'), 'utf8')).toBe('child\n')
    const asked = model.requests.map(({ bytes }) => Buffer.from(bytes).toString()).join('\n')
    expect(asked).toContain('countersign/dist/agent/host-process.js')
  } finally {
    await model.close()
  }
})

const DELEGATE = `import { createAgent } from 'countersign/agent'
const agent = await createAgent({ cwd: '.', provider: 'anthropic', onApproval: () => 'sign' })
const session = await agent.createSession()
console.log((await session.submit('Delegate')).ended)
await agent.close()
`

test('the example, all code in docs/agent-api.md and a host that uses the types in seed-types.ts pass the type check', async () => {
  const page = await readFile(join(ROOT, 'docs/agent-api.md'), 'utf8')
  const blocks = [...page.matchAll(/^```ts\n(?<code>[\s\S]*?)^```$/gmu)].map(({ groups }) => groups?.['code'] ?? '')
  expect(blocks.length).toBeGreaterThan(5)
  for (const [index, code] of blocks.entries()) await writeFile(join(project(), `page-${index}.ts`), code)
  await copyFile(join(ROOT, 'test/embed/seed-types.ts'), join(project(), 'seed-types.ts'))
  await writeFile(join(project(), 'seed-host.ts'), SEED_HOST)
  await writeFile(join(project(), 'wrong.ts'), `import { createAgent } from 'countersign/agent'\nvoid createAgent({ cwd: 3 })\n`)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(NODE, [tsc, '-p', '.'], { cwd: project() }).catch((error: { readonly stdout: string }) => error)
  const wrong = stdout.split('\n').filter((line) => /^\S/u.test(line))
  expect(wrong.map((line) => line.split('(')[0])).toEqual(['wrong.ts'])
}, 120_000)

/** A host that uses the signatures of the seed plans with the functions of the package. */
const SEED_HOST = `import * as agent from 'countersign/agent'
import type * as seed from './seed-types.js'
export const environment: (workingDir: string, envVarPolicy?: seed.EnvVarPolicy) => seed.ExecutionEnvironment = agent.createLocalExecutionEnvironment
export const registry: (initial?: ReadonlyArray<seed.RegisteredTool>) => seed.ToolRegistry = agent.createToolRegistry
export const dispatch: typeof seed.dispatchToolCalls = agent.dispatchToolCalls
export const profile: (id: seed.ProfileId) => seed.ProviderProfile = agent.providerProfile
declare const environmentOfHost: seed.ExecutionEnvironment
declare const config: seed.SessionConfig
export const made = agent.createAgent({ ...config, environment: environmentOfHost })
`

const OLD_NODE = '/usr/bin/node'
const isOld = existsSync(OLD_NODE) && Number((await run(OLD_NODE, ['-p', 'process.versions.node'])).stdout.split('.')[0]) < 24
test.skipIf(!isOld)('on an older Node, createAgent fails with an error that names the version it needs', async () => {
  const code = `import('countersign/agent').then(({ createAgent }) => createAgent({ cwd: '.', provider: 'anthropic' })).catch((error) => console.log(error.code, error.message))`
  const { stdout } = await run(OLD_NODE, ['-e', code], { cwd: project() })
  expect(stdout).toMatch(/^node_too_old countersign\/agent needs Node 24/u)
})
