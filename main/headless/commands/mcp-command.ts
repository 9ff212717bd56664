import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ChangedScript } from '../../../shared/api/changed-scripts.ts'
import type { McpImportPreview, McpImportServer, McpServerState, McpToolState } from '../../../shared/api/mcp.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { realFolder } from '../../environment/real-folders.ts'
import type { McpServers } from '../../mcp/servers.ts'
import type { ChosenServers } from '../../settings/foreign-mcp-servers.ts'
import { type PersonTerminal, saidYes, terminalFor } from '../asking/terminal-lines.ts'
import { complain, failWith, type Write } from '../report/standard-output.ts'
import { FOREIGN, rowsOf } from '../report/escaped-rows.ts'
import type { CommandPlace, CommandValues, CommandWork } from './command.ts'
import { visibleLine } from '../report/visible-text.ts'

/** A command about MCP servers, which runs no agent and needs no key. */
export type McpCommand = { readonly json: boolean } & (ServerCommand | ImportCommand)

/** `servers`: the servers to add, each by its name or as AGENT:NAME. If empty, the servers are only listed. */
interface ImportCommand {
  readonly kind: 'import'
  readonly servers: readonly string[]
  /** Whether values that look like secrets are copied in clear text. */
  readonly keepSecrets: boolean
}

type ServerCommand =
  | { readonly kind: 'list' }
  /**
   * `hash`: the hash of the tools or of the changed files that were shown, or its beginning. Null if the user is asked. `letOut`: whether
   * the server runs unconfined from now on.
   */
  | { readonly kind: 'approve'; readonly server: string; readonly hash: string | null; readonly letOut: boolean }

/** Minimum number of characters of a hash, because fewer could match by chance. */
const SHORTEST_HASH = 12
/** How long the servers may take to start, in ms, because some are downloaded first. */
const START_MS = 60_000

export function mcpCommand(words: readonly string[], values: CommandValues, here: string): Result<CommandWork, string> {
  const meant = mcpCommandOf(words, values)
  return meant.ok ? ok((place) => inFolder(meant.value, resolve(here, values.cwd ?? here), place)) : meant
}

/** A failure is a sentence for standard error. */
export function mcpCommandOf(words: readonly string[], values: CommandValues): Result<McpCommand, string> {
  const [kind, ...names] = words
  const [server, hash, ...rest] = names
  const { json = false } = values
  if (kind === 'import') return ok({ json, kind, servers: names, keepSecrets: values['keep-secrets'] ?? false })
  if (kind === 'list' && server === undefined) return ok({ json, kind })
  if (kind !== 'approve' || server === undefined || rest.length > 0)
    return failed('Use mcp list, mcp approve SERVER [HASH], or mcp import [SERVER…].')
  if (hash !== undefined && !new RegExp(`^[\\da-f]{${SHORTEST_HASH},64}$`, 'u').test(hash))
    return failed(`A hash has at least ${SHORTEST_HASH} characters of 0-9 and a-f.`)
  return ok({ json, kind, server, hash: hash ?? null, letOut: values['let-out'] ?? false })
}

/** Naming the folder trusts it for this run, as for a task. */
async function inFolder(command: McpCommand, path: string, { dataFolder, write, withApp }: CommandPlace): Promise<number> {
  const folder = await realFolder(path)
  return withApp(async ({ mcp, redactor }) => {
    const { foreignServers, importServers } = await import('../../settings/foreign-mcp-servers.ts')
    const places = { dataFolder, home: homedir(), folder }
    const foreign = {
      preview: () => foreignServers(places),
      add: (chosen: ChosenServers) => importServers({ ...places, keepSecrets: mcp.keepSecrets }, chosen),
    }
    const hidden = (text: string): void => write(redactor.text(text))
    return runMcpCommand(command, { servers: mcp, folder, write: hidden, terminal: terminalFor(false), foreign })
  }, folder)
}

export interface McpCommandParts {
  readonly servers: McpServers
  /** Real path of the project folder. */
  readonly folder: string
  readonly write: Write
  /** The MCP servers of other agents. */
  readonly foreign: {
    preview(): Promise<McpImportPreview>
    /** Returns the names under which the servers were added. */
    add(chosen: ChosenServers): Promise<Result<readonly string[], Trouble>>
  }
  /** Null if nobody can be asked. */
  readonly terminal: PersonTerminal | null
}

