import { parseArgs } from 'node:util'
import type { McpServerState, McpToolState } from '../../shared/api/mcp.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { McpServers } from '../mcp/servers.ts'
import { type PersonTerminal, readTerminal } from './asking/terminal-lines.ts'
import { complain, type Write } from './report/output.ts'
import { FOREIGN, rowsOf } from './report/rows.ts'
import { visibleLine } from './report/visible.ts'

/** A command about MCP servers, which runs no agent and needs no key. */
export type McpCommand = { readonly data: string | null; readonly cwd: string | null; readonly json: boolean } & (
  | { readonly kind: 'list' }
  /** `hash`: of the tools that were shown, or how it begins; null: the person is asked. `letOut`: it runs unconfined from now on. */
  | { readonly kind: 'approve'; readonly server: string; readonly hash: string | null; readonly letOut: boolean }
)

/** Part of `--help`. */
export const MCP_HELP = `
MCP servers
  mcp list             starts the servers of mcp.json in the data folder, and those of .mcp.json of the project folder that
                       you approved, and prints their state, tools and descriptions. --json for programs
  mcp approve SERVER [HASH]
                       starts one server, prints its tools and descriptions, and asks whether the model may get them.
                       Without a terminal, HASH (printed by mcp list and mcp approve) says which tools you approve.
                       --let-out: it runs with all your rights from now on, not confined to the folder without network`

/** Characters that a hash has at least: less would fit by chance. */
const SHORTEST_HASH = 12
/** Time for the servers to start, in ms: some are downloaded first. */
const START_MS = 60_000

/** Null: the words are a task. A failure is a sentence for standard error. */
export function mcpCommandIn(argv: readonly string[]): Result<McpCommand, string> | null {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const options = { data: text, cwd: text, json: flag, 'let-out': flag } as const
  let parsed
  try {
    parsed = parseArgs({ args: [...argv], allowPositionals: true, options })
  } catch {
    return null
  }
  const [name, kind, server, hash, ...rest] = parsed.positionals
  if (name !== 'mcp' || kind === undefined) return null
  const { data = null, cwd = null, json = false } = parsed.values
  const where = { data, cwd, json }
  if (kind === 'list' && server === undefined) return ok({ ...where, kind })
  if (kind !== 'approve' || server === undefined || rest.length > 0)
    return failed('mcp takes list, or approve SERVER and the hash of its tools.')
  if (hash !== undefined && !new RegExp(`^[\\da-f]{${SHORTEST_HASH},64}$`, 'u').test(hash))
    return failed(`A hash has at least ${SHORTEST_HASH} characters of 0-9 and a-f.`)
  return ok({ ...where, kind, server, hash: hash ?? null, letOut: parsed.values['let-out'] ?? false })
}

export interface McpCommandParts {
  readonly servers: McpServers
  /** Real path of the project folder. */
  readonly folder: string
  readonly write: Write
  /** Null: nobody can be asked. */
  readonly terminal: PersonTerminal | null
}

/** Returns the exit code. */
export async function runMcpCommand(command: McpCommand, parts: McpCommandParts): Promise<number> {
  const { servers, folder, write } = parts
  servers.open(folder, command.kind === 'approve' ? command.server : undefined)
  if (command.kind === 'approve' && command.letOut) await servers.setFree(folder, command.server, true)
  const isWanted = (name: string): boolean => command.kind === 'list' || name === command.server
  await servers.settled(folder, isWanted, AbortSignal.timeout(START_MS)).catch(() => {})
  const state = servers.state()
  for (const problem of state.problems) complain(`${visibleLine(problem)}\n`)
  if (command.kind === 'approve') return approve(command, state.servers.find(({ name }) => name === command.server) ?? null, parts)
  if (command.json) write(`${JSON.stringify(state)}\n`)
  else if (state.servers.length === 0) write('No MCP servers.\n')
  else write(state.servers.map(shown).join('\n'))
  return 0
}

type Approve = Extract<McpCommand, { readonly kind: 'approve' }>

async function approve(
  { hash }: Approve,
  server: McpServerState | null,
  { servers, folder, write, terminal }: McpCommandParts,
): Promise<number> {
  if (server === null) return wrong('There is no such server in mcp.json of the data folder or in .mcp.json of the project folder.')
  write(shown(server))
  const { name, toApprove } = server
  if (server.status !== 'running') return wrong('The server does not run, so its tools are not known. Nothing was approved.')
  if (toApprove === null) {
    write(server.tools.length === 0 ? 'It has no tools.\n' : 'These tools are approved.\n')
    return 0
  }
  if (hash !== null && !toApprove.startsWith(hash))
    return wrong('The server has other tools now than those of this hash. Nothing was approved.')
  if (hash === null && terminal === null)
    return wrong(`Nothing was approved. Read the descriptions, then: mcp approve ${name} ${toApprove}`)
  if (hash === null && terminal !== null && !(await saidYes(terminal))) return wrong('Nothing was approved.')
  if (!servers.approve(folder, name, toApprove)) return wrong('The server has other tools now. Nothing was approved.')
  write('Approved: the model gets these tools from the next task on. Each call asks, unless a rule allows it.\n')
  return 0
}

async function saidYes(terminal: PersonTerminal): Promise<boolean> {
  const lines = readTerminal(terminal)
  try {
    const typed = await lines.ask(
      'May the model get these tools? The model reads the descriptions too. y or n: ',
      new AbortController().signal,
    )
    return typed.kind === 'line' && /^y(?:es)?$/iu.test(typed.text.trim())
  } finally {
    lines.close()
  }
}

function shown(server: McpServerState): string {
  const { name, origin, status, failure, signIn, target, tools, toApprove } = server
  const isSignedOut = signIn.kind === 'needed'
  return [
    `${visibleLine(name)}: ${isSignedOut ? 'wants you to sign in, which needs a window' : status}, ${origin === 'you' ? 'yours' : 'from the project'}`,
    `  ${visibleLine(target)}`,
    ...(failure === null || isSignedOut ? [] : [`  ${visibleLine(failure)}`]),
    ...(toApprove === null ? [] : [`  ${waits(server)} Hash: ${toApprove}`]),
    ...tools.flatMap(toolRows),
    '',
  ].join('\n')
}

const waits = ({ hasChanged }: McpServerState): string =>
  hasChanged
    ? 'Its tools have changed since you approved them; the model gets none of them.'
    : 'The model does not get its tools before you approve them.'

const toolRows = ({ calledAs, description, isOn }: McpToolState): readonly string[] => [
  `  ${calledAs}${isOn ? '' : ' (switched off)'}`,
  ...rowsOf(description, FOREIGN, null),
]

function wrong(words: string): number {
  complain(`${visibleLine(words)}\n`)
  return 1
}
