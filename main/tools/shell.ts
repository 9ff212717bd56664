import type { CommandEffect } from '../../shared/session/effects.ts'
import { shellSpec } from '../../shared/tools/shell.ts'
import type { RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { commandDetails, commandOutput, followed } from './commands/command-run.ts'
import { defineTool } from './define-tool.ts'
import { failure, fileFailure, leadsElsewhere, rejected } from './outcome.ts'
import { commandEffect, type ShellParts } from './commands/prepare-command.ts'
import { startInBackground } from './commands/background.ts'
import type { Shells } from './commands/shells.ts'

/** One command line in a fresh shell. */
export function createShellTool(parts: ShellParts, shells: Shells): Tool {
  return defineTool(shellSpec, async (input, context) => {
    const effect = await commandEffect(input, input.working_dir ?? context.env.workingDirectory(), context, parts)
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
