import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Creates a real folder for this test, which is removed when the test has ended. */
export function tempFolder(): string {
  const folder = temporaryFolder('environment')
  return folder
}

/** Writes files by relative path and creates their folders. */
export function plant(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

export const NOBODY = 65534

/**
 * Runs the body of an async function in another process as an unprivileged user, because root never gets a permission error. If the tests
 * do not run as root, the current user is used. The body can use `failureOf` and `env`, an environment over the folder. Its return value is
 * passed back as JSON. `group`: a group to which the unprivileged user belongs too. Default: none.
 */
export function asNobody(folder: string, body: string, group: number | null = null): unknown {
  const local = JSON.stringify(new URL('../../main/environment/local-environment.ts', import.meta.url).href)
  const script = `
    import { createLocalExecutionEnvironment } from ${local}
    const env = createLocalExecutionEnvironment(${JSON.stringify(folder)})
    const failureOf = (work) => work.then(() => 'done', ({ code, message }) => ({ code, message }))
    console.log(JSON.stringify(await (async () => { ${body} })()))`
  const node = [process.execPath, '--input-type=module-typescript', '-e', script]
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, group === null ? '--clear-groups' : `--groups=${group}`]
  const [program = '', ...args] = process.geteuid?.() === 0 ? [...drop, ...node] : node
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' }))
}

/** Resolves with the code and the message of the error with which `work` must reject. */
export async function failureOf(work: Promise<unknown>): Promise<{ readonly code: unknown; readonly message: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return { code: 'code' in error ? error.code : undefined, message: error.message }
    throw error
  }
  throw new Error('It did not fail.')
}
