import type { TurnLimits } from '../../../main/agent/loop.ts'
import type { CommandCopies } from '../../../main/agent/ports/command-copies.ts'
import type { Model } from '../../../main/agent/ports/model.ts'
import type { Provider } from '../../../main/agent/ports/provider.ts'
import type { Tool } from '../../../main/agent/ports/tool.ts'
import { createToolRegistry } from '../../../main/agent/tool-registry.ts'
import { effectHash } from '../../../main/approval/effect-hash.ts'
import { captureFiles } from '../../../main/changes/capture-files.ts'
import { createAmending } from '../../../main/changes/amending.ts'
import { createUndo } from '../../../main/changes/undo/undo.ts'
import { readChanges } from '../../../main/changes/undo/read-changes.ts'
import { countChangedLinesInSlices } from '../../../main/changes/count-changed-lines.ts'
import { copiesIn } from '../../../main/compose/folder-copies.ts'
import type { CrashNotes } from '../../../main/environment/crash-notes.ts'
import { createLocalExecutionEnvironment } from '../../../main/environment/local-environment.ts'
import { createAnthropic } from '../../../main/providers/anthropic/anthropic.ts'
import { STREAM_LIMITS } from '../../../main/providers/http/exchange.ts'
import { createKnownSecrets } from '../../../main/redaction/known-secrets.ts'
import { createRequestWithRetries } from '../../../main/providers/failures/retry.ts'
import { systemClock } from '../../../main/environment/system-clock.ts'
import type { SessionRuntime } from '../../../main/sessions/running-place.ts'
import type { Store } from '../../../main/store/store.ts'
import { createTools } from '../../../main/tools/create-tools.ts'
import { createFolderComparison } from '../../../main/environment/comparison/folder-comparison.ts'
import { tryAll } from '../../../shared/lib/try-all.ts'
import { environmentWithoutDenied } from '../../../main/rules/denied-files.ts'
import { trackedIn } from '../../../main/compose/session-rules.ts'
import { withRules } from '../../../main/rules/ruled-policy.ts'
import type { RuleWhen } from '../../../main/rules/rule-matches.ts'
import { fitsIgnoreLine } from '../../../main/environment/search/ignore/ignore-rule.ts'
import { createShells } from '../../../main/tools/commands/session-shells.ts'
import { truncateToolOutput } from '../../../main/tools/truncation/truncate.ts'
import { createWorkspaces, type Workspaces } from '../../../main/workspace/workspaces.ts'
import { confineIn } from '../../../main/hooks/confined-hooks.ts'
import { createUnconfinedHooks } from '../../../main/hooks/unconfined-hooks.ts'
import { createHooks } from '../../../main/hooks/run-hooks.ts'
import type { Hook } from '../../../shared/session/hooks.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { ok } from '../../../shared/lib/result.ts'

export interface RuntimeOptions {
  readonly limits?: Partial<TurnLimits>
  readonly tools?: readonly Tool[]
  readonly systemPrompt?: () => Promise<string>
  readonly contextWindow?: number
  readonly cost?: Model['cost']
  readonly request?: SessionRuntime['request']
  readonly budget?: NonNullable<SessionRuntime['budget']>
  readonly hooks?: readonly Hook[]
  /** Hooks that run with all rights of the user. */
  readonly unconfinedHooks?: readonly Hook[]
  /** Paths of the programs of the user's hooks. */
  readonly hookScripts?: readonly string[]
  /** The user's rules. */
  readonly rules?: readonly RuleWhen[]
}

/** Creates the workspaces of a test process, with the real environment. */
export function testWorkspaces(notes?: CrashNotes, createCopies?: (folder: string) => CommandCopies): Workspaces {
  const createEnvironment = (folder: string) => createLocalExecutionEnvironment(folder, notes ? { notes } : {})
  return createWorkspaces({
    createEnvironment,
    createComparison: createFolderComparison,
    ...(createCopies && { createCopies }),
    home: '/nobody/at/home',
    ownFolders: [],
  })
}

