import type { CommandEffect } from '../../shared/session/effects.ts'
import { bashSpec } from '../../shared/tools/bash.ts'
import type { RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { commandDetails, commandOutput, followed } from './commands/command-run.ts'
import { defineTool } from './define-tool.ts'
import { failure, fileFailure, leadsElsewhere, rejected } from './outcome.ts'
import { commandEffect, type ShellParts } from './commands/prepare-command.ts'
import { startInBackground } from './commands/background.ts'
import { runInShell, shellNote } from './commands/run-in-shell.ts'
import type { Shells } from './commands/shells.ts'

/** One command line in the session's own bash, which lives on (R-18, D-21). */
export function createBashTool(parts: ShellParts, shells: Shells): Tool {
  return defineTool(bashSpec, async (input, context) => {
    const { working_dir: goal } = input
    const effect = await commandEffect(input, goal ?? shells.folder() ?? context.env.workingDirectory(), context, parts, 'shell')
    if (!effect.ok) return rejected(effect.failure)
    const commit = effect.value.way === 'background' ? inBackground : goal === undefined ? execute : goAndExecute
    return { kind: 'ready', effects: [effect.value], commit: (run) => commit(effect.value, run, shells) }
  })
}

const execute = (effect: CommandEffect, run: RunContext, shells: Shells): Promise<ToolOutput> => runIn(effect, run, shells, false)
const goAndExecute = (effect: CommandEffect, run: RunContext, shells: Shells): Promise<ToolOutput> => runIn(effect, run, shells, true)

async function runIn(effect: CommandEffect, run: RunContext, shells: Shells, goes: boolean): Promise<ToolOutput> {
  try {
    const ran = await followed(run, (listeners) => runInShell(effect, run, shells, listeners, goes))
    return commandOutput(effect, run, ran, shellNote(ran.result))
  } catch (error) {
    return failure(`The command was not run: ${fileFailure(error).message}`, commandDetails(effect, run))
  }
}

async function inBackground(effect: CommandEffect, run: RunContext, shells: Shells): Promise<ToolOutput> {
  return (await leadsElsewhere(run, { path: effect.cwd, shown: effect.cwd })) ?? startInBackground(effect, run, shells)
}
