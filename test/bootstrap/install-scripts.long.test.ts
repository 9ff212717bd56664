import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../main/bootstrap/places.mjs'
import { tempFolder } from './temp-folder.ts'

interface Ended {
  readonly code: number
  readonly words: string
}

/** Creates a folder that contains only our manifest and lock file. `change` edits its `allowScripts`. */
function manifestFolder(change: (allowed: Record<string, boolean>) => void = () => {}): string {
  const folder = tempFolder()
  cpSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'))
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { allowScripts: Record<string, boolean> }
  change(manifest.allowScripts)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  return folder
}

const npm = (folder: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
    const options = { cwd: folder, env, shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 }
    execFile('npm', args, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), words: `${out}${err}` }),
    )
  })

const INSTALL = ['ci', '--strict-allow-scripts', '--no-audit', '--no-fund', '--loglevel=error'] as const

describe('a real install with --strict-allow-scripts', () => {
  it('succeeds, because every install script has been allowed or denied', async ({ skip }) => {
    const { words: version } = await npm(ROOT, '--version')
    if (Number.parseInt(version, 10) < 11) return skip(`npm ${version.trim()} does not know allowScripts`)
    expect(await npm(manifestFolder(), ...INSTALL)).toMatchObject({ code: 0 })
  })

  it('fails if an install script is neither allowed nor denied', async ({ skip }) => {
    const { words: version } = await npm(ROOT, '--version')
    if (Number.parseInt(version, 10) < 11) return skip(`npm ${version.trim()} does not know allowScripts`)
    const undecided = manifestFolder((allowed) => delete allowed['electron-winstaller'])
    const { code, words } = await npm(undecided, ...INSTALL)
    expect([code === 0, words.includes('electron-winstaller')]).toEqual([false, true])
  })
})
