import { disposable } from '../../../shared/lib/disposable.ts'
import { expect, onTestFinished } from 'vitest'
import type { Tool } from '../../../main/agent/ports/tool.ts'
import { expandEntry, type ServerEntry } from '../../../main/mcp/server-entries.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import type { Credentials, Launch } from '../../../main/mcp/connection.ts'
import { connectWithSdk } from '../../../main/mcp/sdk/sdk-connection.ts'
import { startSignIn } from '../../../main/mcp/oauth-sign-in.ts'
import type { ServerChoice } from '../../../main/mcp/server-choices.ts'
import { createMcpServers, type McpServers, type OpenOptions, type ServersParts } from '../../../main/mcp/servers.ts'

/** The folder to which the servers belong. */
export const FOLDER = import.meta.dirname
export const EVERYTHING = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
/** Returns an entry for a server that is a Node program. */
export const node = (...args: readonly string[]): Extract<ServerEntry, { readonly command: string }> => ({
  type: 'stdio',
  command: process.execPath,
  args: [...args],
  env: {},
})

/** Returns credentials for signing in at servers, kept in memory. `text` is their current stored form. */
export function inMemory(): Credentials & { text: string | null } {
  const kept = {
    text: null as string | null,
    read: () => Promise.resolve(kept.text),
    write(text: string | null) {
      kept.text = text
      return Promise.resolve()
    },
  }
  return kept
}

/** Really starts the servers. The user's choices are stored in `choices`. `parts` replace the default ones. */
export function startServers(
  entries: Readonly<Record<string, ServerEntry>>,
  choices = new Map<string, ServerChoice>(),
  credentials = inMemory(),
  setAside: Launch['setAside'] = () => Promise.resolve([]),
  { options = {}, ...parts }: Partial<ServersParts> & { readonly options?: OpenOptions } = {},
): McpServers {
  const secrets = new Map<string, Readonly<Record<string, string>>>()
  const servers = createMcpServers({
    connect: connectWithSdk,
    read: () => ({
      you: { servers: [], problems: [] },
      project: { servers: Object.entries(entries).map(([name, entry]) => ({ name, entry })), problems: [] },
    }),
    signIn: startSignIn,
    // `target` below never runs a check.
    contents: { keep: () => Promise.resolve(), changes: () => Promise.resolve([]) },
    readScript: () => Promise.reject(new Error('No script is read here.')),
    onKeptIn: () => disposable(() => {}),
    target: ({ entry: written, secrets: values }) => {
      const entry = expandEntry(written, (name) => values[name])
      const environment = createLocalExecutionEnvironment(process.cwd())
      return Promise.resolve(
        entry.type === 'stdio'
          ? {
              kind: 'program',
              folder: FOLDER,
              launch: {
                open: () => environment.open([entry.command, ...entry.args], { envVars: entry.env }),
                isConfined: false,
                setAside,
                suspect: () => disposable(() => {}),
                close: () => environment.cleanup(),
              },
            }
          : { kind: 'address', folder: null, entry, credentials },
      )
    },
    secrets: (name) => ({
      read: () => Promise.resolve(secrets.get(name) ?? {}),
      write: (values) => Promise.resolve(void secrets.set(name, values)),
    }),
    keptIn: () => 'memory',
    hasVariable: () => false,
    choice: (key) => choices.get(key) ?? null,
    choose: (key, choice) => void choices.set(key, choice),
    look: () => null,
    ...parts,
  })
  onTestFinished(() => servers.close())
  servers.open(FOLDER, options)
  return servers
}

export async function until<T>(servers: McpServers, read: () => T | null | undefined | false): Promise<T> {
  for (;;) {
    const found = read()
    if (found !== null && found !== undefined && found !== false) return found
    await new Promise<void>((resolve) => {
      const listening = servers.onChange(() => {
        listening.dispose()
        resolve()
      })
    })
  }
}

export const stateOf = (servers: McpServers, name: string) => servers.state().servers.find((one) => one.name === name)

export async function approve(servers: McpServers, name: string): Promise<void> {
  const hash = await until(servers, () => stateOf(servers, name)?.toApprove)
  expect(servers.approve(FOLDER, name, hash)).toBe(true)
}

export const toolNamed = (servers: McpServers, name: string): Tool => {
  const found = servers.tools(FOLDER).find(({ tool }) => tool.definition.name === name)?.tool
  if (!found)
    throw new Error(
      `${name} is not offered, only ${servers
        .tools(FOLDER)
        .map(({ tool }) => tool.definition.name)
        .join(', ')}`,
    )
  return found
}
