import { Buffer } from 'node:buffer'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Hook, HookRun } from '../../shared/session/hooks.ts'
import { keptWords, type SetAside, setAsideWords } from '../../shared/session/file-change.ts'
import type { Confined } from '../agent/ports/command-copies.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import type { HookAnswer, HookCost, HookMoment, Hooks, HooksNow } from '../agent/ports/hooks.ts'
import type { Redactor } from '../agent/ports/redactor.ts'
import { type ConfineHook, WAS_CONFINED } from './confined-hooks.ts'
import { type ForeignCall, canonicalInput } from './foreign-call.ts'
import { failedHook, type HookEnd, type HookSays, hookSays } from './hook-answer.ts'
import { type HookAgent, inputOf } from './hook-input.ts'
import { runsOf } from './hook-matcher.ts'
import { callHttpHook, type PostParts } from './http-hook.ts'
import { askPromptHook, type AskModel } from './prompt-hook.ts'
import type { LoggedTurn } from '../../shared/session/conversation-turns.ts'
import type { TranscriptFile } from '../store/hook-transcripts.ts'
import { transcriptLine } from './transcript-lines.ts'
import { withVariables } from './session-variables.ts'

interface TranscriptOf {
  readonly sessionId: SessionId
  /** Empty if there is no transcript. */
  readonly transcript: string
}

export interface HookParts {
  readonly hooks: readonly Hook[]
  readonly env: ExecutionEnvironment
  /** Real path of the project. */
  readonly project: string
  /** The agent's working folder, the base of relative paths in calls. Default: the project. */
  readonly cwd?: string
  readonly sessionId: SessionId
  /** If absent, the hooks run for the user's own session. `parent` is the session that started the subagent. */
  readonly agent?: HookAgent & { readonly parent: TranscriptOf }
  /** The file with the conversation. If absent, the conversation is not written to a file. */
  readonly transcript?: TranscriptFile
  readonly redactor: Redactor
  /** The user's home folder, for conditions that refer to it. */
  readonly home: string | null
  /** If absent, hooks run with all of the user's rights. */
  readonly confine?: ConfineHook
  /**
   * False if a program's answer cannot allow a step, because the program runs on another machine, which may lie. Default: true.
   */
  readonly mayAllow?: boolean
  /** Connects hooks to web addresses. If absent, hooks cannot send anything to an address. */
  readonly post?: PostParts
  /** Asks a model on behalf of a hook. If absent, hooks cannot ask a model. */
  readonly ask?: AskModel
  readonly onRun?: (run: HookRun) => void
}

/** Maximum number of bytes of a hook's output that are read. */
const MAX_OUTPUT = 256 * 1024
const MAX_SAYS = 2_000

const NO_ANSWER: HookAnswer = {
  runs: [],
  later: null,
  decision: null,
  reason: '',
  context: '',
  stop: null,
  updatedInput: null,
  updatedOutput: null,
  spent: [],
  title: '',
}

/** Runs the hooks of one session. Programs run in the project's folder. */
export function createHooks(parts: HookParts): Hooks {
  const cwd = parts.cwd ?? parts.project
  const { agent, transcript } = parts
  const place = { home: parts.home, root: parts.project, cwd, agentType: agent?.type }
  return {
    waitFor: (event) => parts.hooks.some((hook) => hook.event === event),
    close: async () => transcript?.remove().catch(() => {}),
    async run(moment, { mode, model, signal, turns }) {
      const wanted = parts.hooks.map((hook) => ({ hook, calls: runsOf(hook, moment, place) })).filter(({ calls }) => calls.length > 0)
      if (wanted.length === 0) return NO_ANSWER
      const own = { sessionId: parts.sessionId, transcript: (await written(parts, turns(), cwd)) ? (transcript?.path ?? '') : '' }
      const facts = { ...(agent?.parent ?? own), cwd, mode, agent: agent ? { ...agent, transcript: own.transcript } : null }
      // Input that leaves the machine must contain no secrets.
      const inputFor = (hook: Hook, moment: HookMoment, call: ForeignCall | null): string =>
        hook.http || hook.prompt ? parts.redactor.text(inputOf(hook, moment, call, facts)) : inputOf(hook, moment, call, facts)
      const started = ({ hook, calls }: (typeof wanted)[number], until: AbortSignal): Promise<readonly Ran[]> =>
        runForEach(
          hook,
          calls.map((call) => ({ moment, call, input: inputFor(hook, moment, call) })),
          { ...parts, model },
          until,
        )
      const detached = wanted.filter(({ hook }) => hook.isAsync)
      const later = detached.map((one) => started(one, AbortSignal.timeout(one.hook.timeoutMs + 1_000)))
      const ran = (await Promise.all(wanted.filter(({ hook }) => !hook.isAsync).map((one) => started(one, signal)))).flat()
      signal.throwIfAborted()
      return { ...together(ran), later: later.length === 0 ? null : Promise.all(later).then((all) => all.flat().map(({ run }) => run)) }
    },
  }
}

