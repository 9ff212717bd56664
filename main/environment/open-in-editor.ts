import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import type { FoundEditors } from '../../shared/api/app.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { editorRun, foundEditors } from './editors.ts'
import { pathIn, personProgramEnvironment, withPath } from './env-policy.ts'
import { launchEnvironment } from './launch-environment.ts'
import { ownFolders } from './own-programs/own-programs.ts'

/**
 * How long to watch a started editor, in ms. An editor that fails within this time did not start. An editor that is still running or
 * exited with 0 has started.
 */
const STARTUP_MS = 1000

/**
 * Opens a file in the user's editor. The editor is started from an argument list, without a shell, in the user's environment without
 * Countersign's variables or keys. It keeps running when Countersign exits. Null if the editor started. `file`: a real path that was
 * checked, or the address of a file on another machine.
 */
export async function openInEditor(choice: string, file: string, line: number | null): Promise<Trouble | null> {
  const person = personProgramEnvironment(launchEnvironment())
  // The program may be a script that searches PATH for its interpreter.
  const env = withPath(person, ownFolders(pathIn(person)))
  const run = editorRun(choice, file, line, env)
  if (!run.ok) return run.failure
  const { label, argv } = run.value
  if (process.platform === 'linux' && !['DISPLAY', 'WAYLAND_DISPLAY', 'VSCODE_IPC_HOOK_CLI'].some((name) => env[name]))
    return failure(label, 'this computer has no display that Countersign could reach')
  const [program, ...args] = argv
  const why = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), STARTUP_MS)
    const end = (words: string | null): void => {
      clearTimeout(timer)
      resolve(words)
    }
    try {
      const child = spawn(program, args, { cwd: homedir(), env, detached: true, stdio: 'ignore' })
      child.once('error', (error) => end(error.message))
      child.once('exit', (code, signal) => end(code === 0 ? null : `it ended at once (${signal ?? `exit code ${code}`})`))
      child.unref()
    } catch (error) {
      end(error instanceof Error ? error.message : String(error))
    }
  })
  return why === null ? null : failure(label, why)
}

/** The editors from which the user can choose. */
export function editorsHere(): FoundEditors {
  return foundEditors(personProgramEnvironment(launchEnvironment()))
}

function failure(label: string, why: string): Trouble {
  return {
    code: 'editor_failed',
    what: `${label} did not open the file: ${why}.`,
    kept: 'The file is unchanged.',
    todo: 'Choose another editor in Settings, or open the file by hand.',
  }
}
