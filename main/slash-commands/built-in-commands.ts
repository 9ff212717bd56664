import type { SlashCommand } from './slash-command.ts'

const INIT = `Write a first AGENTS.md for this project, for agents that work in it later. Read the README, the package files, the folder structure, the configuration of build, tests and linter, and a few typical source files. Then create AGENTS.md with, in short sections: what the project is; the commands to build, test (one test and all) and lint, each tried if that is harmless; how the code is organized; conventions that a newcomer would miss. At most 60 lines, no general advice, nothing that you did not see. If there is an AGENTS.md or CLAUDE.md, improve it instead of adding a second file. $ARGUMENTS`

const REVIEW = `Review the uncommitted changes of this project; if there are none, review the newest commit. $ARGUMENTS
Look for defects first: wrong results, lost data, races, missing error handling, security, changed behavior that no test covers. Then for unclear names, duplication and code that could be deleted. Report each finding with \`path:line\`, what happens, and how to fix it, the most serious first. Say so if you find nothing. Change nothing.`

/** Commands of our own that are texts for the agent. A person's or project's command of the same name comes before them. */
export const BUILT_IN: readonly SlashCommand[] = [
  builtIn('init', 'Write a first AGENTS.md for this project', INIT),
  builtIn('review', 'Review the uncommitted changes, or the newest commit', REVIEW, '[what to look at]'),
]

function builtIn(name: string, description: string, body: string, hint = ''): SlashCommand {
  return {
    ...{ name, description, hint, body, kind: 'command', from: 'built-in', path: null, syntax: 'claude' },
    ...{ argumentNames: [], forModel: false, forPerson: true },
  }
}