/** Updates the file with the conversation. Resolves to false if there is no such file or it cannot be written. */
async function written({ transcript, sessionId, redactor }: HookParts, turns: readonly LoggedTurn[], cwd: string): Promise<boolean> {
  if (!transcript) return false
  const now = Date.now()
  return transcript
    .update(turns, (turn, index) => redactor.text(transcriptLine(turn, index, { sessionId, cwd, now })))
    .then(() => true)
    .catch(() => false)
}

interface Ran {
  readonly run: HookRun
  readonly says: HookSays
  readonly cost: HookCost | null
}

type RunParts = HookParts & Pick<HooksNow, 'model'>

/** One run of a hook: the event, the call that it is about, and the hook's input. */
interface Occasion {
  readonly moment: HookMoment
  readonly call: ForeignCall | null
  readonly input: string
}

/** Runs the hook for one call after another, and stops after the first denial. */
async function runForEach(hook: Hook, occasions: readonly Occasion[], parts: RunParts, signal: AbortSignal): Promise<readonly Ran[]> {
  const ran: Ran[] = []
  for (const occasion of occasions) {
    const one = await runHook(hook, occasion, parts, signal)
    parts.onRun?.(one.run)
    ran.push(one)
    if (one.says.decision === 'deny' || signal.aborted) break
  }
  return ran
}

async function runHook(
  hook: Hook,
  { moment, call, input }: Occasion,
  { redactor, mayAllow = true, ...parts }: RunParts,
  signal: AbortSignal,
): Promise<Ran> {
  const began = performance.now()
  const argv = hook.argv ?? (['sh', '-c', hook.command] as const)
  const start = hook.event === 'SessionStart' ? withVariables(hook.command) : null
  const { isConfined, moved, cost, ...whole } = await ended(hook, start?.argv ?? argv, input, parts, signal)
  const variables = start?.read(whole.stdout)
  const end = { ...whole, stdout: variables?.stdout ?? whole.stdout }
  const own = hookSays(moment.event, end, hook.failureBlocks)
  const said = withoutPart(moment, call, merged(hook, call, mayAllow || hook.http ? own : withoutAllow(own)))
  const reason = isConfined && said.outcome === 'failed' ? `${said.reason} ${WAS_CONFINED}` : said.reason
  const says = {
    ...said,
    reason: redactor.text(reason),
    context: redactor.text(said.context),
    stop: said.stop === null ? null : redactor.text(said.stop),
  }
  const updatedInput = said.updatedInput && canonicalInput(said.updatedInput)
  const run: HookRun = {
    event: hook.event,
    command: hook.command,
    source: hook.source,
    outcome: says.outcome,
    aboutCall: 'toolCallId' in moment ? moment.toolCallId : null,
    durationMs: Math.round(performance.now() - began),
    says: [says.reason || says.stop || says.context, notSet(variables?.refused ?? []), notUsed(said.ignored), notKept(moved)]
      .filter((text) => text !== '')
      .join(' ')
      .slice(0, MAX_SAYS),
    ...(variables && Object.keys(variables.set).length > 0 && { variables: redacted(variables.set, redactor) }),
    ...(isConfined && { isConfined }),
    ...(updatedInput && { updatedInput }),
    ...(says.stop !== null && { stops: says.stop }),
    ...(moment.event === 'SessionStart' && moment.source === 'compact' && { isAfterCompaction: true }),
  }
  return { run, says: { ...says, updatedInput }, cost: cost ?? null }
}

function merged({ dialect }: Hook, call: ForeignCall | null, says: HookSays): HookSays {
  if (dialect !== 'gemini' || says.mergedInput === null || !call) return says
  return { ...says, updatedInput: { ...call.input, ...says.mergedInput } }
}

/** A program on another machine cannot sign for the user. */
function withoutAllow(says: HookSays): HookSays {
  if (says.decision !== 'allow') return says
  return { ...says, decision: null, outcome: 'passed', ignored: [...says.ignored, '“allow” of a hook on another machine'] }
}

