import { homedir } from 'node:os'
import type { CommandCopies, CopySupport } from '../agent/ports/command-copies.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { createFolderComparison } from '../environment/comparison/folder-comparison.ts'
import type { SignedFiles } from '../environment/copy/guard/control-file-contents.ts'
import { commandEnvironment, pathIn } from '../environment/env-policy.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'
import { createLocalExecutionEnvironment } from '../environment/local-environment.ts'
import { useNoProgramsFrom } from '../environment/own-programs/own-programs.ts'
import { hookPrograms } from '../hooks/hook-scripts.ts'
import { withClones } from './session-places/made-sessions.ts'
import { transcriptFile } from '../store/hook-transcripts.ts'
import type { McpServers } from '../mcp/servers.ts'
import { copiesWithoutDenied, deniedFiles } from '../rules/denied-files.ts'
import type { RuleWhen } from '../rules/rule-matches.ts'
import { isFar } from '../../shared/places/address.ts'
import type { Places } from '../places/places.ts'
import { tryAll } from '../../shared/lib/try-all.ts'
import type { KnownSecrets } from '../redaction/known-secrets.ts'
import type { Secrets } from '../settings/secrets.ts'
import { type AgentFolders, foldersOfAgent } from '../foreign-agents/known-agents.ts'
import type { Store } from '../store/store.ts'
import { createWorkspaces, type Workspaces } from '../workspace/workspaces.ts'
import type { AppParts } from './app-parts.ts'
import { createFolderCopies } from '../host-process/here/folder-copies.ts'
import { deniedInSession, type RulesParts } from './session-rules.ts'
import { createFolderLayers, layerPlacesIn } from '../host-process/here/folder-layers.ts'
import { keptCredentials, keptSecrets } from './kept-mcp-secrets.ts'
import { createAppMcpServers, type ServerFolder } from './mcp-servers.ts'

interface WorkspaceNeeds extends RulesParts {
  readonly parts: AppParts
  readonly store: Store
  readonly redactor: Redactor
  allowVariables(folder: string): readonly string[]
  /** The rules that apply in a folder at the moment, without those of single sessions. */
  rulesIn(folder: string): readonly RuleWhen[]
  /** Files that were signed in a session count as signed for MCP servers too. */
  readonly signed: SignedFiles
  /** Other machines. */
  readonly places: Places
}

/** The folders that are open, each with its environment, and with copies where commands can run in them. */
export function createAppWorkspaces(needs: WorkspaceNeeds): Workspaces {
  const { parts, store, redactor, allowVariables, signed } = needs
  const { notes, blobs } = store
  const { dataFolder, environment, sandbox } = parts
  const agentFolders = (sessionId: SessionId): AgentFolders => foldersOfAgent(dataFolder, store.sessions.get(sessionId)?.config ?? null)
  const optionsFor = (folder: string) => ({ notes, redactor, allowVariables: () => allowVariables(folder) })
  return createWorkspaces({
    // A host with its own environment decides where folders are.
    ...(!parts.environment && { elsewhere: (place) => needs.places.reach(place), connected: needs.places.connected }),
    createEnvironment(folder) {
      const local = createLocalExecutionEnvironment(folder, optionsFor(folder))
      return environment ? environment.over(local) : local
    },
    ...(!environment && { createComparison: (folder) => createFolderComparison(folder, { ownFolders: [dataFolder] }) }),
    ...(sandbox !== 'off' && {
      createCopies: (folder) => copiesHere(createFolderCopies({ dataFolder, folder, signed, ...optionsFor(folder) }), environment),
      own: withClones(
        createFolderLayers({
          hidden: [dataFolder],
          places: layerPlacesIn(dataFolder),
          blobs,
          notes,
          redactor,
          allowVariables,
          denied: deniedInSession(needs),
          visible: (sessionId) => [
            ...hookPrograms(dataFolder, homedir()),
            transcriptFile(dataFolder, sessionId).path,
            ...agentFolders(sessionId).visible,
          ],
          writable: (sessionId) => agentFolders(sessionId).writable,
          createCopies: (folder, source, above) =>
            copiesHere(
              createFolderCopies({ dataFolder, folder, signed, source, ...(above && { above }), ...optionsFor(folder) }),
              environment,
            ),
        }),
        needs,
      ),
    }),
    commandPath: () =>
      environment?.isReplaced() ? undefined : pathIn(commandEnvironment(launchEnvironment(), { policy: 'inherit_core' })),
    onOpen: useNoProgramsFrom,
    isSandboxRequired: sandbox === 'require',
    home: homedir(),
    ownFolders: [dataFolder],
  })
}

