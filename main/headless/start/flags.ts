import { resolve } from 'node:path'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { parseNewPlace } from '../../../shared/places/new-place.ts'
import { MAX_PICTURES, type ProviderId } from '../../../shared/session/content.ts'
import type { ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { Effort, PersonPrice } from '../../../shared/session/settings/model-facts.ts'
import type { Course } from '../../../shared/workflow/workflow.ts'
import type { SandboxUse } from '../../compose/sandbox-use.ts'
import { checkBaseUrl, type ProviderEntry, PROVIDERS } from '../../providers/provider-registry.ts'
import { flawOfCommand } from '../commands/all-commands.ts'
import { MODE_OF_APPROVE } from './approval-options.ts'
import { runHelp, selectable } from './run-help.ts'
import { readRunOptions, type RunOptions } from './run-options.ts'
import { undoIn, type UndoFlags } from './undo-arguments.ts'

/** The options of a headless run. */
export interface RunFlags {
  readonly cwd: string
  /** The address of a folder on another machine, used instead of `cwd`. Null if the run works on this computer. */
  readonly place: string | null
  readonly task: string
  /** Absolute paths of the task's pictures. */
  readonly images: readonly string[]
  readonly provider: ProviderId | null
  readonly model: string | null
  readonly baseUrl: string | null
  readonly approve: 'none' | 'edits' | 'all'
  /**
   * The mode from `--mode` or `--approve`. Null if neither was given. In that case, a new session uses `ask`, and a stored session keeps
   * its mode.
   */
  readonly mode: ApprovalMode | null
  readonly session:
    | { readonly kind: 'new' }
    | { readonly kind: 'newest' }
    | { readonly kind: 'id'; readonly id: string }
    /** Brings in the work of this session beside the folder. Null for the newest one. */
    | { readonly kind: 'bring-in'; readonly from: string | null }
    /** The session with this open request, which is answered first. */
    | { readonly kind: 'request'; readonly id: string; readonly words: readonly string[]; readonly note: string | null }
  /** Null if not given; a new session then uses the settings. */
  readonly course: Course | null
  /** The id of the third-party agent that works in a new session. Null for Countersign's own agent. */
  readonly agent: string | null
  /** Whether a new session works in a layer beside the folder. */
  readonly beside: boolean
  /** Whether an editor runs sessions over standard input and output, instead of a task. */
  readonly acp: boolean
  /** The session whose state is printed instead of running a task. */
  readonly stateOf: string | null
  /** Absolute path of a Markdown file with a plan that the user agreed to. */
  readonly plan: string | null
  /** Whether requests that nobody can sign remain open instead of being refused. */
  readonly pause: boolean
  /** Absolute path of a file with the user's instructions. */
  readonly instructions: string | null
  /** Null for no limit. */
  readonly maxRounds: number | null
  /** Limit for the complete run including subagents. Null for the limit from the settings. */
  readonly maxTokens: number | null
  readonly maxUsd: number | null
  /** Limit for the task's only turn including subagents. Null for the limit from the settings. */
  readonly maxTurnTokens: number | null
  readonly maxTurnUsd: number | null
  readonly effort: Effort | null
  /** Maximum time without a byte of an answer, in ms. Null for the limit from the settings. */
  readonly idleLimitMs: number | null
  /** Size of the context window in tokens. Null for the model's known size. */
  readonly contextWindow: number | null
  /** The model's price in US dollars per million tokens. Null for the known price. */
  readonly price: PersonPrice | null
  /** How long to retry a failing service, in ms. Null for the time from the settings. */
  readonly retryForMs: number | null
  readonly data: string | null
  /** Whether to run commands in terminals although nobody watches them. */
  readonly pty: boolean
  /** Whether commands run in copies of the folder. `require`: nothing runs on a machine that cannot make copies. */
  readonly sandbox: SandboxUse
  readonly rehearse: boolean
  /** The steps of a stored session to undo instead of running a task. Null to run the task. */
  readonly undo: UndoFlags | null
  /** Whether to list the provider's models instead of running a task. */
  readonly listModels: boolean
  readonly json: boolean | null
}

/** A failure is a sentence for standard error, with exit code 2. `help`: the user asked for help. */
export function parseRunFlags(
  argv: readonly string[],
  here: string,
  providers: readonly ProviderEntry[] = PROVIDERS,
): Result<RunFlags, { readonly help: boolean; readonly message: string }> {
  const wrong = (message: string) => failed({ help: false, message })
  const given = readRunOptions(argv)
  if (!given.ok) return wrong(given.failure)
  if (given.value.kind === 'help') return failed({ help: true, message: runHelp(providers) })
  const { options: values, words: positionals } = given.value
  const undo = undoIn(positionals, values)
  if (!undo.ok) return wrong(undo.failure)
  const flaw =
    (undo.value ? flawOfUndo(values) : flawOfTask(positionals, values)) ?? flawOfImages(values) ?? flawOfProvider(values, providers)
  if (flaw !== null) return wrong(flaw)
  const provider = providers.find(({ id }) => id === values.provider)?.id ?? null
  const address = values['base-url'] === undefined ? ok(null) : checkBaseUrl(provider ?? 'anthropic', values['base-url'])
  if (!address.ok) return wrong(`--base-url: ${address.failure}`)
  return ok({
    cwd: values.cwd ?? here,
    place: values.place ?? null,
    task: values.answer === undefined && !undo.value && broughtIn(positionals) === null ? (taskIn(positionals)[0] ?? '') : '',
    plan: planIn(positionals, values, here),
    undo: undo.value,
    session: choiceIn(values, positionals),
    course: values.course ?? null,
    agent: values.agent ?? null,
    beside: values.beside ?? false,
    acp: isAcp(positionals, values),
    stateOf: stateIn(positionals),
    pause: values.pause ?? false,
    instructions: values.instructions === undefined ? null : resolve(here, values.instructions),
    mode: values.mode ?? (values.approve === undefined ? null : MODE_OF_APPROVE[values.approve]),
    images: values.image.map((path) => resolve(here, path)),
    provider,
    model: values.model ?? null,
    // Without --provider, the address is checked later, for the provider from the settings.
    baseUrl: provider ? address.value : (values['base-url'] ?? null),
    approve: values.approve ?? 'none',
    maxRounds: values['max-rounds'] ?? null,
    maxTokens: values['max-tokens'] ?? null,
    maxUsd: values['max-usd'] ?? null,
    maxTurnTokens: values['max-turn-tokens'] ?? null,
    maxTurnUsd: values['max-turn-usd'] ?? null,
    effort: values.effort ?? null,
    idleLimitMs: values['idle-limit'] ?? null,
    contextWindow: values['context-window'] ?? null,
    price: values.price ?? null,
    retryForMs: values['retry-for'] ?? null,
    data: values.data ?? null,
    pty: values.pty ?? false,
    sandbox: values.sandbox ?? 'auto',
    rehearse: values.rehearse ?? false,
    listModels: values['list-models'] ?? false,
    json: values.json ?? null,
  })
}

function choiceIn({ resume, answer, note, ...values }: RunOptions, words: readonly string[]): RunFlags['session'] {
  if (answer !== undefined) return { kind: 'request', id: answer, words, note: note ?? null }
  if (resume !== undefined) return { kind: 'id', id: resume }
  const from = broughtIn(words)
  if (from !== null) return { kind: 'bring-in', from: from === 'last' ? null : from }
  return { kind: values.continue ? 'newest' : 'new' }
}

/** Matches `acp` alone, and `--acp`. */
const isAcp = (words: readonly string[], { acp }: RunOptions): boolean => acp === true || (words.length === 1 && words[0] === 'acp')

/** Matches `state SESSION_ID`. */
const stateIn = (words: readonly string[]): string | null => (words.length === 2 && words[0] === 'state' ? (words[1] ?? null) : null)

/** Matches `bring-in SESSION_ID`. */
const broughtIn = (words: readonly string[]): string | null => (words.length === 2 && words[0] === 'bring-in' ? (words[1] ?? null) : null)

/** Matches `plan FILE`, before the task. */
const hasPlan = (words: readonly string[]): boolean => words.length > 1 && words[0] === 'plan'
const taskIn = (words: readonly string[]): readonly string[] => (hasPlan(words) ? words.slice(2) : words)

function planIn(words: readonly string[], { plan }: RunOptions, here: string): string | null {
  const file = plan ?? (hasPlan(words) ? words[1] : undefined)
  return file === undefined ? null : resolve(here, file)
}

const STORED = ['resume', 'continue', 'answer'] as const

function flawOfTask(given: readonly string[], values: RunOptions): string | null {
  const plan = planIn(given, values, '')
  const words = taskIn(given)
  if (isAcp(words, values)) return flawOfAcp(words, values)
  if (values['list-models']) return words.length > 0 ? '--list-models takes no task.' : null
  if (values.place !== undefined && values.cwd !== undefined && parseNewPlace(values.place) === null)
    return '--place and --cwd cannot be given together, unless --place makes a container or a pod for the folder.'
  const [first, second] = STORED.filter((name) => values[name] !== undefined)
  if (first && second) return `--${first} and --${second} cannot be given together.`
  if (values.rehearse && first) return `--rehearse starts its own session and cannot be combined with --${first}.`
  if (values.rehearse) return words.length > 0 ? '--rehearse has its own task and takes no other.' : null
  if (values.note !== undefined && !(values.answer !== undefined && (words[0] === 'refuse' || words[0] === 'sign')))
    return '--note can only be used with --answer REQUEST_ID sign or refuse.'
  if (plan !== null && (values.answer !== undefined || values.rehearse))
    return 'A plan needs a session of its own, or --resume or --continue.'
  if (plan !== null && values.mode === 'plan') return '--mode plan changes nothing, so it cannot carry out a plan.'
  if (values.answer !== undefined) return answerFlaw(words, values)
  if (values.agent !== undefined && first) return `--agent starts a session and cannot be combined with --${first}.`
  if (values.agent !== undefined && values.sandbox === 'off')
    return '--agent needs the sandbox, so it cannot be combined with --sandbox off.'
  if (values.beside && first) return `--beside starts a session and cannot be combined with --${first}.`
  if (values.beside && values.sandbox === 'off') return '--beside needs the sandbox, so it cannot be combined with --sandbox off.'
  if (stateIn(words) !== null) return null
  if (broughtIn(words) !== null) return first ? `bring-in has its own session and cannot be combined with --${first}.` : null
  const flaw = flawOfCommand(words)
  if (flaw !== null) return flaw
  if (words.length > 1) return `Put the task in quotes: there were ${words.length} arguments.`
  const isEmpty = words.every((word) => word.trim() === '')
  if (isEmpty && plan !== null) return null
  if (isEmpty && first && values.image.length === 0) return null
  return isEmpty ? 'The task is missing. Give it as the last argument, in quotes.' : null
}

function flawOfAcp(words: readonly string[], { acp, image, ...values }: RunOptions): string | null {
  if (acp && words.length > 0) return '--acp takes no task: an editor sends the messages.'
  const other = [...STORED, 'place', 'rehearse', 'plan', 'approve', 'json'] as const
  const wrong = image.length > 0 ? 'image' : other.find((name) => values[name] !== undefined)
  return wrong === undefined ? null : `--acp cannot be combined with --${wrong}: an editor runs the sessions.`
}

function flawOfUndo({ answer, rehearse, image, ...values }: RunOptions): string | null {
  if (values['list-models'] || answer !== undefined || rehearse || image.length > 0)
    return 'undo, rollback and redo accept only --resume, --continue, --conversation, --anyway and --preview.'
  return null
}

function answerFlaw(words: readonly string[], { image }: RunOptions): string | null {
  if (image.length > 0) return '--image belongs to a task and cannot be used with --answer.'
  return words.length > 0 ? null : '--answer REQUEST_ID must be followed by sign or refuse, or by the answers to its questions.'
}

function flawOfImages({ image, rehearse }: RunOptions): string | null {
  if (image.includes('')) return '--image needs a value; it was empty.'
  if (image.length > MAX_PICTURES) return `--image can be given at most ${MAX_PICTURES} times.`
  return image.length > 0 && rehearse ? '--rehearse has its own task and takes no --image.' : null
}

function flawOfProvider({ provider, mode, approve }: RunOptions, providers: readonly ProviderEntry[]): string | null {
  if (mode !== undefined && approve !== undefined) return '--mode and --approve set the same thing: give only one.'
  if (provider === undefined) return null
  const can = selectable(providers).map(({ id }) => id)
  const entry = providers.find(({ id }) => id === provider)
  const known = `Supported: ${can.join(', ')}.`
  if (!entry) return `There is no provider "${provider}". ${known}`
  if (can.includes(entry.id)) return null
  return `--provider does not take "${provider}"${entry.id === 'rehearsal' ? ': use --rehearse' : ' yet'}. ${known}`
}