/** Returns the exit code. */
export async function runMcpCommand(command: McpCommand, parts: McpCommandParts): Promise<number> {
  return command.kind === 'import' ? importNamed(command, parts) : aboutServers(command, parts)
}

async function aboutServers(command: ServerCommand & Pick<McpCommand, 'json'>, parts: McpCommandParts): Promise<number> {
  const { servers, folder, write } = parts
  servers.open(folder, command.kind === 'approve' ? { named: command.server } : {})
  if (command.kind === 'approve' && command.letOut) await servers.setFree(folder, command.server, { isFree: true, scripts: null })
  const isWanted = (name: string): boolean => command.kind === 'list' || name === command.server
  await servers.settled(folder, isWanted, AbortSignal.timeout(START_MS)).catch(() => {})
  const state = servers.state()
  for (const problem of state.problems) complain(`${visibleLine(problem)}\n`)
  if (command.kind === 'approve') {
    const server = state.servers.find(({ name }) => name === command.server) ?? null
    return server && command.letOut && server.changed.length > 0 ? trustChanged(command, server, parts) : approve(command, server, parts)
  }
  if (command.json) write(`${JSON.stringify(state)}\n`)
  else if (state.servers.length === 0)
    write('No MCP servers. Add them to mcp.json in the data folder, or copy those of another agent with: mcp import\n')
  else write(state.servers.map((server) => shown(server)).join('\n'))
  return 0
}

type Approve = Extract<ServerCommand, { readonly kind: 'approve' }>

async function approve(
  { hash }: Approve,
  server: McpServerState | null,
  { servers, folder, write, terminal }: Omit<McpCommandParts, 'foreign'>,
): Promise<number> {
  if (server === null) return wrong('There is no such server in mcp.json of the data folder or in .mcp.json of the project folder.')
  write(shown(server, (tool) => servers.describe(folder, server.name, tool)))
  const { name, toApprove } = server
  if (server.status !== 'running') return wrong('The server is not running, so its tools are not known. Nothing was approved.')
  if (toApprove === null) {
    write(server.tools.length === 0 ? 'It has no tools.\n' : 'These tools are approved.\n')
    return 0
  }
  if (hash !== null && !toApprove.startsWith(hash)) return wrong('The server’s tools no longer have this hash. Nothing was approved.')
  if (hash === null && terminal === null)
    return wrong(`Nothing was approved. Read the descriptions, then: mcp approve ${name} ${toApprove}`)
  if (hash === null && terminal !== null && !(await saidYes(terminal, TOOLS_QUESTION))) return wrong('Nothing was approved.')
  if (!servers.approve(folder, name, toApprove)) return wrong('The server has changed its tools. Nothing was approved.')
  write('Approved: the model gets these tools from the next task on. Each call needs your approval, unless a rule allows it.\n')
  return 0
}

/** Trusts files that changed, with the content that is shown here or that the hash is about. */
async function trustChanged(
  { hash }: Approve,
  server: McpServerState,
  { servers, folder, write, terminal }: McpCommandParts,
): Promise<number> {
  write(shown(server))
  const { name, scripts } = server
  const current = hashOfScripts(scripts)
  if (hash !== null && !current.startsWith(hash)) return wrong('The files no longer have this hash. Nothing was trusted.')
  if (hash === null && terminal === null)
    return wrong(`Nothing was trusted. Read what changed, then: mcp approve ${name} ${current} --let-out`)
  if (hash === null && terminal !== null && !(await saidYes(terminal, TRUST_QUESTION))) return wrong('Nothing was trusted.')
  await servers.setFree(folder, name, { isFree: true, scripts })
  await servers.settled(folder, (one) => one === name, AbortSignal.timeout(START_MS)).catch(() => {})
  const after = servers.state().servers.find((one) => one.folder === folder && one.name === name) ?? null
  if (after && after.changed.length > 0) {
    write(shown(after))
    return wrong('The files changed again before the server started. It does not run.')
  }
  return approve({ kind: 'approve', server: name, hash: null, letOut: true }, after, { servers, folder, write, terminal })
}