/** Creates the real parts around a provider, as the app does. Only the prompt, the prices and the limits come from the test. */
export async function testRuntime(
  store: Store,
  workspaces: Workspaces,
  session: { readonly sessionId: SessionId; readonly folder: string },
  provider: Provider,
  options: RuntimeOptions = {},
): Promise<SessionRuntime> {
  const opened = await workspaces.open(session.folder)
  if (!opened.ok) throw new Error(opened.failure.what)
  const { environment: env, policy, place, exclusively, close, comparison } = opened.value
  const shells = createShells()
  const redactor = createKnownSecrets()
  const rules = (): readonly RuleWhen[] => options.rules ?? []
  const rulePlace = { root: session.folder, home: null, fitsPath: fitsIgnoreLine }
  const copies = copiesIn(opened.value, { bash: shells.copied, blobs: store.blobs, rules })
  const free = createUnconfinedHooks({ read: () => null, write: () => {} })
  for (const hook of options.unconfinedHooks ?? []) free.set(session.folder, hook, true, [])
  const confine = confineIn(opened.value, { free, scripts: options.hookScripts ?? [], home: null })
  const hooks =
    options.hooks &&
    createHooks({ hooks: options.hooks, env, project: session.folder, home: null, sessionId: session.sessionId, redactor, confine })
  const registry = createToolRegistry(options.tools ?? createTools({ countLines: countChangedLinesInSlices, shells }))
  const model: Model = {
    provider,
    contextWindow: options.contextWindow ?? null,
    systemPrompt: options.systemPrompt ?? (() => Promise.resolve('You are a test.')),
    cost: options.cost ?? (() => null),
    trouble: ({ code, message }) => ({ code, what: message, kept: 'Everything is unchanged.', todo: 'Try again.' }),
  }
  return {
    modelOf: () => Promise.resolve(ok(model)),
    request: options.request ?? createRequestWithRetries({ clock: systemClock }),
    toolSetFor: () => ({ registry, limits: { defaultCommandMs: 10_000, maxCommandMs: 600_000 }, parallel: true }),
    limits: () => ({ maxRounds: 0, maxTurns: 0, detectLoops: true, compactAt: 92, ...options.limits }),
    ...(options.budget && { budget: options.budget }),
    ...(hooks && { hooks: { hooks, isSubagent: false } }),
    dispatch: {
      env: environmentWithoutDenied(env, rules, rulePlace),
      blobs: store.blobs,
      traces: store.traces(session.sessionId),
      clock: systemClock,
      policy: withRules(policy, {
        ...rulePlace,
        rules,
        tracked: trackedIn(env),
        onUse: () => {},
      }),
      changeSince: (approvalId, path) => store.changeSince({ sessionId: session.sessionId, approvalId }, path),
      place,
      exclusively,
      copies,
      effectHash,
      amending: createAmending(store.blobs),
      redactor,
      hooks,
      openSpool: () => store.blobs.openSpool(),
      capture: (effects) =>
        captureFiles({ env, blobs: store.blobs, ...(comparison && { compared: { folder: session.folder, comparison } }) }, effects),
      truncate: (toolName, output, toolCallId, missing) => truncateToolOutput(output, toolName, {}, toolCallId, missing),
      terminal: () => null,
    },
    undo: createUndo({ env, blobs: store.blobs, exclusively, changes: () => readChanges(store, session.sessionId) }),
    isInUse: () => false,
    close: () => tryAll(shells.close, close),
  }
}

/** Creates Anthropic's adapter with the address of a scripted server. */
export function httpProvider(baseUrl: string): ReturnType<typeof createAnthropic> {
  const key = (): Promise<string> => Promise.resolve('test-key')
  return createAnthropic({ id: 'anthropic', label: 'Anthropic', baseUrl, key, clock: systemClock, limits: STREAM_LIMITS, proxyEnv: {} })
}
