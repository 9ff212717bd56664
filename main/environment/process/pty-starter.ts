import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Whether node-pty can start programs. Its package for macOS brings a helper without the right to be run, which npm keeps so: it is given
 * that right. False: it could not be given, as where somebody else installed the packages. `folder` is node-pty's own.
 */
export async function ptyStarterIsRunnable(
  folder: string,
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<boolean> {
  if (platform !== 'darwin') return true
  for (const place of [join('build', 'Release'), join('prebuilds', `${platform}-${arch}`)]) {
    const helper = join(folder, place, 'spawn-helper')
    const found = await stat(helper).catch(() => null)
    if (found === null) continue
    return (
      (found.mode & 0o111) !== 0 ||
      chmod(helper, 0o755).then(
        () => true,
        () => false,
      )
    )
  }
  return true
}
