import { resolve } from 'node:path'
import { ProviderName } from '../../shared/api/setting-fields.ts'
import { SessionId } from '../../shared/lib/ids.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { SessionConfigured } from '../../shared/session/events.ts'
import { SessionConfig as SharedConfig } from '../../shared/session/settings/session-config.ts'
import { type App, createApp } from '../compose/app.ts'
import { realFolder } from '../environment/real-folders.ts'
import { headlessHost } from '../headless/headless-host.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { temporaryDataFolder } from '../environment/temporary-folder.ts'
import { VERSION } from '../version.ts'
import { badOption, valueOf } from './agent-error.ts'
import { type AgentOptions, checkedFolder } from './agent-options.ts'
import { agentSession } from './agent-session.ts'
import type { Agent, AgentSession } from './agent-interface.ts'
import { createAgentTools } from './tools/agent-tools.ts'
import { turnsFromJsonLines } from './turns-from-json-lines.ts'
import { turnsAsEvents } from './turns-as-events.ts'
import { providerProfile } from './provider-profiles.ts'
import { configured, type SessionChange, type SessionLimits } from './session-config.ts'
import { createSwappedEnvironment } from './environments/swapped-environment.ts'

/** Creates an agent. Rejects with an `AgentError` if the options cannot work. In that case nothing is left behind. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const folder = resolve(checkedFolder(options))
  const { provider, model, reasoningEffort, policy = 'ask', baseUrl } = options
  const asked = configured({ provider, policy, ...dropped({ model, reasoningEffort, baseUrl }) })
  const profile = providerProfile(ProviderName.parse(provider), model)
  const tools = createAgentTools(profile.toolRegistry.list(), options.tools ?? [])
  const cwd = options.environment ? folder : await realFolder(folder)
  const environment = createSwappedEnvironment(cwd)
  if (options.environment) await environment.swap(options.environment)
  const data = options.dataFolder === undefined ? await temporaryDataFolder() : null
  const shared = SharedConfig.parse(options)
  const made = await createApp({
    host: headlessHost(),
    version: VERSION,
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    trusted: cwd,
    session: shared,
    dataFolder: data?.path ?? resolve(options.dataFolder ?? ''),
    limits: {
      maxRounds: options.maxToolRoundsPerInput ?? 0,
      ...dropped({ detectLoops: options.enableLoopDetection, compactAt: options.compactAt }),
    },
    lease: dropped(options.budget ?? {}),
    allowVariables: options.allowVariables ?? [],
    ...dropped({ sandbox: options.sandbox }),
    tools: tools.changes,
    environment,
  })
  const ended = new AbortController()
  const close = async (): Promise<void> => {
    ended.abort()
    if (made.ok) await made.value.close()
    await environment.cleanup()
    await data?.remove()
  }
  try {
    const app = valueOf(made)
    await begin(app, cwd, asked, options)
    const opened = (session: OpenedSession): AgentSession =>
      agentSession({
        app,
        opened: session,
        handler: options.onApproval,
        limits: { ...dropped<SessionLimits>(shared), workingDirectory: cwd },
        signal: ended.signal,
      })
    const configOf = (change: SessionChange): SessionConfigured => app.models.defaults({ ...asked, ...configured(change) })
    return {
      tools: tools.registry,
      createSession: async (change = {}) => opened(valueOf(await app.starter.start(cwd, configOf(change)))),
      openSession: async (id) => opened(valueOf(await app.sessions.open(SessionId.parse(id)))),
      async importSession(conversation, change = {}) {
        const config = configOf(change)
        const turns = typeof conversation === 'string' ? turnsFromJsonLines(conversation) : conversation
        const [first, ...rest] = turnsAsEvents(turns, config, app)
        const id = app.store.sessions.create({ cwd, ...config })
        if (first) app.store.log(id).append(first, ...rest)
        return opened(valueOf(await app.sessions.open(id)))
      },
      sessions: () =>
        app.store.sessions
          .list()
          .filter(({ parent, folder: of }) => parent === null && of === cwd)
          .map(({ sessionId, title, run, startedAt }) => ({ id: sessionId, title, state: run, startedAt })),
      useEnvironment: environment.swap,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Checks what would otherwise fail only at the first request to the model: the folder, the key and the model. */
async function begin(app: App, cwd: string, asked: Partial<SessionConfigured>, { apiKey }: AgentOptions): Promise<void> {
  valueOf(await app.workspaces.find(cwd))
  const { provider, model } = app.models.defaults(asked)
  if (model === '') throw badOption(`${provider} has no default model.`, 'Pass a model.')
  if (apiKey !== undefined) valueOf(await app.secrets.set(provider satisfies ProviderId, apiKey))
}

/** Removes undefined members, so that the defaults apply. */
function dropped<T extends object>(given: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
}
