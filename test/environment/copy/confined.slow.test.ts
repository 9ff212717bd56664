import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HostOptions } from '../../../main/agent/ports/command-copies.ts'
import type { ExecOptions } from '../../../main/agent/ports/execution-environment.ts'
import { hashOf } from '../../../main/agent/blob-hash.ts'
import { isControlFile } from '../../../main/approval/control-files.ts'
import { mayMapEverybody } from '../../../main/environment/copy/start/namespaces.ts'
import { SAME_TICK_MS } from '../../../main/environment/comparison/read-folder.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { plant } from '../support.ts'
import { hasNoCopies, openCopies, processesWith, treeOf, ownHome } from './support.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Opens the ordinary environment of a folder. `run` runs its commands confined. */
async function openConfined(files: Readonly<Record<string, string>> = {}, options: HostOptions = {}) {
  const opened = openCopies(files, { isControl: (path) => isControlFile(path.split('/')) })
  const confinement = await opened.copies.confine(options)
  const env = createLocalExecutionEnvironment(opened.folder)
  onTestFinished(() => env.cleanup())
  const run = (command: string, more: ExecOptions = {}) => env.execCommand(command, { confinement, ...more })
  return { ...opened, env, confinement, run }
}

function serve(): Promise<{ readonly port: number; readonly asked: () => number }> {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end('answered')
  })
  onTestFinished(() => void server.close())
  const { promise, resolve } = Promise.withResolvers<{ port: number; asked: () => number }>()
  server.listen(0, '127.0.0.1', () => resolve({ port: (server.address() as AddressInfo).port, asked: () => asked }))
  return promise
}