/** Does not depend on the order of the files. */
const hashOfScripts = (scripts: McpServerState['scripts']): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(scripts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')

const TRUST_QUESTION = 'May the server run these files with all your rights? y or n: '
const TOOLS_QUESTION = 'May the model use these tools? It reads their descriptions too. y or n: '

async function importNamed(
  { servers: names, json, keepSecrets }: ImportCommand & Pick<McpCommand, 'json'>,
  { foreign, write }: McpCommandParts,
): Promise<number> {
  const preview = await foreign.preview()
  if (names.length === 0) {
    write(json ? `${JSON.stringify(preview)}\n` : previewText(preview))
    return 0
  }
  const chosen: McpImportServer[] = []
  for (const name of names) {
    const fits = preview.servers.filter((one) => !one.isKnown && (one.name === name || `${one.agent}:${one.name}` === name))
    const [one, second] = fits
    if (!one) return wrong(`No other agent has a server ${name} that could be added. Nothing was added.`)
    if (second)
      return wrong(`There are several servers with the name ${name}. Say which: ${fits.map(({ agent }) => `${agent}:${name}`).join(', ')}`)
    chosen.push(one)
  }
  // Without a window there is no key store that outlasts the run, so secrets are never stored.
  const added = await foreign.add({ ids: chosen.map(({ id }) => id), secrets: keepSecrets ? 'keep' : 'leave' })
  if (!added.ok) return failWith(added.failure)
  write(`Added: ${added.value.map(visibleLine).join(', ')}. Their tools wait for your approval: mcp approve SERVER\n`)
  const left = keepSecrets ? [] : chosen.filter(({ secrets }) => secrets.length > 0)
  for (const { name, secrets } of left)
    write(`Not copied, because it looks like a secret: ${secrets.map(visibleLine).join(', ')} of ${visibleLine(name)}. ${GIVE_LATER}\n`)
  return 0
}

const GIVE_LATER =
  'Store a value in a window (Settings > MCP servers), or set a variable with this name and allow it for the project (Settings > Limits > “Variables for commands”).'

function previewText({ files, servers, leftOut }: McpImportPreview): string {
  if (files.length === 0) return 'No file of Claude Code, VS Code, Codex or Gemini with MCP servers was found.\n'
  const left = leftOut.map(({ file, what, why }) => `Not imported: ${visibleLine(what)} of ${visibleLine(file)}. ${visibleLine(why)}`)
  return [...servers.flatMap(previewRows), ...left, ''].join('\n')
}

const previewRows = ({ agent, name, file, target, variables, secrets, notTaken, isKnown }: McpImportServer): readonly string[] => [
  `${visibleLine(`${agent}:${name}`)}${isKnown ? ' (you already have a server with this name)' : ''}`,
  `  ${visibleLine(target)}`,
  `  from ${visibleLine(file)}`,
  ...(variables.length === 0 ? [] : [`  needs ${variables.map(visibleLine).join(', ')}`]),
  ...(secrets.length === 0
    ? []
    : [`  values that look like secrets, not copied without --keep-secrets: ${secrets.map(visibleLine).join(', ')}`]),
  ...notTaken.map(({ what, why }) => `  not imported: ${visibleLine(what)}. ${visibleLine(why)}`),
]

/** `describe`: returns everything that the model would read about a tool. */
function shown(server: McpServerState, describe: (tool: string) => string | null = () => null): string {
  const { name, origin, status, failure, signIn, target, tools, toApprove, changed } = server
  const isSignedOut = signIn.kind === 'needed'
  return [
    `${visibleLine(name)}: ${isSignedOut ? 'wants you to sign in, which needs a window' : status}, ${origin === 'you' ? 'yours' : 'from the project'}`,
    `  ${visibleLine(target)}`,
    ...(failure === null || isSignedOut ? [] : [`  ${visibleLine(failure)}`]),
    ...changed.flatMap(changedRows),
    ...(toApprove === null ? [] : [`  ${waits(server)} Hash: ${toApprove}`]),
    ...tools.flatMap((tool) => toolRows(tool, describe(tool.name) ?? tool.description)),
    '',
  ].join('\n')
}

const changedRows = ({ shown: name, hunks }: ChangedScript): readonly string[] =>
  hunks === null ? [] : [`  What changed in ${visibleLine(name)} since you trusted it:`, ...rowsOf(hunks.join('\n'), FOREIGN, null)]

const waits = ({ hasChanged }: McpServerState): string =>
  hasChanged
    ? 'Its tools have changed since you approved them; the model gets none of them.'
    : 'The model does not get its tools before you approve them.'

const toolRows = ({ calledAs, isOn }: McpToolState, description: string): readonly string[] => [
  `  ${calledAs}${isOn ? '' : ' (switched off)'}`,
  ...rowsOf(description, FOREIGN, null),
]

function wrong(words: string): number {
  complain(`${visibleLine(words)}\n`)
  return 1
}
