import { failure } from '../../agent/tool-output.ts'
import type { CommandEffect } from '../../../shared/session/effects.ts'
import { bashSpec, shellSpec } from '../../../shared/tools/built-in/shell.ts'
import type { RunContext, Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { startInBackground } from '../commands/start-in-background.ts'
import { commandDetails, commandOutput, followed } from '../commands/command-run.ts'
import { commandEffect } from '../commands/prepare-command.ts'
import { runInShell, shellNote, type Shells } from '../commands/session-shells.ts'
import { defineTool } from '../define/define-tool.ts'
import { fileFailure, leadsElsewhere, rejected } from '../define/tool-path.ts'

/** Runs one command line in a new shell. */
export function createShellTool(shells: Shells): Tool {
  return defineTool(shellSpec, async (input, context) => {
    const effect = await commandEffect(input, input.working_dir ?? context.env.workingDirectory(), context)
    if (!effect.ok) return rejected(effect.failure)
    const commit = effect.value.way === 'background' ? inBackground : execute
    return { kind: 'ready', effects: [effect.value], commit: (run) => commit(effect.value, run, shells) }
  })
}

async function execute(effect: CommandEffect, run: RunContext): Promise<ToolOutput> {
  try {
    const moved = await leadsElsewhere(run, { path: effect.cwd, shown: effect.cwd })
    if (moved) return moved
    const ran = await followed(run, (listeners) =>
      run.env.execCommand(effect.command, {
        ...listeners,
        workingDir: effect.cwd,
        envVars: effect.env,
        timeoutMs: effect.timeoutMs,
        ...(run.terminal && { terminal: run.terminal }),
      }),
    )
    return commandOutput(effect, run, ran)
  } catch (error) {
    return failure(`The command was not run: ${fileFailure(error).message}`, commandDetails(effect, run))
  }
}

async function inBackground(effect: CommandEffect, run: RunContext, shells: Shells): Promise<ToolOutput> {
  return (await leadsElsewhere(run, { path: effect.cwd, shown: effect.cwd })) ?? startInBackground(effect, run, shells)
}

/** Runs one command line in the session's own bash, which continues to run between calls. */
export function createBashTool(shells: Shells): Tool {
  return defineTool(bashSpec, async (input, context) => {
    const { working_dir: goal } = input
    const effect = await commandEffect(input, goal ?? shells.folder() ?? context.env.workingDirectory(), context, 'shell')
    if (!effect.ok) return rejected(effect.failure)
    const commit = (run: RunContext): Promise<ToolOutput> => {
      if (effect.value.way === 'background') return inBackground(effect.value, run, shells)
      return run.inCopy ? execute(effect.value, run) : executeInShell(effect.value, run, shells, goal !== undefined)
    }
    return { kind: 'ready', effects: [effect.value], commit }
  })
}

async function executeInShell(effect: CommandEffect, run: RunContext, shells: Shells, changesFolder: boolean): Promise<ToolOutput> {
  try {
    const ran = await followed(run, (listeners) => runInShell(effect, run, shells, listeners, changesFolder))
    return commandOutput(effect, run, ran, shellNote(ran.result))
  } catch (error) {
    return failure(`The command was not run: ${fileFailure(error).message}`, commandDetails(effect, run))
  }
}