describe.skipIf(hasNoCopies)('a confined command', () => {
  it('works in the real folder, as the same user, and its changes are kept', async () => {
    const { run, folder } = await openConfined({ a: '1', 'd/x': '2' })
    const result = await run('pwd; id -u; echo 2 > a; mkdir n; mv d n/d; cat n/d/x')
    expect(result).toMatchObject({ stdout: `${folder}\n${process.getuid?.()}\n2`, exitCode: 0 })
    expect(Object.keys(treeOf(folder))).toEqual(['a', 'n', 'n/d', 'n/d/x'])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('2\n')
  })

  it.runIf(process.geteuid?.() === 0)('running as root can change other users’ files', async () => {
    const { run, folder } = await openConfined({ a: '1' })
    chownSync(join(folder, 'a'), 4711, 4711)
    chmodSync(join(folder, 'a'), 0o600)
    expect((await run('cat a; echo 2 > a')).stdout).toBe('1')
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('2\n')
  })

  it('starts in the given working folder', async () => {
    const { run, folder } = await openConfined({ 'a b/f': '1' })
    const { stdout } = await run('pwd; ls', { workingDir: 'a b', envVars: { WORD: 'x' } })
    expect(stdout).toBe(`${join(folder, 'a b')}\nf\n`)
  })

  it.each([
    [
      'writing outside the folder',
      (secret: string) => `echo x > ${secret}; echo x > /usr/escaped; echo x > /etc/escaped; rm -rf ${secret}`,
    ],
    ['reading outside the folder', (secret: string) => `cat ${secret}; cat /proc/1/root${secret}; cat /proc/$PPID/root${secret}`],
    ['removing mounts', (secret: string) => `umount -l /tmp; mount -o remount,rw,bind /; echo x > /usr/escaped; cat ${secret}`],
    [
      'creating its own namespace',
      (secret: string) => `unshare -Urm bash -c 'umount -l /tmp; mount -o remount,rw,bind /; echo x > /usr/escaped; cat ${secret}'`,
    ],
    ['following a link', (secret: string) => `ln -s ${secret} l; cat l; echo x > l`],
    ['reading Countersign’s data', (secret: string) => `ls ../data ../data/copies; cat ../data/copies/*/arguments; cat ${secret}`],
  ])('cannot escape from the folder by %s', async (_name, attack) => {
    const around = temporaryFolder('outside')
    const secret = join(around, 'secret')
    writeFileSync(secret, 'TOP-SECRET')
    const { run, layers } = await openConfined()
    const before = treeOf(around)
    const layersBefore = readdirSync(layers)
    const { stdout, stderr } = await run(attack(secret))
    expect(stdout + stderr).not.toMatch(/TOP-SECRET|--ro-bind/)
    expect([treeOf(around), readdirSync(layers)]).toEqual([before, layersBefore])
    expect([existsSync('/usr/escaped'), existsSync('/etc/escaped')]).toEqual([false, false])
  })

  it('cannot reach a key agent’s or a container engine’s socket in the home folder', async () => {
    const home = ownHome()
    let reached = 0
    for (const path of ['.1password', '.rd', '.colima']) {
      mkdirSync(join(home, path))
      const server = createSocketServer((socket) => socket.end(() => (reached += 1)))
      await new Promise<void>((resolve) => server.listen(join(home, path, 'sock'), resolve))
      onTestFinished(() => void server.close())
    }
    const { run } = await openConfined()
    const { stdout } = await run(
      'cd; for s in .1password .rd .colima; do socat -u OPEN:/etc/hostname UNIX-CONNECT:$s/sock && echo reached; done',
    )
    expect([stdout, reached]).toEqual(['', 0])
  })

  it('cannot change a signed control file through mmap unnoticed, even though that leaves the file’s change time as it was', async () => {
    const { run, folder, copies, confinement } = await openConfined()
    const file = join(folder, 'AGENTS.md')
    const signed = 'signed\n'
    copies.sign([{ path: file, hash: hashOf(Buffer.from(signed)) }])
    writeFileSync(file, signed)
    const script = [
      'import mmap, os, time',
      'memory = mmap.mmap(os.open("AGENTS.md", os.O_RDWR), 0)',
      'memory[0:1] = b"s"',
      'open("ready", "w").close()',
      'while not os.path.exists("go"): time.sleep(0.01)',
      'memory[0:6] = b"forged"',
    ]
    const running = run(`python3 -c '${script.join('\n')}'`, { timeoutMs: 30_000 })
    await expect.poll(() => existsSync(join(folder, 'ready'))).toBe(true)
    const written = lstatSync(file).ctimeMs
    await expect.poll(() => Date.now() - written).toBeGreaterThan(SAME_TICK_MS)
    expect(await confinement.setAside()).toEqual([])
    writeFileSync(join(folder, 'go'), '')
    expect((await running).exitCode).toBe(0)
    expect(await confinement.setAside()).toMatchObject([{ path: 'AGENTS.md', isRestored: true }])
    expect(readFileSync(file, 'utf8')).toBe(signed)
  })

  it('has no more capabilities than a copy, no inherited descriptors and no access to the machine’s processes', async () => {
    const { run } = await openConfined()
    const { stdout } = await run(`grep CapEff /proc/self/status; ls /proc/self/fd; kill -9 ${process.pid}; ls -d /proc/[0-9]* | wc -l`)
    const [caps, ...rest] = stdout.trim().split('\n')
    expect(caps).toMatch((await mayMapEverybody()) ? /0000001b$/u : /0000000000000000$/u)
    expect(rest.slice(0, -1)).toEqual(['0', '1', '2', '3'])
    expect(Number(rest.at(-1))).toBeLessThan(8)
  })

  it('reaches only granted hosts', async () => {
    const { port, asked } = await serve()
    const alone = await openConfined()
    const curl = `curl -sS -m 10 --noproxy "" http://127.0.0.1:${port}/`
    const refused = await alone.run(curl)
    expect([refused.stdout, asked()]).toEqual(['', 0])
    const granted = await openConfined({}, { hosts: ['127.0.0.1'] })
    const result = await granted.run(`${curl}; curl -sS -m 10 http://other.example/`)
    expect([result.stdout.startsWith('answered'), asked()]).toEqual([true, 1])
    expect(granted.confinement.blocked).toEqual([{ host: 'other.example', port: 80 }])
  })

  it('cannot change control files', async () => {
    const { run, folder } = await openConfined({ '.git/config': 'old', '.git/hooks/h': 'old', 'd/package.json': 'old', a: 'old' })
    await run(
      'echo x > .git/config; echo x > .git/hooks/h; echo x > .git/hooks/new; rm -rf .git/hooks; echo x > d/package.json; echo x > a',
    )
    const text = (path: string): string => readFileSync(join(folder, path), 'utf8').trim()
    expect(['.git/config', '.git/hooks/h', 'd/package.json', 'a'].map(text)).toEqual(['old', 'old', 'old', 'x'])
    expect(readdirSync(join(folder, '.git', 'hooks'))).toEqual(['h'])
  })

  it.each([
    ['at the top level', 'echo x > .mcp.json; echo x > f', ['.mcp.json']],
    ['in a folder that it creates', 'mkdir -p d/e; echo x > d/e/AGENTS.md', ['d/e/AGENTS.md']],
    ['in a new .vscode folder, which is moved as a whole', 'mkdir -p .vscode/x; echo x > .vscode/tasks.json', ['.vscode']],
    ['as a link', 'echo x > f; mkdir d; ln -s ../f d/CLAUDE.md', ['d/CLAUDE.md']],
    ['created by a rename', 'echo x > f; mv f .envrc', ['.envrc']],
    [
      'in place of a control file whose folder it moves',
      'mv old away; mkdir old; echo x > old/AGENTS.md; cp -r old away/new',
      ['away/new/AGENTS.md', 'old/AGENTS.md'],
    ],
    [
      'in a folder that it makes git ignore',
      'echo d > .gitignore; mkdir d; echo "*" > d/.gitignore; echo x > d/.mcp.json',
      ['d/.mcp.json'],
    ],
  ])('has new control files moved out of the folder: %s', async (_name, command, expected) => {
    const { run, folder, confinement } = await openConfined({ 'old/AGENTS.md': 'mine' })
    await run(command)
    const moved = await confinement.setAside()
    expect(moved.map(({ path }) => path).toSorted()).toEqual(expected)
    for (const { path, keptAt } of moved)
      expect([existsSync(join(folder, path)), keptAt === null ? null : lstatSync(keptAt).isDirectory()]).toEqual([
        false,
        path === '.vscode',
      ])
    expect(await confinement.setAside()).toEqual([])
  })

  it('cannot keep a control file even if its change time is slightly before the program’s start: file times are coarse', async () => {
    const { run, folder, confinement } = await openConfined()
    await run('echo x > AGENTS.md')
    const { ctimeMs } = lstatSync(join(folder, 'AGENTS.md'))
    expect(await confinement.setAside(ctimeMs + 10)).toMatchObject([{ path: 'AGENTS.md' }])
  })

  it('keeps new control files that are signed, in git’s index, in packages or in ignored folders', async () => {
    const { folder, confinement, copies, run } = await openConfined({ '.gitignore': 'dist\n' })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    const started = await copies.confine()
    plant(folder, { 'AGENTS.md': 'mine', '.github/workflows/ci.yml': 'pulled', '.env': 'signed', CLAUDE: 'x' })
    execFileSync('git', ['add', 'AGENTS.md', '.github'], { cwd: folder })
    copies.sign([{ path: join(folder, '.env'), hash: hashOf(Buffer.from('signed')) }])
    await run('mkdir -p dist node_modules/p; echo {} > dist/package.json; echo {} > node_modules/p/package.json')
    expect(await started.setAside()).toEqual([])
    plant(folder, { 'AGENTS.md': 'changed' })
    expect(await started.setAside()).toEqual([{ path: 'AGENTS.md', keptAt: expect.stringContaining('set-aside'), isRestored: true }])
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe('mine')
    const moved = await confinement.setAside()
    expect(moved.map(({ path }) => path).toSorted()).toEqual(['.git', '.github/workflows', 'AGENTS.md'])
  })

  it('leaves only signed files in a new control folder', async () => {
    const { folder, confinement, copies, run } = await openConfined()
    copies.sign([{ path: join(folder, '.vscode/settings.json'), hash: hashOf(Buffer.from('{}')) }])
    plant(folder, { '.vscode/settings.json': '{}' })
    await run('echo x > .vscode/tasks.json')
    expect((await confinement.setAside()).map(({ path }) => path)).toEqual(['.vscode/tasks.json'])
    expect(readdirSync(join(folder, '.vscode'))).toEqual(['settings.json'])
  })

  it('cannot keep a control file that differs from the signed content: it is moved out of the folder', async () => {
    const { folder, confinement, copies, run } = await openConfined()
    copies.sign([{ path: join(folder, 'AGENTS.md'), hash: hashOf(Buffer.from('mine')) }])
    plant(folder, { 'AGENTS.md': 'mine' })
    expect(await confinement.setAside()).toEqual([])
    await run('echo evil > AGENTS.md')
    expect((await confinement.setAside()).map(({ path }) => path)).toEqual(['AGENTS.md'])
  })

  /** Starts a command, replaces a file after the command has printed "ready", and then lets the command change that file. */
  async function replacedMeanwhile(files: Readonly<Record<string, string>>, path: string) {
    const opened = await openConfined(files)
    const { folder, run } = opened
    execFileSync('mkfifo', [join(folder, 'go')])
    const ready = Promise.withResolvers<void>()
    const ended = run(`echo ready; read _ < go; echo evil > ${path}`, { onOutput: ({ text }) => text.includes('ready') && ready.resolve() })
    await ready.promise
    plant(folder, { 'saved.tmp': 'theirs' })
    renameSync(join(folder, 'saved.tmp'), join(folder, path))
    const text = (): string => readFileSync(join(folder, path), 'utf8')
    const letItWrite = async (): Promise<void> => {
      await writeFile(join(folder, 'go'), '\n')
      await ended
      expect(text()).toBe('evil\n')
    }
    return { ...opened, letItWrite, text }
  }

  it.each([
    ['at the top level', { '.envrc': 'old' }, '.envrc'],
    ['in a folder', { 'd/package.json': 'old' }, 'd/package.json'],
  ])('has a control file %s restored, even one replaced before the change', async (_name, files, path) => {
    const { confinement, letItWrite, text } = await replacedMeanwhile(files, path)
    await letItWrite()
    const [moved, ...more] = await confinement.setAside()
    expect([moved, more]).toEqual([{ path, keptAt: expect.any(String), isRestored: true }, []])
    expect([text(), readFileSync(moved?.keptAt ?? '', 'utf8')]).toEqual(['old', 'evil\n'])
    expect(await confinement.setAside()).toEqual([])
  })

  it('cannot keep a change to a control file’s signed replacement: the replacement is restored', async () => {
    const { folder, copies, confinement, letItWrite, text } = await replacedMeanwhile({ 'package.json': 'old' }, 'package.json')
    copies.sign([{ path: join(folder, 'package.json'), hash: hashOf(Buffer.from('theirs')) }])
    expect([await confinement.setAside(), text()]).toEqual([[], 'theirs'])
    await letItWrite()
    expect(await confinement.setAside()).toMatchObject([{ path: 'package.json', isRestored: true }])
    expect(text()).toBe('theirs')
  })

  it('cannot replace a control file that is a link: the link is restored, and a control file that somebody else changed keeps that change', async () => {
    const { folder, copies, run } = await openConfined({ 'package.json': 'old', doc: 'd' })
    symlinkSync('doc', join(folder, 'CLAUDE.md'))
    const confinement = await copies.confine()
    writeFileSync(join(folder, 'package.json'), 'theirs')
    expect(await confinement.setAside()).toEqual([])
    await run('rm CLAUDE.md; echo evil > CLAUDE.md')
    expect(await confinement.setAside()).toMatchObject([{ path: 'CLAUDE.md', isRestored: true }])
    expect([readlinkSync(join(folder, 'CLAUDE.md')), readFileSync(join(folder, 'package.json'), 'utf8')]).toEqual(['doc', 'theirs'])
  })

  it('cannot keep a control file by adding it to the index of a new repository', async () => {
    const { confinement, run } = await openConfined()
    await run('git init -q; echo evil > AGENTS.md; git add AGENTS.md')
    expect((await confinement.setAside()).map(({ path }) => path).toSorted()).toEqual(['.git', 'AGENTS.md'])
  })

  it('cannot keep a new control file in a read-only folder: it is moved out', async () => {
    const { folder, confinement, run } = await openConfined()
    await run('mkdir docs; echo evil > docs/AGENTS.md; echo evil > CLAUDE.md; chmod 555 docs')
    const moved = await confinement.setAside()
    expect(moved.flatMap(({ path, keptAt }) => (keptAt === null ? [] : [path])).toSorted()).toEqual(['CLAUDE.md', 'docs/AGENTS.md'])
    expect([readdirSync(join(folder, 'docs')), lstatSync(join(folder, 'docs')).mode & 0o777]).toEqual([[], 0o555])
  })

  it('keeps control files created before the given time', async () => {
    const { folder, confinement } = await openConfined()
    plant(folder, { '.env': 'x' })
    expect(await confinement.setAside(Date.now() + 1000)).toEqual([])
    expect(await confinement.setAside()).toEqual([])
    plant(folder, { '.envrc': 'x' })
    expect(await confinement.setAside()).toHaveLength(1)
  })

  it('can be a server in a terminal, and if it is aborted, everything that it started ends', async () => {
    const { run, folder } = await openConfined()
    const abort = new AbortController()
    const seen = Promise.withResolvers<void>()
    const running = run('test -t 1 && set -m && setsid sleep 4811 & sleep 0.2; echo $! > pid; echo ready; sleep 4812', {
      signal: abort.signal,
      timeoutMs: 60_000,
      terminal: { columns: 80, rows: 24, onOpen: () => {} },
      onOutput: ({ text }) => text.includes('ready') && seen.resolve(),
    })
    await seen.promise
    await expect.poll(() => processesWith('sleep\x00481')).toHaveLength(2)
    abort.abort()
    expect(await running).toMatchObject({ aborted: true })
    await expect.poll(() => processesWith('sleep\x00481')).toEqual([])
    expect(existsSync(join(folder, 'pid'))).toBe(true)
  })

  it('ends with the app', async () => {
    const { folder, layers, base } = openCopies()
    const file = join(base, 'script.ts')
    const from = (path: string): string => JSON.stringify(new URL(`../../../main/environment/${path}`, import.meta.url).href)
    writeFileSync(
      file,
      `import { createLocalCommandCopies } from ${from('copy/local-command-copies.ts')}
       import { createLocalExecutionEnvironment } from ${from('local-environment.ts')}
       const confinement = await createLocalCommandCopies({ folder: ${JSON.stringify(folder)}, layers: ${JSON.stringify(layers)} }).confine()
       const env = createLocalExecutionEnvironment(${JSON.stringify(folder)})
       await env.execCommand('setsid nohup sleep 4821 & echo started; sleep 4822', { confinement, timeoutMs: 60000, onOutput: ({ text }) => console.log(text) })`,
    )
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = new Promise((resolve) => child.once('close', resolve))
    await new Promise<void>((resolve) => child.stdout.on('data', (bytes: Buffer) => bytes.includes('started') && resolve()))
    child.kill('SIGKILL')
    await closed
    await expect.poll(() => processesWith('sleep\x00482')).toEqual([])
  })
})

describe.skipIf(hasNoCopies)('a confined persistent shell', () => {
  it.each([
    ['on pipes', {}],
    ['in a terminal', { terminal: { columns: 80, rows: 24 } }],
  ])('%s keeps folder, variables, functions and jobs, and is confined', async (_name, options) => {
    const { env, confinement, folder } = await openConfined({ 'd/f': '1' })
    const shell = await env.openShell({ ...options, confinement })
    await shell.run('cd d; export A=1; f() { echo "f $A"; }; sleep 4831 & true')
    const { stdout } = await shell.run('pwd; f; jobs | wc -l; echo x > /usr/escaped; echo 2 > f')
    expect(stdout.split(/\r?\n/).slice(0, 3)).toEqual([join(folder, 'd'), 'f 1', '1'])
    expect([existsSync('/usr/escaped'), readFileSync(join(folder, 'd', 'f'), 'utf8')]).toEqual([false, '2\n'])
    await shell.close()
    await expect.poll(() => processesWith('sleep\x004831')).toEqual([])
  })
})