/** The copies of this machine. They are not used while a host's environment takes its place, which may be another machine. */
function copiesHere(copies: CommandCopies, environment: AppParts['environment']): CommandCopies {
  if (!environment) return copies
  return { ...copies, support: () => (environment.isReplaced() ? Promise.resolve(ELSEWHERE) : copies.support()) }
}

const ELSEWHERE: CopySupport = {
  kind: 'absent',
  reason: 'The agent works in an environment that its host gave it.',
  wayOut: 'Commands run in copies only in the environment of this machine.',
}

interface McpNeeds extends WorkspaceNeeds {
  readonly workspaces: Pick<Workspaces, 'open'>
  readonly redactor: KnownSecrets
  readonly secrets: Secrets
}

/**
 * The MCP servers of all folders. They run confined wherever commands can run in copies. A change to the rules about denied files restarts
 * them, because what a server can see is fixed when it starts.
 */
export function mcpServersOf({
  parts,
  store,
  redactor,
  allowVariables,
  rulesIn,
  rules,
  secrets,
  signed,
  workspaces,
}: McpNeeds): McpServers {
  const { dataFolder, environment, sandbox } = parts
  const canConfine = !environment && sandbox !== 'off'
  const deniedAtStart = new Map<string, string>()
  const deniedNow = (folder: string): string => deniedFiles(rulesIn(folder)).join('\n')
  const servers = createAppMcpServers({
    dataFolder,
    store,
    allowVariables,
    isSandboxRequired: sandbox === 'require',
    trusted: parts.trusted ?? null,
    trustedThere: parts.trustedThere ?? (() => null),
    givenServers: parts.givenServers ?? (() => []),
    credentials: (name) => keptCredentials(secrets.texts, redactor, name),
    secrets: (name) => keptSecrets(secrets.texts, redactor, name),
    keptIn: () => secrets.newKeysKeptIn,
    onKeptIn: secrets.onChange,
    async openFolder(folder) {
      deniedAtStart.set(folder, deniedNow(folder))
      if (isFar(folder)) return folderThere(await workspaces.open(folder), () => rulesIn(folder))
      const variables = { allowVariables: () => allowVariables(folder) }
      const environment = createLocalExecutionEnvironment(folder, variables)
      const made = canConfine ? createFolderCopies({ dataFolder, folder, signed, notes: store.notes, redactor, ...variables }) : null
      return {
        folder,
        environment,
        copies: made && copiesWithoutDenied(made, () => rulesIn(folder)),
        isFar: false,
        endPrograms: () => environment.cleanup(),
        close: () =>
          tryAll(
            () => environment.cleanup(),
            async () => made?.cleanup(),
          ),
      }
    },
  })
  const changes = rules.onChange(() => {
    const confined = servers.state().servers.filter(({ isConfined }) => isConfined === true)
    const stale = confined.filter(({ folder }) => deniedAtStart.get(folder) !== deniedNow(folder))
    for (const { folder, name } of stale) void servers.restart(folder, name)
  })
  return { ...servers, close: () => tryAll(() => changes.dispose(), servers.close) }
}

/** The folder of a server on another machine. Throws if it could not be opened. */
function folderThere(opened: Awaited<ReturnType<Workspaces['open']>>, rules: () => readonly RuleWhen[]): ServerFolder {
  if (!opened.ok) throw new Error(opened.failure.what)
  const { folder, environment, copies, close } = opened.value
  return {
    folder,
    environment,
    copies: copies && copiesWithoutDenied(copies, rules),
    isFar: true,
    endPrograms: () => Promise.resolve(),
    close,
  }
}