/** If a hook saw only a part of a call, its answer cannot replace the arguments of the call, and cannot allow the rest of the call. */
function withoutPart({ event }: HookMoment, call: ForeignCall | null, says: HookSays): HookSays {
  if (!call?.isPart) return says
  if (says.updatedInput !== null) return failedHook(event, 'it changed the arguments of one file, but the call edits several or is a patch')
  return says.decision === 'allow' ? { ...says, decision: null, outcome: 'passed' } : says
}

const notUsed = (names: readonly string[]): string => (names.length === 0 ? '' : `Not used here: ${names.join(', ')}.`)

const notKept = (moved: readonly SetAside[]): string => (moved.length === 0 ? '' : `${setAsideWords(moved)} ${keptWords(moved)}`.trimEnd())

const notSet = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `Not set, because they contain secrets or would run code in every command: ${names.toSorted().join(', ')}. To pass them from your environment, use Settings > Limits.`

function redacted(variables: Readonly<Record<string, string>>, redactor: Redactor): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, redactor.text(value)]))
}

const NOT_ASKED: HookEnd = { exitCode: null, stdout: '', stderr: '', why: 'no model can be asked here' }
const NOT_SENT: HookEnd = { exitCode: null, stdout: '', stderr: '', why: 'nothing can be sent here' }

interface HookEnded extends HookEnd, Pick<HookRun, 'isConfined'> {
  /** Control files that the hook created or replaced, and what was done with them. */
  readonly moved: readonly SetAside[]
  readonly cost?: HookCost | null
}

async function ended(
  hook: Hook,
  argv: readonly [string, ...string[]],
  stdin: string,
  { env, project, confine, post, ask, model }: Pick<RunParts, 'env' | 'project' | 'confine' | 'post' | 'ask' | 'model'>,
  signal: AbortSignal,
): Promise<HookEnded> {
  let confinement: Confined | null = null
  const { prompt } = hook
  if (prompt) return { ...(ask ? await askPromptHook({ ...hook, prompt }, stdin, { model, ask }, signal) : NOT_ASKED), moved: [] }
  const end = async (said: HookEnd): Promise<HookEnded> => {
    const moved = await confinement?.setAside().catch(() => [])
    return { ...said, moved: moved ?? [], ...(confinement && { isConfined: true }) }
  }
  try {
    confinement = (await confine?.(hook)) ?? null
    confinement?.suspect(Date.now())
    if (hook.http) return await end(post ? await callHttpHook(hook, stdin, post, signal) : NOT_SENT)
    const { exitCode, stdout, stderr } = await env.spawn(argv, {
      workingDir: project,
      input: Buffer.from(stdin),
      signal,
      timeoutMs: hook.timeoutMs,
      maxBytes: MAX_OUTPUT,
      // Without SHLVL, bash would mistake the pipe for a connection from another machine and run `.bashrc`.
      env: { CLAUDE_PROJECT_DIR: project, COUNTERSIGN_PROJECT_DIR: project, GEMINI_PROJECT_DIR: project, SHLVL: '1' },
      ...(confinement && { confinement }),
    })
    return await end({ exitCode, stdout: Buffer.from(stdout).toString('utf8'), stderr, why: 'it was ended by a signal' })
  } catch (error) {
    return await end({
      exitCode: null,
      stdout: '',
      stderr: '',
      why: error instanceof Error ? error.message.replace(/\.$/u, '') : String(error),
    })
  } finally {
    // Nothing waits for the cleanup. The next launch of the app removes what is left.
    void confinement?.close().catch(() => {})
  }
}

/** `deny` beats `ask`, `ask` beats `allow`. If several hooks change the arguments, the last one wins. */
function together(ran: readonly Ran[]): HookAnswer {
  const all = ran.map(({ says }) => says)
  const decision = (['deny', 'ask', 'allow'] as const).find((kind) => all.some((says) => says.decision === kind)) ?? null
  const texts = (of: readonly string[]): string => of.filter((text) => text !== '').join('\n')
  return {
    runs: ran.map(({ run }) => run),
    later: null,
    decision,
    reason: texts(all.filter((says) => says.decision === decision).map(({ reason }) => reason)),
    updatedInput: decision === 'deny' ? null : (all.findLast(({ updatedInput }) => updatedInput !== null)?.updatedInput ?? null),
    context: texts(all.map(({ context }) => context)),
    stop: all.find(({ stop }) => stop !== null)?.stop ?? null,
    updatedOutput: all.findLast(({ updatedOutput }) => updatedOutput !== null)?.updatedOutput ?? null,
    spent: ran.flatMap(({ cost }) => cost ?? []),
    title: all.findLast(({ title }) => title !== '')?.title ?? '',
  }
}
