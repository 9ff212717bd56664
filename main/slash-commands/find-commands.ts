import { basename, dirname, join, relative, sep } from 'node:path'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { PROJECT_CONFIG_PATHS } from '../prompt/project-config-paths.ts'
import { readablePath } from '../prompt/readable-path.ts'
import { type CommandFormat, readCommandFile } from './read-command-file.ts'
import type { SlashCommand, UnusedCommandFile } from './slash-command.ts'

/** Maximum number of bytes in a file, of files in a folder, and of subfolder levels. Anything beyond these limits is not read. */
const MAX_BYTES = 256 * 1024
const MAX_FILES = 300
const MAX_LEVELS = 4

interface Place {
  readonly folder: string
  readonly format: CommandFormat
  readonly from: 'project' | 'person'
  /** Links that lead out of this folder are not followed. */
  readonly root: string
}

export interface CommandSources {
  readonly env: ExecutionEnvironment
  /** The environment of this computer, which has the user's own files. Default: `env`. */
  readonly personEnv?: ExecutionEnvironment
  /** Real path of the trusted project. */
  readonly project: string
  readonly home: string
  readonly dataFolder: string
}

export interface FoundCommands {
  /**
   * Each command under its own name. If several commands have the same name, the first one keeps it, another one gets a name such as
   * `project:name` or `person:name`, and any that would repeat that name are left out.
   */
  readonly commands: readonly SlashCommand[]
  readonly unused: readonly UnusedCommandFile[]
}

/**
 * All commands of the user and of a project. The user's come first, so that a project cannot change what a name means to the user.
 */
export async function findCommands(sources: CommandSources): Promise<FoundCommands> {
  const found = await Promise.all(
    placesOf(sources).map((place) => commandsIn((place.from === 'person' && sources.personEnv) || sources.env, place)),
  )
  const commands = new Map<string, SlashCommand>()
  for (const command of [...found.flatMap((place) => place.commands), ...BUILT_IN]) {
    const qualified = `${command.from}:${command.name}`
    const name = commands.has(command.name) ? qualified : command.name
    if (!commands.has(name)) commands.set(name, { ...command, name })
  }
  return { commands: [...commands.values()], unused: found.flatMap(({ unused }) => unused) }
}

/** Skills come before the same owner's commands, so a skill takes precedence over a command with the same name. */
function placesOf({ project, home, dataFolder }: CommandSources): readonly Place[] {
  const mine = (folder: string, format: CommandFormat): Place => ({ folder: join(home, folder), format, from: 'person', root: home })
  const ours = (folder: string, format: CommandFormat): Place => ({ folder: join(project, folder), format, from: 'project', root: project })
  return [
    { folder: join(dataFolder, 'skills'), format: 'skill', from: 'person', root: dataFolder },
    ...['.claude/skills', '.agents/skills', '.gemini/skills'].map((folder) => mine(folder, 'skill')),
    { folder: join(dataFolder, 'commands'), format: 'markdown', from: 'person', root: dataFolder },
    mine('.claude/commands', 'markdown'),
    mine('.codex/prompts', 'codex-prompt'),
    mine('.gemini/commands', 'gemini-toml'),
    ...PROJECT_CONFIG_PATHS.skills.map((folder) => ours(folder, 'skill')),
    ...PROJECT_CONFIG_PATHS.commands.map((folder) => ours(folder, folder.startsWith('.gemini') ? 'gemini-toml' : 'markdown')),
  ]
}

async function commandsIn(env: ExecutionEnvironment, place: Place): Promise<FoundCommands> {
  const commands: SlashCommand[] = []
  const unused: UnusedCommandFile[] = []
  for (const path of await filesIn(env, place)) {
    const text = await readText(env, place, path)
    const read =
      text.why === null ? await readCommandFile({ name: nameOf(place, path), from: place.from, path, text: text.text }, place.format) : null
    if (read?.ok) commands.push(read.value)
    else unused.push({ path, why: read ? read.failure : (text.why ?? '') })
  }
  return { commands, unused }
}

const ENDINGS = { markdown: '.md', 'codex-prompt': '.md', 'gemini-toml': '.toml', skill: 'SKILL.md' } as const

async function filesIn(env: ExecutionEnvironment, { folder, format }: Place): Promise<readonly string[]> {
  const found: string[] = []
  const levels = format === 'skill' ? 1 : format === 'codex-prompt' ? 0 : MAX_LEVELS
  const walk = async (at: string, level: number): Promise<void> => {
    const entries = await env.listDirectory(at).catch(() => [])
    for (const { name, isDir } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= MAX_FILES) return
      if (isDir && level < levels) await walk(join(at, name), level + 1)
      else if (!isDir && (format === 'skill' ? level === 1 && name === ENDINGS.skill : name.endsWith(ENDINGS[format])))
        found.push(join(at, name))
    }
  }
  if ((await env.stat(folder).catch(() => null))?.kind === 'folder') await walk(folder, 0)
  return found
}

function nameOf({ folder, format }: Place, path: string): string {
  if (format === 'skill') return basename(dirname(path))
  const way = relative(folder, path).slice(0, -ENDINGS[format].length)
  return way.split(sep).join(':')
}

type Text = { readonly text: string; readonly why: null } | { readonly text: null; readonly why: string }

async function readText(env: ExecutionEnvironment, { root }: Place, path: string): Promise<Text> {
  try {
    const real = await readablePath(env, root, path)
    if (!real.ok) return { text: null, why: real.failure }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await env.readBytes(real.value, { maxBytes: MAX_BYTES })), why: null }
  } catch (error) {
    return { text: null, why: error instanceof Error ? error.message : String(error) }
  }
}

const INIT = `Write a first AGENTS.md for this project, for agents that work in it later. Read the README, the package files, the folder structure, the configuration of build, tests and linter, and a few typical source files. Then create AGENTS.md with, in short sections: what the project is; the commands to build, test (a single test and all tests) and lint, each tried out if it is harmless; how the code is organized; conventions that a newcomer would miss. At most 60 lines, no general advice, only facts that you have seen. If there is an AGENTS.md or CLAUDE.md, improve it instead of adding a second file. $ARGUMENTS`

const MEMORY = `If a note follows, save it with save_memory as one short line of this project's memory, unless the memory already says so. If none follows, show what the project's memory file contains, and name lines that look outdated or wrong. Note: $ARGUMENTS`

const REVIEW = `Review the uncommitted changes of this project; if there are none, review the newest commit. $ARGUMENTS
Look for defects first: wrong results, lost data, races, missing error handling, security, changed behavior that no test covers. Then for unclear names, duplication and code that could be deleted. Report each finding with \`path:line\`, what happens, and how to fix it, the most serious first. Say so if you find nothing. Change nothing.`

/**
 * Countersign's own commands that consist of text for the agent. A command of the user or the project with the same name takes precedence.
 */
const BUILT_IN: readonly SlashCommand[] = [
  builtIn('init', 'Write a first AGENTS.md for this project', INIT),
  builtIn('memory', 'Add a note to the project’s memory, or show it', MEMORY, '[note]'),
  builtIn('review', 'Review the uncommitted changes, or the newest commit', REVIEW, '[what to look at]'),
]

function builtIn(name: string, description: string, body: string, hint = ''): SlashCommand {
  return {
    name,
    description,
    hint,
    body,
    kind: 'command',
    from: 'built-in',
    path: null,
    syntax: 'claude',
    argumentNames: [],
    forModel: false,
    forPerson: true,
  }
}
