import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from '../../main/bootstrap/build.mjs'
import { runtimeNode } from '../../main/bootstrap/places.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const run = promisify(execFile)

/** The path of the Node that the project installs. */
export const NODE = runtimeNode(ROOT) ?? process.execPath

/** Builds the entry if its sources have changed, and packs what would be published. Returns the path of the tarball. */
export async function packed(into: string): Promise<string> {
  const failed = await build(ROOT, NODE, ['agent'])
  if (failed !== null) throw new Error(failed)
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', into], { cwd: ROOT })
  const [made] = JSON.parse(stdout) as readonly { filename: string }[]
  if (!made) throw new Error(stdout)
  return join(into, made.filename)
}

export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'countersign-packed-')))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Creates an empty project with the example and what a compiler needs to check it. Nothing is installed in it yet. */
export async function emptyProject(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "name": "host", "private": true, "type": "module" }\n')
  await cp(join(ROOT, 'docs/agent-example.ts'), join(folder, 'agent-example.ts'))
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
    target: 'ES2024',
    module: 'NodeNext',
    lib: ['ES2024'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
}

/** Unpacks the tarball where npm would, and links its dependencies to the packages that are installed here. */
export async function unpackLinked(tarball: string, folder: string): Promise<void> {
  const own = join(folder, 'node_modules', 'countersign')
  await mkdir(own, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'])
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
    readonly [name: string]: Readonly<Record<string, string>>
  }
  await linkHere(folder, Object.keys({ ...dependencies, ...optionalDependencies }))
}

/** Links packages from our installation into a project, such as the types of Node. */
export async function linkHere(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const place = join(folder, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), place)
  }
}
