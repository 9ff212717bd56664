import type { ListedPrompt, ListedResource } from './connection.ts'
import { CALL_MS, type FolderServer, runningStatus } from './folder-server.ts'
import type { McpServer } from './server.ts'

export interface ServerPrompt {
  readonly server: string
  readonly prompt: ListedPrompt
}

interface ServerResource extends ListedResource {
  readonly server: string
}

/** What the servers of a folder offer to the user besides their tools. */
export interface FolderOffers {
  /** The prompts of the folder's running servers. Never waits. */
  prompts(folder: string): readonly ServerPrompt[]
  /** The resources of the folder's running servers. Never waits. */
  resources(folder: string): readonly ServerResource[]
  /** Resolves to the text of a resource. If there is none, rejects with an `Error` whose message gives the reason. */
  resource(folder: string, server: string, uri: string): Promise<string>
  /** Resolves to the text of a prompt. If there is none, rejects with an `Error` whose message gives the reason. */
  prompt(folder: string, prompt: ServerPrompt, args: Readonly<Record<string, string>>): Promise<string>
}

export function folderOffers(serversOf: (folder: string) => readonly FolderServer[]): FolderOffers {
  const ask = async (
    folder: string,
    name: string,
    question: (server: McpServer, signal: AbortSignal) => Promise<string>,
  ): Promise<string> => {
    const known = serversOf(folder).find((one) => one.name === name)
    if (!known) throw new Error(`There is no MCP server ${name}.`)
    return question(known.server, AbortSignal.timeout(known.entry.timeout ?? CALL_MS))
  }
  return {
    prompts: (folder) =>
      serversOf(folder).flatMap((known) => (runningStatus(known)?.prompts ?? []).map((prompt) => ({ server: known.name, prompt }))),
    resources: (folder) =>
      serversOf(folder).flatMap((known) => (runningStatus(known)?.resources ?? []).map((one) => ({ server: known.name, ...one }))),
    prompt: (folder, { server, prompt }, args) => ask(folder, server, (server, signal) => server.prompt(prompt.name, args, signal)),
    resource: (folder, server, uri) => ask(folder, server, (server, signal) => server.resource(uri, signal)),
  }
}
