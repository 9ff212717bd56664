import type { Settings } from '../../shared/api/setting-fields.ts'
import type { KeyTest, LocalServer, ModelListDate, ModelPrice, ProviderFacts } from '../../shared/api/settings.ts'
import { Emitter } from '../../shared/lib/emitter.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import type { PersonModelFacts, PersonPrice } from '../../shared/session/settings/model-facts.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import type { SessionConfig } from '../../shared/session/settings/session-config.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { CommandLimits } from '../agent/ports/tool.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { Model, ModelOf, RequestWithRetries } from '../agent/ports/model.ts'
import { type AskedModels, createModelLists, type ModelLists } from './model-lists.ts'
import { leanProfile } from '../model-families/lean-profile.ts'
import { profileForModel } from '../model-families/profile-for-model.ts'
import { environmentFacts } from '../prompt/environment-facts.ts'
import { cutInstructions, projectDocuments } from '../prompt/project-documents.ts'
import { lookAheadInProject } from '../prompt/look-ahead-in-project.ts'
import { projectMemory } from '../prompt/project-memory.ts'
import { costUsd, findModel, modelsOf, priceAt, CATALOGUE_DATE } from '../providers/catalogue/catalogue.ts'
import { createLearned, type Learned, type LearnedStorage } from '../providers/catalogue/learned-from-refusals.ts'
import { findLocalServers, localPorts } from '../providers/catalogue/local-servers.ts'
import { wrongKey } from '../providers/answer/wrong-request.ts'
import { createProviders } from '../providers/providers.ts'
import { checkBaseUrl, PROVIDERS, providerEntry } from '../providers/provider-registry.ts'
import { createServedWindows } from '../providers/catalogue/served-context-windows.ts'
import { SMALL_WINDOW, type WindowParts, windowOf } from '../providers/catalogue/window-of-model.ts'
import { createRequestWithRetries } from '../providers/failures/retry.ts'
import { STREAM_LIMITS, type StreamLimits } from '../providers/http/exchange.ts'
import { launchEnvironment } from '../environment/launch-environment.ts'
import { isLoopback } from '../../shared/lib/local-hosts.ts'
import { testKey } from '../providers/test-key.ts'
import { troubleOf } from '../providers/failures/trouble-of-failure.ts'
import type { ModelList } from '../providers/catalogue/vendor-models.ts'
import { providerVariables } from '../settings/provider-variables.ts'
import type { ModelName } from './tool-sets.ts'
import type { Secrets } from '../settings/secrets.ts'
import type { SettingsFile } from '../settings/settings-file.ts'

export interface ModelsParts {
  readonly settings: SettingsFile
  readonly secrets: Secrets
  readonly clock: Clock
  /** Override for the idle limit in the settings (`--idle-limit`), in ms. */
  readonly idleLimitMs?: number
  /** Overrides for this run. */
  readonly sessionConfig?: SessionConfig
  /** Stores what services reported about their models. If left out, nothing is stored. */
  readonly kept?: LearnedStorage
  /** Stores the services' lists of models. If left out, nothing is stored. */
  readonly keptLists?: LearnedStorage
  /** Milliseconds between two pieces of a rehearsal's answers. Default: reading speed. */
  readonly rehearsalPaceMs?: number
}

/** What a prompt is built from, besides the environment in which the session works. */
export interface PromptParts {
  /** The project's folder, which contains its memory file. A subagent's environment may be a folder below it. */
  readonly project: ExecutionEnvironment
  /** The user's own instructions. Later ones override earlier ones. Empty ones are skipped. */
  userInstructions(config: SessionConfigured): readonly string[]
  readonly isSubagent: boolean
  /** Canonical names of the session's tools under this configuration. */
  tools(config: SessionConfigured): readonly string[]
  /** The time limits of the session's commands. */
  limits(config: SessionConfigured): CommandLimits
  /** Describes the session's approval mode. */
  approval(config: SessionConfigured): Promise<string>
}

