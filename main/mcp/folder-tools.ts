import type { Tool } from '../agent/ports/tool.ts'
import type { ListedTool, ServerQuestion } from './connection.ts'
import { askPerson } from './elicitation/elicitation.ts'
import { CALL_MS, type FolderServer, type OpenFolder, runningStatus, type ServerTool } from './folder-server.ts'
import { createMcpTool, fitsInRequest, toolNames } from './mcp-tool.ts'
import { hashOfTools } from './server.ts'
import { type Choices, choiceFor } from './server-choices.ts'

/** The tools of a folder's servers that are approved and switched on. Returns the same array until `folder.tools` is null again. */
export const toolsIn = (choices: Choices, folder: OpenFolder): readonly ServerTool[] => (folder.tools ??= toolsOf(choices, folder.servers))

/** The tools to offer to a model. */
export function toolsOf(choices: Choices, servers: readonly FolderServer[]): readonly ServerTool[] {
  const approved = servers.flatMap((known) => approvedTools(choices, known).map((tool) => ({ known, server: known.name, tool })))
  // Tools that are switched off count too, so that switching one does not rename another.
  const names = toolNames(approved)
  return approved
    .filter(({ known, tool }) => !choiceFor(choices, known).off.includes(tool.name) && fitsInRequest(tool))
    .map((each) => ({ server: each.server, tool: callable(choices, each.known, each.tool, names.get(each) ?? '') }))
}

/** None if the running server now has different tools. If the server is not running, all approved tools. */
function approvedTools(choices: Choices, known: FolderServer): readonly ListedTool[] {
  const { tools } = choiceFor(choices, known)
  if (tools === null) return []
  const running = runningStatus(known)
  return running === null || running.hash === hashOfTools(tools) ? tools : []
}

function callable(choices: Choices, known: FolderServer, tool: ListedTool, calledAs: string): Tool {
  return createMcpTool({ server: known.name, tool }, calledAs, async (args, options) => {
    await known.server.ready(options.signal)
    if (!approvedTools(choices, known).some(({ name }) => name === tool.name))
      throw new Error(`The tools of the MCP server ${known.name} have changed, and the user has not approved them yet. Nothing was called.`)
    const ask = (asked: ServerQuestion) => askPerson(known.name, asked, options.ask)
    return known.server.call(tool.name, args, { ...options, ask, timeoutMs: known.entry.timeout ?? CALL_MS })
  })
}
