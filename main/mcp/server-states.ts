import type { McpServerState, McpState, McpVariable } from '../../shared/api/mcp.ts'
import type { ListedTool } from './connection.ts'
import { type FolderServer, type OpenFolder, runningStatus } from './folder-server.ts'
import { toolsIn } from './folder-tools.ts'
import { toolNames } from './mcp-tool.ts'
import { hashOfTools } from './server.ts'
import { type Choices, choiceFor, type ServerChoice } from './server-choices.ts'
import { variablesOf } from './server-entries.ts'
import { SEARCHED_ABOVE, tokensOf } from './tool-tokens.ts'

/** Maximum number of characters of a tool's description that the screen shows. */
const SHOWN_DESCRIPTION = 300

/** What a server's displayed state depends on, besides the server itself. */
export interface StateParts extends Choices {
  /** Whether the user's environment has a value for this variable that can be passed on to a server. */
  hasVariable(folder: string, name: string): boolean
  readonly keptIn: () => McpState['keptIn']
}

/** The servers of all open folders, as the settings show them. */
export function statesOf(parts: StateParts, folders: readonly OpenFolder[]): McpState {
  return {
    servers: folders.flatMap((folder) => serversIn(parts, folder)),
    keptIn: parts.keptIn(),
    problems: [...new Set(folders.flatMap(({ problems }) => problems))],
  }
}

function serversIn(parts: StateParts, folder: OpenFolder): readonly McpServerState[] {
  const nameOf = namesIn(folder.servers)
  const tools = toolsIn(parts, folder)
  const isSearched = tokensOf(tools) > SEARCHED_ABOVE
  return folder.servers.map((known) => {
    const choice = choiceFor(parts, known)
    return {
      ...entryState(known, parts),
      ...runState(known),
      ...toolsState(known, choice, nameOf),
      isFree: choice.isFree,
      tokens: tokensOf(tools.filter(({ server }) => server === known.name)),
      isSearched,
    }
  })
}

type EntryState = Pick<McpServerState, 'folder' | 'name' | 'origin' | 'target' | 'variables'>

function entryState({ folder, name, origin, entry, storedNames }: FolderServer, parts: StateParts): EntryState {
  const source = (variable: string, hasDefault: boolean): McpVariable['from'] => {
    if (storedNames.has(variable)) return 'stored'
    if (parts.hasVariable(folder, variable)) return 'environment'
    return hasDefault ? 'default' : 'missing'
  }
  return {
    folder,
    name,
    origin,
    target: entry.type === 'stdio' ? [entry.command, ...entry.args].join(' ') : entry.url,
    variables: variablesOf(entry).map((variable) => ({ name: variable.name, from: source(variable.name, variable.hasDefault) })),
  }
}

type RunState = Pick<McpServerState, 'isConfined' | 'changed' | 'scripts' | 'status' | 'failure' | 'signIn' | 'log'>

function runState({ server, changed, scripts, signing }: FolderServer): RunState {
  const status = server.status()
  return {
    isConfined: server.isConfined(),
    changed,
    scripts,
    status: status.kind,
    failure: status.kind === 'failed' ? status.why : null,
    signIn: signing.state(status.kind === 'failed' && status.needsSignIn),
    log: [...server.log()],
  }
}

type NameOf = (server: string, tool: ListedTool) => string

function toolsState(known: FolderServer, choice: ServerChoice, nameOf: NameOf): Pick<McpServerState, 'tools' | 'toApprove' | 'hasChanged'> {
  const running = runningStatus(known)
  const isApproved = choice.tools !== null && running?.hash === hashOfTools(choice.tools)
  return {
    tools: (running?.tools ?? choice.tools ?? []).map((tool) => ({
      name: tool.name,
      calledAs: nameOf(known.name, tool),
      description: tool.description.slice(0, SHOWN_DESCRIPTION),
      isOn: !choice.off.includes(tool.name),
    })),
    toApprove: running !== null && running.tools.length > 0 && !isApproved ? running.hash : null,
    hasChanged: running !== null && choice.tools !== null && !isApproved,
  }
}

/** The names under which the model knows the tools of running servers. A tool of another server is named as if it were the only one. */
function namesIn(servers: readonly FolderServer[]): NameOf {
  const running = servers.flatMap((known) => (runningStatus(known)?.tools ?? []).map((tool) => ({ server: known.name, tool })))
  const names = new Map([...toolNames(running)].map(([{ tool }, name]) => [tool, name]))
  return (server, tool) => {
    const alone = { server, tool }
    return names.get(tool) ?? toolNames([alone]).get(alone) ?? ''
  }
}
