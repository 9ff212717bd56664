import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NOBODY = 65_534

/**
 * Runs the body of an async function with a workbench `bench` as an unprivileged user (root never gets a permission error), and returns its
 * result. That user becomes the owner of `folders` first. If the tests do not run as root, the current user is used.
 */
export function asNobody(folders: readonly string[], root: string, body: string): unknown {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) for (const folder of folders) chownSync(folder, NOBODY, NOBODY)
  chmodSync(root, 0o755)
  const workbench = JSON.stringify(fileURLToPath(new URL('workbench.ts', import.meta.url)))
  const script = `
    import { createWorkbench } from ${workbench}
    const bench = createWorkbench(${JSON.stringify(root)})
    console.log(JSON.stringify(await (async () => { ${body} })()))`
  const node = [process.execPath, '--input-type=module-typescript', '-e', script]
  const [program = '', ...args] = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...node] : node
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' }))
}
