import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { ownProgram } from '../environment/own-programs/own-programs.ts'
import { buildHash } from '../host-process/build-hash.ts'
import { hostProgramFile } from '../host-process/host-program-file.ts'
import { VERSION } from '../version.ts'
import type { ProbeResult } from './probe.ts'
import type { TarFile } from './tar.ts'

/** Files that are installed on another machine, in a folder of this name below our folder there. */
export interface GuestPart {
  readonly name: string
  readonly files: readonly TarFile[]
}

/** The code that serves folders on another machine. */
export interface GuestCode extends GuestPart {
  /** For `HostStart.build`. */
  readonly build: string
}

const THREADS = ['comparison-worker', 'search-worker', 'tree-worker'] as const

/**
 * The files of the host process, with this computer's native modules if the other machine has the same system and processor. Without native
 * modules, the other machine has no terminals and a slower search. Rejects with `ENOENT` if this installation was not built.
 */
export async function guestCode({ system, machine, glibc }: Pick<ProbeResult, 'system' | 'machine' | 'glibc'>): Promise<GuestCode> {
  const program = builtProgram()
  const folder = dirname(fileURLToPath(program))
  const names = ['host-process', ...THREADS].map((name) => `${name}.js`)
  const code = await Promise.all(names.map((name) => fileOf(join(folder, name), name)))
  const native = isSameKind(system, machine) && glibc !== null ? await nativeFiles() : []
  const files = [...code, { path: 'package.json', bytes: Buffer.from('{"type":"module"}'), isProgram: false }, ...native]
  return { name: `${VERSION}-${hashOf(files)}`, files, build: await buildHash(program) }
}

/** The built host program. When Countersign runs from its source, it is in `dist` of the same checkout. */
function builtProgram(): URL {
  const file = hostProgramFile()
  return file.pathname.endsWith('.ts') ? new URL('../../dist/main/host-process.js', file) : file
}

/** This computer's Node. Null if it does not run on the other machine. */
export async function guestNode({ system, machine, glibc }: ProbeResult): Promise<GuestPart | null> {
  if (!isSameKind(system, machine) || glibc === null || isOlder(glibc, OLDEST_GLIBC)) return null
  const isElectron = process.versions['electron'] !== undefined
  const file = isElectron ? ownProgram('node') : process.execPath
  if (file === null) return null
  const name = isElectron ? `node-${process.arch}` : `node-${process.versions.node}-${process.arch}`
  return { name, files: [await fileOf(await realpath(file), 'node', true)] }
}

/** Node's official builds need this version of glibc. */
const OLDEST_GLIBC = '2.28'

function isOlder(one: string, other: string): boolean {
  const [major = 0, minor = 0] = one.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

const MACHINES: Readonly<Record<string, string>> = { x86_64: 'x64', amd64: 'x64', aarch64: 'arm64', arm64: 'arm64' }
const isSameKind = (system: string, machine: string): boolean =>
  system.toLowerCase() === process.platform && MACHINES[machine] === process.arch

async function nativeFiles(): Promise<readonly TarFile[]> {
  const places = createRequire(builtProgram()).resolve.paths('node-pty') ?? []
  const packages = [
    ['node-pty', ['package.json', 'lib', 'build/Release/pty.node', `prebuilds/${process.platform}-${process.arch}`]],
    ['@vscode/ripgrep', ['package.json', 'lib']],
    [`@vscode/ripgrep-${process.platform}-${process.arch}`, ['package.json', 'bin']],
  ] as const
  const found = packages.map(async ([name, parts]) => {
    const folder = places.map((one) => join(one, name)).find((one) => existsSync(join(one, 'package.json')))
    if (folder === undefined) return []
    const files = await Promise.all(parts.map((part) => filesBelow(join(folder, part))))
    return Promise.all(files.flat().map((file) => fileOf(file, join('node_modules', name, relative(folder, file)), isProgramFile(file))))
  })
  return (await Promise.all(found)).flat()
}

const isProgramFile = (file: string): boolean => file.endsWith('/bin/rg') || file.endsWith('spawn-helper')
const isNeeded = (file: string): boolean => !file.endsWith('.map') && !file.endsWith('.test.js') && !file.endsWith('.d.ts')

/** The files below a folder, or the file itself if `path` is a file. Empty if `path` does not exist. */
async function filesBelow(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => null)
  if (entries !== null)
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter(isNeeded)
  return readFile(path).then(
    () => [path],
    () => [],
  )
}

async function fileOf(file: string, path: string, isProgram = false): Promise<TarFile> {
  try {
    return { path: path.replaceAll('\\', '/'), bytes: await readFile(pathToFileURL(file)), isProgram }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new EnvironmentFailure('ENOENT', `A part of Countersign for other machines is missing (ENOENT): ${why}. Run npm run build.`)
  }
}

function hashOf(files: readonly TarFile[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes } of files) hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  return hash.digest('hex').slice(0, 12)
}