/** Everything about models: which service gets the requests, with which key, address and prompt. */
export interface Models extends AskedModels {
  /** Whether a model is known to have a small context window, so that it gets a short prompt and fewer tools. */
  isSmall(config: ModelName): boolean
  /** The model of a configuration, without a system prompt. For single questions outside a conversation. */
  plain(config: Pick<SessionConfigured, 'provider' | 'model' | 'baseUrl'>): Promise<Result<PlainModel, Trouble>>
  /** The model of a configuration, for a session that works in `env`. */
  modelIn(env: ExecutionEnvironment, prompt: PromptParts): ModelOf
  readonly request: RequestWithRetries
  /** Whether the cost of an answer is known: the price is known, or the model runs on this machine. */
  costIsKnown(config: Pick<SessionConfigured, 'provider' | 'model' | 'baseUrl'>): boolean
  /** The configuration of a new session. `asked` overrides the settings. */
  defaults(asked: Partial<SessionConfigured>): SessionConfigured
  facts(): readonly Omit<ProviderFacts, 'key' | 'ending' | 'keptIn'>[]
  /** Makes one small request with this key. Default: the stored key. */
  test(provider: ProviderId, key?: string): Promise<KeyTest>
  /** The model servers that currently answer on this computer. */
  localServers(signal: AbortSignal): Promise<readonly LocalServer[]>
  /** Call this when the computer wakes up. Answers that do not continue soon are requested again, because their connections are gone. */
  wokeUp(): void
  close(): Promise<void>
}

type PlainModel = Omit<Model, 'systemPrompt'>

export function createModels({
  settings,
  secrets,
  clock,
  idleLimitMs,
  sessionConfig = {},
  kept,
  keptLists,
  rehearsalPaceMs,
}: ModelsParts): Models {
  const key = (provider: ProviderId): Promise<string | null> => secrets.get(provider)
  const woke = new Emitter<void>()
  const limits = streamLimits(() => idleLimitMs ?? settings.current().idleLimitMs, woke.event)
  const learned = createLearned(clock.now, kept)
  const providers = createProviders({
    clock,
    key,
    limits,
    proxyEnv: launchEnvironment(),
    learned,
    extra: (provider) => ({ ...settings.current().providerOptions[provider], ...sessionConfig.providerOptions?.[provider] }),
    ...(rehearsalPaceMs !== undefined && { rehearsalPaceMs }),
  })
  const data = modelData(
    settings,
    sessionConfig,
    learned,
    clock,
    (provider, model) => lists.known(provider)?.models.find((one) => one.model === model)?.price ?? null,
  )
  const { addressOf, addressFor, isSmall, costIsKnown } = data
  const lists: ModelLists = createModelLists({ clock, key, addressOf: (provider) => addressFor({ provider, model: '' }), kept: keptLists })
  return {
    isSmall,
    plain: (config) => plainModel({ data, providers, key, clock }, config),
    modelIn: (env, prompt) => findingModel({ data, providers, key, clock }, env, prompt),
    request: createRequestWithRetries({ clock, persistMs: () => sessionConfig.retryForMs ?? settings.current().retryForMs }),
    costIsKnown,
    defaults: (asked) => newSessionConfig(settings.current(), asked),
    ...lists.asked,
    wokeUp: () => woke.fire(),
    facts: () => providerFacts(addressOf, clock.now(), lists.known),
    async test(provider, candidate) {
      // A key that is not stored yet is tested over separate connections.
      const asked =
        candidate === undefined ? providers : createProviders({ clock, key: async () => candidate, limits, proxyEnv: launchEnvironment() })
      try {
        const found = asked.get(provider, addressOf(provider))
        if (!found.ok) return { kind: 'failed', trouble: troubleOf(found.failure, { nowMs: clock.now() }) }
        const { model } = this.defaults({ provider })
        return await testKey(found.value, model, clock)
      } finally {
        if (asked !== providers) await asked.close()
      }
    },
    localServers: (signal) => findLocalServers(localPorts(process.env), signal),
    close() {
      lists.close()
      return providers.close()
    },
  }
}

interface FindingParts {
  readonly data: ReturnType<typeof modelData>
  readonly providers: ReturnType<typeof createProviders>
  readonly key: (provider: ProviderId) => Promise<string | null>
  readonly clock: Clock
}

