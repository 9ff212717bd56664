import { type KillShellInput, killShellSpec } from '../../shared/tools/kill-shell.ts'
import type { RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { noSuchRun } from './bash-output.ts'
import { defineTool } from './define-tool.ts'
import { failure } from './outcome.ts'
import type { Shells } from './commands/shells.ts'

/** Ends what the session itself has running (R-20, D-25): nothing of anybody else, so nothing to be signed. */
export function createKillShellTool(shells: Shells): Tool {
  return defineTool(killShellSpec, (input) => Promise.resolve({ kind: 'ready', effects: [], commit: (run) => end(input, shells, run) }))
}

async function end({ id }: KillShellInput, shells: Shells, { env }: RunContext): Promise<ToolOutput> {
  if (id === undefined) {
    const next = `The next one starts in ${env.workingDirectory()}.`
    if (await shells.endShell()) return told(`The persistent bash process was stopped. ${next}`)
    const running = shells.all().flatMap((each) => (each.ended() === null ? [each.id] : []))
    const others = running.length === 0 ? '' : ` Background commands that are still running: ${running.join(', ')}. Pass an id to stop one.`
    return failure(`No persistent bash process is running. ${next}${others}`)
  }
  const run = shells.find(id)
  if (!run) return failure(noSuchRun(id, shells))
  const before = run.ended()
  if (before) return told(`${id} had ended already${before.exitCode === null ? '' : `, with exit code ${before.exitCode}`}.`)
  await run.stop()
  return told(`${id} was ended.`)
}

function told(output: string): ToolOutput {
  return { output, isError: false, details: null }
}
