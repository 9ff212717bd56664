import { useEffect, useRef, useState } from 'react'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { SlashCommandFacts } from '../../../../shared/api/workspace.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { answered, type Completing, type CompletionOption } from './completing.ts'
import { deskCommands } from './desk-commands.ts'
import { useResourceOptions } from './use-resource-options.ts'
import { useSessionOptions } from './use-session-options.ts'
import { useSymbols } from './use-symbols.ts'

/** Of paths, while something is typed: symbols and sessions come after them. */
const MAX_PATHS = 12
const NONE: readonly CompletionOption[] = []
const ORIGINS = { project: 'project', person: 'yours', server: 'MCP server', 'built-in': '' } as const

/** The options for what is being completed; those for earlier input stay until the answer comes. `taken`: paths chosen before, newest first. */
export function useOptions(sessionId: SessionId, completing: Completing | null, taken: readonly string[]): readonly CompletionOption[] {
  const desk = useDesk()
  const folder = useSession(sessionId, ({ cwd }) => cwd, '')
  const [commands, setCommands] = useState<readonly SlashCommandFacts[]>([])
  const [paths, setPaths] = useState<readonly string[]>([])
  const symbols = useSymbols(completing, folder)
  const sessions = useSessionOptions(sessionId, completing)
  const resources = useResourceOptions(sessionId, completing, folder)
  const recent = useRef(taken)
  useEffect(() => {
    recent.current = taken
  })
  const kind = completing?.kind ?? null
  const typed = completing?.typed ?? ''

  useEffect(() => {
    if (kind !== 'command' || folder === '') return
    return answered(desk.connection.client?.workspace.commands({ folder }), (answer) => setCommands(answer.commands))
  }, [desk, kind, folder])
  useEffect(() => {
    if (kind !== 'path' || folder === '') return
    const asked = desk.connection.client?.workspace.files({ folder, typed, recent: recent.current.slice(0, 100) })
    return answered(asked, (answer) => setPaths(answer.paths))
  }, [desk, kind, folder, typed])

  if (kind === null) return NONE
  if (kind === 'path')
    return [...paths.slice(0, typed === '' ? paths.length : MAX_PATHS), ...symbols, ...sessions, ...resources].map((one) =>
      typeof one === 'string' ? pathOption(one) : one,
    )
  const theirs = commands.map(commandOption)
  const names = new Set(theirs.map(({ words }) => words))
  const own = deskCommands(desk, sessionId).filter(({ words }) => !names.has(words))
  return fitting([...theirs, ...own], typed)
}

const commandOption = ({ name, description, hint, from }: SlashCommandFacts): CompletionOption => ({
  ...{ id: `${from}:${name}`, words: `/${name}`, about: hint === '' ? description : `${hint}  ${description}`, origin: ORIGINS[from] },
  text: `/${name} `,
})

/** A folder is completed further. */
const pathOption = (path: string): CompletionOption => ({
  ...{ id: path, words: path, about: '', origin: '', text: path.endsWith('/') ? `@${path}` : `@${path} ` },
})

/** Those that begin with what was typed, then those that contain it. */
function fitting(options: readonly CompletionOption[], typed: string): readonly CompletionOption[] {
  const wanted = typed.toLowerCase()
  const begins = options.filter(({ words }) => words.toLowerCase().startsWith(`/${wanted}`))
  const contains = options.filter((option) => !begins.includes(option) && option.words.toLowerCase().includes(wanted))
  return [...begins, ...contains]
}