async function plainModel(
  { data, providers, key, clock }: FindingParts,
  config: Parameters<Models['plain']>[0],
): Promise<Result<PlainModel, Trouble>> {
  const { served, addressOf, addressFor, priceOf, windows } = data
  const { provider: id, model } = config
  const found = providers.get(id, config.baseUrl ?? addressOf(id))
  if (!found.ok) return failed(troubleOf(found.failure, { nowMs: clock.now() }))
  // If the key is missing, this must fail before the screen shows a request.
  const { label, key: wanted } = providerEntry(id)
  const wrong = wanted === 'none' ? null : wrongKey(await key(id), wanted === 'needed', label)
  if (wrong) return failed(troubleOf(wrong, { nowMs: clock.now() }))
  const address = addressFor(config)
  if (id === 'openai-compatible' && address?.startsWith('http:')) await served.ask(address, model)
  const known = findModel(id, model)
  const window = windowOf(windows, config, address)
  return ok({
    provider: found.value,
    contextWindow: window.contextWindow,
    inputLimit: window.inputLimit,
    ...(window.trouble && { windowTrouble: window.trouble }),
    ...(known && { takesPictures: known.pictures }),
    // A model on this machine costs nothing.
    cost: (usage) =>
      costUsd(id, model, usage, { own: priceOf(config), atMs: clock.now() }) ??
      (id !== 'rehearsal' && isOnThisMachine(config.baseUrl ?? addressOf(id)) ? 0 : null),
    trouble: (failure, keptWords = 0) => troubleOf(failure, { nowMs: clock.now(), keptWords }),
  })
}

function findingModel(parts: FindingParts, env: ExecutionEnvironment, prompt: PromptParts): ModelOf {
  return async (config) => {
    const found = await plainModel(parts, config)
    if (!found.ok) return found
    const { provider, contextWindow } = found.value
    return ok({
      ...found.value,
      systemPrompt: (meanwhile, warn) =>
        systemPrompt(
          { env, ...prompt, isSmall: contextWindow !== null && contextWindow < SMALL_WINDOW },
          config,
          parts.clock.now(),
          both(() => provider.prepare?.(), meanwhile),
          warn,
        ),
    })
  }
}

/** Uses the requested values, or else the settings. The effort set for the model overrides the general effort. */
function newSessionConfig(settings: Settings, asked: Partial<SessionConfigured>): SessionConfigured {
  const provider = asked.provider ?? settings.provider
  const chosen = provider === settings.provider ? settings.model : ''
  const model = asked.model || chosen || modelsOf(provider)[0]?.model || profileForModel(provider).defaultModel
  const effort = asked.effort ?? settings.modelFacts[`${provider}/${model}`]?.effort ?? settings.effort
  const course = asked.course ?? settings.course
  const mode = asked.mode ?? settings.mode
  const { where } = asked
  return { provider, model, mode, effort, baseUrl: asked.baseUrl ?? null, ...(course !== 'plain' && { course }), ...(where && { where }) }
}

/** Facts about models and addresses that are known without a request to a vendor. */
function modelData(
  settings: SettingsFile,
  sessionConfig: SessionConfig,
  learned: Learned,
  clock: Clock,
  listedPrice: (provider: ProviderId, model: string) => PersonPrice | null,
) {
  const served = createServedWindows(clock)
  const addressOf = (provider: ProviderId): string | null => settings.current().baseUrls[provider] ?? providerVariables(provider).baseUrl

  /** The normalized address. Null if it is not set or not usable. */
  const addressFor = ({ provider, baseUrl }: ModelName): string | null => {
    const address = baseUrl ?? addressOf(provider) ?? providerEntry(provider).baseUrl
    const checked = address === null ? null : checkBaseUrl(provider, address)
    return checked?.ok ? checked.value : null
  }
  const personFacts = (provider: ProviderId, model: string): PersonModelFacts => settings.current().modelFacts[`${provider}/${model}`] ?? {}
  const windows: WindowParts = {
    learned,
    served: served.last,
    set: ({ provider, model }) => sessionConfig.contextWindowSize ?? personFacts(provider, model).contextWindow ?? null,
  }
  /** The user's own price, or else the price that the service lists at this address. Null if neither is known. */
  const priceOf = (at: ModelName): PersonPrice | null => {
    const { provider, model } = at
    const isListed = addressFor(at) === addressFor({ provider, model: '' })
    return sessionConfig.price ?? personFacts(provider, model).price ?? (isListed ? listedPrice(provider, model) : null)
  }
  const isSmall: Models['isSmall'] = (config) =>
    (windowOf(windows, config, addressFor(config)).contextWindow ?? SMALL_WINDOW) < SMALL_WINDOW
  const costIsKnown: Models['costIsKnown'] = ({ provider, model, baseUrl }) =>
    provider === 'rehearsal' ||
    priceOf({ provider, model, ...(baseUrl !== undefined && { baseUrl }) }) !== null ||
    Boolean(findModel(provider, model)?.price) ||
    isOnThisMachine(baseUrl ?? addressOf(provider))
  return { served, addressOf, addressFor, priceOf, windows, isSmall, costIsKnown }
}

