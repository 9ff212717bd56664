import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isControlFile } from '../../../../main/approval/control-files.ts'
import { recoverCopies } from '../../../../main/environment/copy/apply-journal.ts'
import { plant } from '../../support.ts'
import { hasNoCopies, openCopies } from '../support.ts'

const isControl = (path: string): boolean => isControlFile(path.split('/'))
const main = (path: string): string => JSON.stringify(new URL(`../../../../main/${path}`, import.meta.url).href)

/** A script that opens a confinement, runs the code `during`, signs and writes `.env`, and then runs the command confined. */
const scriptFor = (folder: string, layers: string, command: string, during: string): string => `
  import { createHash } from 'node:crypto'
  import { writeFileSync } from 'node:fs'
  import { isControlFile } from ${main('approval/control-files.ts')}
  import { createLocalCommandCopies } from ${main('environment/copy/local-command-copies.ts')}
  import { createLocalExecutionEnvironment } from ${main('environment/local-environment.ts')}
  const folder = ${JSON.stringify(folder)}
  const copies = createLocalCommandCopies({ folder, layers: ${JSON.stringify(layers)}, isControl: (path) => isControlFile(path.split('/')) })
  const confinement = await copies.confine({ owner: { sessionId: null, what: 'the command' } })
  ${during}
  copies.sign([{ path: folder + '/.env', hash: createHash('sha256').update('signed').digest('hex') }])
  writeFileSync(folder + '/.env', 'signed')
  await createLocalExecutionEnvironment(folder).execCommand(${JSON.stringify(command)}, { confinement, onOutput: ({ text }) => console.log(text) })
`

/** Kills the script after the command has printed "made", and returns the time of the kill. */
async function killed(opened: ReturnType<typeof openCopies>, command: string, during = 'confinement.suspect(Date.now())') {
  const file = join(opened.base, 'script.ts')
  writeFileSync(file, scriptFor(opened.folder, opened.layers, `${command}; echo made; sleep 60`, during))
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  const made = new Promise<void>((resolve) => child.stdout.on('data', (bytes: Buffer) => bytes.includes('made') && resolve()))
  const hasEnded = await Promise.race([made.then(() => false), closed.then(() => true)])
  expect(hasEnded, 'the script ended before its command printed "made"').toBe(false)
  child.kill('SIGKILL')
  await closed
  return Date.now()
}

// These tests need bubblewrap. `hasNoCopies` prints the reason for the skip.
describe.skipIf(hasNoCopies)('the next launch after the app was killed', () => {
  it('moves away control files that a confined command created, restores those that it replaced, and keeps signed control files', async () => {
    const opened = openCopies({ 'package.json': 'old', doc: 'd', '.gitignore': 'dist\n', 'dist/package.json': 'built' })
    const { folder, layers } = opened
    symlinkSync('doc', join(folder, 'CLAUDE.md'))
    const hidden = 'echo sub > .gitignore; mkdir -p sub; echo x > sub/AGENTS.md'
    await killed(opened, `echo x > .mcp.json; mkdir .vscode; echo x > .vscode/tasks.json; rm CLAUDE.md; echo x > CLAUDE.md; ${hidden}`)
    const [found, ...others] = await recoverCopies(layers, isControl)
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'control-files', folder, owner: { sessionId: null, what: 'the command' } })
    const moved = found?.kind === 'control-files' ? found.moved : []
    expect(moved.map(({ path }) => path).toSorted()).toEqual(['.mcp.json', '.vscode', 'CLAUDE.md', 'sub/AGENTS.md'])
    expect(moved.every(({ keptAt }) => keptAt !== null && existsSync(keptAt))).toBe(true)
    expect(readlinkSync(join(folder, 'CLAUDE.md'))).toBe('doc')
    expect(['.env', 'package.json', 'dist/package.json'].map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual([
      'signed',
      'old',
      'built',
    ])
    expect(await recoverCopies(layers, isControl)).toEqual([])
    expect(readdirSync(layers).filter((name) => !name.startsWith('set-aside'))).toEqual([])
  })

  it('keeps what somebody changed after the app was killed', async () => {
    const opened = openCopies({ 'package.json': 'old', 'AGENTS.md': 'old' })
    const { folder, layers } = opened
    const at = await killed(opened, 'echo x > .mcp.json')
    // The app counts as alive for 10 s after its last sign of life, so that sign is moved back by 10 s.
    for (const file of globSync(join(layers, 'copy-*/guard-alive'))) utimesSync(file, at / 1000 - 10, at / 1000 - 10)
    await expect.poll(() => Date.now() - at).toBeGreaterThan(50)
    plant(folder, { 'package.json': 'new', 'AGENTS.md': 'new', '.husky/pre-commit': 'mine' })
    const [found] = await recoverCopies(layers, isControl)
    expect(found).toMatchObject({ moved: [{ path: '.mcp.json' }] })
    expect(['package.json', 'AGENTS.md', '.husky/pre-commit'].map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual([
      'new',
      'new',
      'mine',
    ])
  })

  it('after a power failure, checks everything since the guard began, and restores no damaged bytes', async () => {
    const opened = openCopies({ doc: 'd' })
    symlinkSync('doc', join(opened.folder, 'CLAUDE.md'))
    await killed(opened, 'rm CLAUDE.md; echo x > CLAUDE.md')
    for (const file of globSync(join(opened.layers, 'copy-*/guard-alive'))) writeFileSync(file, '')
    for (const file of globSync(join(opened.layers, 'known-*/bytes'))) writeFileSync(file, 'zzz')
    const [found] = await recoverCopies(opened.layers, isControl)
    expect(found).toMatchObject({ moved: [{ path: 'CLAUDE.md', keptAt: expect.any(String) }] })
    expect(readdirSync(opened.folder)).toEqual(['.env', 'doc'])
  })

  it('says which folder could not be checked', async () => {
    const opened = openCopies()
    await killed(opened, 'echo x > .mcp.json')
    const [facts = ''] = globSync(join(opened.layers, 'copy-*/guard.json'))
    writeFileSync(facts, '')
    const what = expect.stringContaining(`the control files in ${opened.folder} cannot be checked`)
    expect(await recoverCopies(opened.layers, isControl)).toMatchObject([{ kind: 'trouble', folder: opened.folder, trouble: { what } }])
  })

  it('keeps control files that appeared after a confined server’s call had ended, because changes are suspect only during a call', async () => {
    const opened = openCopies()
    await killed(opened, 'echo x > .mcp.json', 'confinement.suspect(Date.now()).dispose()')
    expect(await recoverCopies(opened.layers, isControl)).toEqual([])
    expect(readFileSync(join(opened.folder, '.mcp.json'), 'utf8')).toBe('x\n')
  })
})
