import type { Said } from '../../shared/session/said.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { expand } from './expand.ts'
import { findCommands, type FoundCommands } from './find-commands.ts'
import { calledCommand, type SlashCommand } from './slash-command.ts'

export interface SlashCommandParts {
  readonly workspaces: Pick<Workspaces, 'open'>
  readonly redactor: Pick<Redactor, 'text'>
  readonly home: string
  readonly dataFolder: string
  /** Nothing of a folder is read before it is trusted. */
  mayOpen(folder: string): Promise<boolean>
}

export interface SlashCommands {
  /** The commands of a folder (a real path); none if it is not trusted. Read anew each time, so that an edited file counts at once. */
  in(folder: string): Promise<FoundCommands>
  /** A message that calls a command of the folder, with the command's text in place of the call; any other message as it is. */
  said(folder: string, said: Said): Promise<Said>
  /** The text of a command for a model. */
  text(folder: string, command: SlashCommand, args: string): Promise<string>
}

const NONE: FoundCommands = { commands: [], unused: [] }

export function createSlashCommands({ workspaces, redactor, home, dataFolder, mayOpen }: SlashCommandParts): SlashCommands {
  const within = async <T>(folder: string, otherwise: T, work: (opened: OpenedFolder) => Promise<T>): Promise<T> => {
    if (!(await mayOpen(folder))) return otherwise
    const opened = await workspaces.open(folder)
    if (!opened.ok) return otherwise
    const { environment: env, copies, close } = opened.value
    try {
      return await work({ env, copies, project: opened.value.folder, redactor })
    } finally {
      await close()
    }
  }
  const found = ({ env, project }: OpenedFolder): Promise<FoundCommands> => findCommands({ env, project, home, dataFolder })
  return {
    in: (folder) => within(folder, NONE, found),
    async said(folder, said) {
      const called = calledCommand(said.text)
      if (called === null) return said
      return within(folder, said, async (opened) => {
        const { commands } = await found(opened)
        const command = commands.find(({ name, forPerson }) => name === called.name && forPerson)
        if (!command) return said
        return { ...said, text: await expand(command, called.args, opened), command: said.text.trim() }
      })
    },
    text: (folder, command, args) => within(folder, '', (opened) => expand(command, args, opened)),
  }
}

type OpenedFolder = Parameters<typeof expand>[2]