function providerFacts(
  addressOf: (provider: ProviderId) => string | null,
  nowMs: number,
  listed: (provider: ProviderId) => ModelList | null,
): ReturnType<Models['facts']> {
  return PROVIDERS.map(({ id, label, available, baseUrl }) => ({
    provider: id,
    label,
    available,
    baseUrl: addressOf(id) ?? baseUrl,
    modelList: listDate(listed(id), modelsOf(id).length),
    models: [
      ...modelsOf(id).map((known) => {
        const { model, label: name, contextWindow, longPrompt, efforts } = known
        return { model, label: name, contextWindow, price: priceAt(known, nowMs), efforts, ...(longPrompt && { longPrompt }) }
      }),
      // These models are listed by the service and missing from the catalog.
      ...(listed(id)?.models ?? [])
        .filter(({ model }) => findModel(id, model) === null)
        .map(({ model, label: name, contextWindow, price }) => ({
          model,
          label: name ?? model,
          contextWindow,
          price: withCachePrices(price),
        })),
    ],
  }))
}

/** If the service lists no cache prices, cached input costs as much as other input. */
function withCachePrices(price: PersonPrice | undefined): ModelPrice | null {
  if (!price) return null
  const { input, cacheRead = input, cacheWrite = input } = price
  const isAssumed = price.cacheRead === undefined || price.cacheWrite === undefined
  return { ...price, cacheRead, cacheWrite, ...(isAssumed && { assumedCache: true }) }
}

function listDate(listed: ModelList | null, builtIn: number): ModelListDate | null {
  if (listed) return { source: 'service', atMs: listed.atMs }
  return builtIn === 0 ? null : { source: 'built-in', atMs: Date.parse(CATALOGUE_DATE) }
}

const both = (first: () => void, second: () => void) => (): void => {
  first()
  second()
}

/** The limit is read for each request, so that a change to the settings applies to the next request. */
function streamLimits(idleLimitMs: () => number, onWake: NonNullable<StreamLimits['onWake']>): StreamLimits {
  return {
    ...STREAM_LIMITS,
    onWake,
    get firstByteMs() {
      return idleLimitMs()
    },
    get idleMs() {
      return idleLimitMs()
    },
  }
}

function isOnThisMachine(address: string | null): boolean {
  const url = address === null ? null : URL.parse(address)
  return url !== null && isLoopback(url.hostname)
}

/** Built once per context. The log stores the text, so that later requests begin with the same bytes. */
async function systemPrompt(
  {
    env,
    project,
    userInstructions,
    isSubagent,
    tools,
    limits,
    approval,
    isSmall,
  }: PromptParts & { readonly env: ExecutionEnvironment; readonly isSmall: boolean },
  config: SessionConfigured,
  nowMs: number,
  meanwhile: () => void,
  warn: (trouble: Trouble) => void,
): Promise<string> {
  const { provider, model } = config
  const whole = profileForModel(provider, model)
  const profile = isSmall ? leanProfile(whole) : whole
  void lookAheadInProject(env, env.workingDirectory())
  const [facts, memory, approvalMode] = await Promise.all([
    environmentFacts(env, nowMs, meanwhile),
    projectMemory(project),
    approval(config),
  ])
  const documents = await projectDocuments(env, profile.projectDocFiles, facts)
  // The user has read this in the session that started the subagent.
  if (documents.cut.length > 0 && !isSubagent) warn(cutInstructions(documents.cut))
  return profile.buildSystemPrompt({
    ...facts,
    model,
    knowledge: findModel(provider, model)?.knowledge ?? null,
    tools: tools(config),
    projectDocs: documents.text,
    memory,
    userInstruction: joinedOrNull(userInstructions(config)),
    limits: limits(config),
    approval: approvalMode,
    isSubagent,
  })
}

function joinedOrNull(texts: readonly string[]): string | null {
  const given = texts.map((text) => text.trim()).filter((text) => text !== '')
  return given.length === 0 ? null : given.join('\n\n')
}
