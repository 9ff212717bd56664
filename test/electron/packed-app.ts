import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fakeDistribution } from './fake-distribution.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

export interface PackedApp {
  /** The folder of the unpacked app's resources. */
  readonly resources: string
  /** What electron-builder wrote. */
  readonly said: string
}

/**
 * Runs electron-builder for Linux on the output of `npm run build`, with an Electron distribution that has no runtime. `targets`:
 * what to build; `dir` is only the unpacked app. If empty, builds all packages, and `env` must come from `recordingPackers`.
 */
export async function packApp(folder: string, targets: readonly string[], env: Readonly<Record<string, string>>): Promise<PackedApp> {
  await fakeDistribution(join(folder, 'electron'))
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  const where = [`-c.electronDist=${join(folder, 'electron')}`, `-c.directories.output=${join(folder, 'out')}`]
  const { stdout, stderr } = await run(process.execPath, [builder, '--linux', ...targets, ...where], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  const app = process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`
  return { resources: join(folder, 'out', app, 'resources'), said: stdout + stderr }
}

/** The main entry of an app whose resources were extracted into this folder. */
export const entryIn = (extracted: string): string => join(extracted, 'app.asar', 'dist', 'main', 'index.js')

/** Changes the version of an extracted app, wherever the build wrote it. */
export async function setVersion(extracted: string, from: string, version: string): Promise<void> {
  const main = dirname(entryIn(extracted))
  const { stdout } = await run('grep', ['-rlF', '--include=*.js', `\`${from}\``, main])
  for (const file of stdout.trim().split('\n')) {
    const text = (await readFile(file, 'utf8')).replaceAll(`\`${from}\``, `\`${version}\``)
    await writeFile(file, text)
    await changeJson(join(main, 'worker-hashes.json'), (hashes) => {
      const name = basename(file)
      return name in hashes ? { ...hashes, [name]: createHash('sha256').update(text).digest('hex') } : hashes
    })
  }
  await changeJson(join(extracted, 'app.asar', 'package.json'), (manifest) => ({ ...manifest, version }))
}

async function changeJson(file: string, change: (before: object) => object): Promise<void> {
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as object)))
}
