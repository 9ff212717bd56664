import type { AppHandlers } from '../../shared/api/contract.ts'
import type { ListedAgents, SandboxSupport } from '../../shared/api/workspace.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { unlessStorageFails } from './storage-failures.ts'
import type { SlashCommands } from '../slash-commands/slash-commands.ts'
import type { KnownAgentTypes } from '../subagents/known-agent-types.ts'
import type { Store } from '../store/store.ts'
import type { FileFinder } from '../workspace/find-files.ts'
import type { SymbolFinder } from '../workspace/find-symbols.ts'
import type { FolderTrust } from '../workspace/folder-trust.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

/** Maximum number of recent folders that are shown. */
const RECENT = 12

export function workspaceHandlers({
  store,
  workspaces,
  trust,
  slashCommands,
  agentTypes,
  files,
  symbols,
}: {
  readonly store: Store
  readonly workspaces: Workspaces
  readonly trust: FolderTrust
  readonly slashCommands: Pick<SlashCommands, 'in'>
  readonly agentTypes: { in(folder: string): Promise<KnownAgentTypes> }
  readonly files: FileFinder
  readonly symbols: Pick<SymbolFinder, 'find'>
}): AppHandlers['workspace'] {
  return {
    commands: async ({ folder }) => {
      const { commands, unused } = await unlessStorageFails(
        () => slashCommands.in(folder),
        () => ({ commands: [], unused: [] }),
      )
      const facts = commands.flatMap(({ name, kind, from, description, hint, forPerson, model = null, effort = null, unusedFields = [] }) =>
        forPerson ? [{ name, kind, from, description, hint, model, effort, unusedFields }] : [],
      )
      return { commands: facts, unused }
    },
    agents: ({ folder }) =>
      unlessStorageFails<ListedAgents>(
        async () => {
          const { types, troubles } = await agentTypes.in(folder)
          const agents = types.map(({ name, description, path = null, tools = null, excludedTools = [], model = null, readsOnly }) => ({
            name,
            description,
            path,
            tools,
            excludedTools,
            model,
            readsOnly,
          }))
          return { agents, troubles }
        },
        (trouble) => ({ agents: [], troubles: [trouble] }),
      ),
    files: async ({ folder, typed, recent }) => {
      const isTrusted = unlessStorageFails(
        () => store.folders.trust(folder) === true,
        () => false,
      )
      return { paths: (await isTrusted) ? await files.find(folder, typed, recent) : [] }
    },
    symbols: async ({ folder, typed }) => {
      const isTrusted = unlessStorageFails(
        () => store.folders.trust(folder) === true,
        () => false,
      )
      return (await isTrusted) ? symbols.find(folder, typed) : { symbols: [], isReady: false }
    },
    sandbox: ({ folder }) =>
      unlessStorageFails<SandboxSupport>(
        () => sandboxOf(folder, { store, workspaces }),
        ({ what, todo }) => ({ kind: 'absent', reason: what, wayOut: todo }),
      ),
    inspect: ({ folder }) =>
      unlessStorageFails(async () => {
        const inspected = await workspaces.inspect(folder)
        if (!inspected.ok) return { ok: false, trouble: inspected.failure }
        return { ok: true, facts: { ...inspected.value, ...(await trust.trustOf(inspected.value.folder)) } }
      }, refused),
    trust: ({ folder, trusted, configuration }) =>
      unlessStorageFails(async () => {
        const inspected = await workspaces.inspect(folder)
        if (!inspected.ok) return { ok: false, trouble: inspected.failure }
        const isDone = await trust.decide(inspected.value.folder, trusted, configuration)
        return isDone ? { ok: true } : { ok: false, trouble: CHANGED_AGAIN }
      }, refused),
    complete: ({ typed }) => workspaces.complete(typed),
    recent: () =>
      unlessStorageFails(
        () => ({ folders: store.folders.recent(RECENT) }),
        () => ({ folders: [] }),
      ),
  }
}

const CHANGED_AGAIN: Trouble = {
  code: 'configuration_changed',
  what: 'The configuration of this folder changed while you were looking at it.',
  kept: 'Your answer was not saved. Nothing in the folder was loaded.',
  todo: 'Open the folder again and look at the change.',
}

const refused = (trouble: Trouble) => ({ ok: false, trouble }) as const

async function sandboxOf(
  folder: string,
  { store, workspaces }: { readonly store: Pick<Store, 'folders'>; readonly workspaces: Workspaces },
): Promise<SandboxSupport> {
  const inspected = await workspaces.inspect(folder)
  if (!inspected.ok || store.folders.trust(inspected.value.folder) !== true) return { kind: 'off' }
  const opened = await workspaces.open(inspected.value.folder)
  if (!opened.ok) return { kind: 'off' }
  try {
    const { copies, layers } = opened.value
    const support = await copies?.support()
    if (support?.kind === 'present') return { ...support, clones: (await layers?.whyClones()) ?? null }
    return support ?? { kind: 'off' }
  } finally {
    await opened.value.close()
  }
}
