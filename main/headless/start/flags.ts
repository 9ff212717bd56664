import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { APPROVAL_MODES, type ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import { type ProviderId, MAX_PICTURES } from '../../../shared/session/content.ts'
import { COURSES, type Course } from '../../../shared/workflow/workflow.ts'
import { type PersonPrice, type Effort, EFFORTS } from '../../../shared/session/settings/model-facts.ts'
import { checkBaseUrl, type ProviderEntry, PROVIDERS } from '../../providers/provider-registry.ts'
import { APPROVAL_HELP, APPROVE, modeOf } from './approval-options.ts'
import { SANDBOX_USES, type SandboxUse, sandboxUse } from '../../compose/sandbox-use.ts'
import { COMMANDS_HELP, flawOfCommand } from '../commands/all-commands.ts'
import { UNDO_HELP, undoIn, type UndoFlags } from './undo-arguments.ts'
import { wrongOption } from '../../wrong-option.ts'

/** The options of a headless run. */
export interface RunFlags {
  readonly cwd: string
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
  /** Whether a new session works in a layer beside the folder. */
  readonly beside: boolean
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

const LIMITS_HELP = `Limits
  --max-rounds N       stops after N rounds of tool calls (default: no limit)
  --max-tokens N       makes no request after N tokens, including those of subagents (default: from the settings)
  --max-usd N          makes no request after N US dollars at the known prices (default: from the settings).
                       A model without a known price is then not used, unless it runs on this machine
  --max-turn-tokens N, --max-turn-usd N
                       the same for one turn; a task is one turn
  --idle-limit MS      gives up on an answer after MS milliseconds without a byte (default: from the settings)
  --retry-for SECONDS  how long to retry if a service is overloaded, limits requests or cannot be reached (default: from
                       the settings, 600: ten minutes). 0: two retries, about 3 s`

/** The text of `--help`. */
function runHelp(providers: readonly ProviderEntry[] = PROVIDERS): string {
  const known = selectable(providers)
  return `Runs one task without a window and reports how it ended.

  npm run -s agent -- [options] "task"
  npm run -s agent -- --continue ["task"], or --resume ID ["task"]
  npm run -s agent -- plan FILE ["task"]: carries out a plan that you agreed to
  npm run -s agent -- undo STEP, or rollback STEP, or redo last
  npm run -s agent -- bring-in SESSION_ID|last: asks to sign what a session beside the folder has changed in its layer
  npm run -s agent -- state SESSION_ID|last [--json]: its stage, its plan and what it waits for
  npm run -s agent -- --answer REQUEST_ID sign, or refuse, or the answers to its questions

Task
  --cwd DIR            project folder (default: the current folder). The run trusts its documents
  --image PATH         adds a picture to the task (PNG, JPEG, GIF, WebP, at most 3.75 MB); up to 20 times
  --instructions FILE  your own instructions; they come last in the prompt and take precedence
  --plan FILE          carries out the plan in a Markdown file, as you or the desk wrote it: numbered steps, and what they
                       touch and run in \`code\`. The option counts as your signature; the task can then be left out.
                       Steps that the plan does not include need approval or are refused, in every mode
  --resume ID          continues a stored session of this folder: with a new task, or where its last turn stopped.
                       Provider, model, effort and mode stay the same unless you give them
  --continue           the same for the newest session of this folder
  --beside             works in a layer over the folder: nothing asks, and the folder changes only by bring-in
  --rehearse           plays the rehearsal in a copy of the sample project, which is removed at the end. A script plays
                       the model and the user; no key is needed

Model
  --provider NAME      ${known.map(({ id }) => id).join(', ')}
  --model NAME         the provider's name for the model
  --base-url URL       another address of the provider
  --effort LEVEL       none, minimal, low, medium, high, xhigh, max. A level that the model does not support becomes
                       the nearest one
  --context-window N   tokens that the model accepts, instead of the known number
  --price IN,OUT       price of the model in US dollars per million tokens; also IN,OUT,CACHE_READ,CACHE_WRITE
  --list-models        lists the provider's models instead of running a task. You can use names that are not listed

${APPROVAL_HELP}

${UNDO_HELP}

${COMMANDS_HELP}

${LIMITS_HELP}

Other
  --pty                runs commands in terminals, as the desktop app does (default: pipes, as in CI). Nobody can type
                       into them: a command that waits for input is stopped at its time limit, after 2 min at the latest
  --data DIR           where sessions are stored (default: COUNTERSIGN_HOME, or the platform's default folder)
  --json, --no-json    events as JSON lines, or readable progress (default: JSON lines unless in a terminal)

Paths are relative to the current folder. Keys come from the environment:
${known.map((entry) => `  ${entry.id.padEnd(20)} ${variables(entry)}`).join('\n')}

A JSON line is {seq, sessionId, after, at, event, blobs, ran}. \`blobs\` maps each hash in the event to a file in the data
folder: outputs above 64 KB, and files before and after a change. \`seq\` is null for live events, which are not stored.
\`ran\` says how the command of an event runs: in a copy of the folder ("copy"), confined to it ("confined") or for
"real". \`saved: false\` marks an event that could not be stored yet and may be lost. For a stored session, the lines start
where the run continues.

At a question: y signs, n refuses, any other text refuses and is sent to the agent as a message. Ctrl+D refuses this
and all later requests; Ctrl+C stops the turn.

${EXIT_CODES}
`
}

const EXIT_CODES = `Exit codes
  0    the agent finished (in a rehearsal: and the sample's tests pass). Refused requests do not change it; the last
       line on standard error counts those that nobody could sign
  1    the agent did not finish: error, limit, stopped, or the reader of the output went away (| head)
  2    wrong usage
  3    paused (--pause): requests wait for a signature
  130  a second Ctrl+C or signal stopped it immediately`

/** The providers that `--provider` accepts. The rehearsal has its own option. */
const selectable = (providers: readonly ProviderEntry[]): readonly ProviderEntry[] =>
  providers.filter(({ id, available }) => available && id !== 'rehearsal')

const variables = ({ keyVariables, baseUrlVariable }: ProviderEntry): string =>
  [keyVariables.join(' or '), ...(baseUrlVariable ? [`address: ${baseUrlVariable}`] : [])].join('; ')

/** Options that must not be empty: an empty value usually comes from an unset shell variable. */
const VALUED = ['data', 'cwd', 'model', 'base-url', 'resume', 'answer', 'instructions', 'plan'] as const

/** A failure is a sentence for standard error, with exit code 2. `help`: the user asked for help. */
export function parseRunFlags(
  argv: readonly string[],
  here: string,
  providers: readonly ProviderEntry[] = PROVIDERS,
): Result<RunFlags, { readonly help: boolean; readonly message: string }> {
  const wrong = (message: string) => failed({ help: false, message })
  let parsed
  try {
    parsed = parse(argv)
  } catch (error) {
    return wrong(wrongOption(error))
  }
  const { values, positionals } = parsed
  if (values.help || (positionals.length === 1 && positionals[0] === 'help')) return failed({ help: true, message: runHelp(providers) })
  const undo = undoIn(positionals, values)
  if (!undo.ok) return wrong(undo.failure)
  const flaw = (undo.value ? flawOfUndo(values) : flawOfTask(positionals, values)) ?? flawOfValues(values, providers)
  if (flaw !== null) return wrong(flaw)
  const provider = providers.find(({ id }) => id === values.provider)?.id ?? null
  const address = values['base-url'] === undefined ? ok(null) : checkBaseUrl(provider ?? 'anthropic', values['base-url'])
  if (!address.ok) return wrong(`--base-url: ${address.failure}`)
  return ok({
    cwd: values.cwd ?? here,
    task: values.answer === undefined && !undo.value && broughtIn(positionals) === null ? (taskIn(positionals)[0] ?? '') : '',
    plan: planIn(positionals, values, here),
    undo: undo.value,
    session: choiceIn(values, positionals),
    course: COURSES.find((one) => one === values.course) ?? null,
    beside: values.beside ?? false,
    stateOf: stateIn(positionals),
    pause: values.pause ?? false,
    instructions: values.instructions === undefined ? null : resolve(here, values.instructions),
    mode: APPROVAL_MODES.find((one) => one === values.mode) ?? modeOf(values.approve),
    images: (values.image ?? []).map((path) => resolve(here, path)),
    provider,
    model: values.model ?? null,
    // Without --provider, the address is checked later, for the provider from the settings.
    baseUrl: provider ? address.value : (values['base-url'] ?? null),
    approve: APPROVE.find((one) => one === values.approve) ?? 'none',
    maxRounds: numberOf(values['max-rounds']),
    maxTokens: numberOf(values['max-tokens']),
    maxUsd: numberOf(values['max-usd']),
    maxTurnTokens: numberOf(values['max-turn-tokens']),
    maxTurnUsd: numberOf(values['max-turn-usd']),
    effort: EFFORTS.find((one) => one === values.effort) ?? null,
    idleLimitMs: numberOf(values['idle-limit']),
    contextWindow: numberOf(values['context-window']),
    price: priceIn(values.price),
    retryForMs: values['retry-for'] === undefined ? null : Number(values['retry-for']) * 1000,
    data: values.data ?? null,
    pty: values.pty ?? false,
    sandbox: sandboxUse(values.sandbox) ?? 'auto',
    rehearse: values.rehearse ?? false,
    listModels: values['list-models'] ?? false,
    json: values.json ?? null,
  })
}

type Values = ReturnType<typeof parse>['values']

function choiceIn({ resume, answer, note, ...values }: Values, words: readonly string[]): RunFlags['session'] {
  if (answer !== undefined) return { kind: 'request', id: answer, words, note: note ?? null }
  if (resume !== undefined) return { kind: 'id', id: resume }
  const from = broughtIn(words)
  if (from !== null) return { kind: 'bring-in', from: from === 'last' ? null : from }
  return { kind: values.continue ? 'newest' : 'new' }
}

/** Matches `state SESSION_ID`. */
const stateIn = (words: readonly string[]): string | null => (words.length === 2 && words[0] === 'state' ? (words[1] ?? null) : null)

/** Matches `bring-in SESSION_ID`. */
const broughtIn = (words: readonly string[]): string | null => (words.length === 2 && words[0] === 'bring-in' ? (words[1] ?? null) : null)

/** Matches `plan FILE`, before the task. */
const hasPlan = (words: readonly string[]): boolean => words.length > 1 && words[0] === 'plan'
const taskIn = (words: readonly string[]): readonly string[] => (hasPlan(words) ? words.slice(2) : words)

function planIn(words: readonly string[], { plan }: Values, here: string): string | null {
  const file = plan ?? (hasPlan(words) ? words[1] : undefined)
  return file === undefined ? null : resolve(here, file)
}

const STORED = ['resume', 'continue', 'answer'] as const

function flawOfTask(given: readonly string[], values: Values): string | null {
  const plan = planIn(given, values, '')
  const words = taskIn(given)
  if (values['list-models']) return words.length > 0 ? '--list-models takes no task.' : null
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
  if (values.beside && first) return `--beside starts a session and cannot be combined with --${first}.`
  if (values.beside && values.sandbox === 'off') return '--beside needs the sandbox, so it cannot be combined with --sandbox off.'
  if (stateIn(words) !== null) return null
  if (broughtIn(words) !== null) return first ? `bring-in has its own session and cannot be combined with --${first}.` : null
  const flaw = flawOfCommand(words)
  if (flaw !== null) return flaw
  if (words.length > 1) return `Put the task in quotes: there were ${words.length} arguments.`
  const isEmpty = words.every((word) => word.trim() === '')
  if (isEmpty && plan !== null) return null
  if (isEmpty && first && (values.image?.length ?? 0) === 0) return null
  return isEmpty ? 'The task is missing. Give it as the last argument, in quotes.' : null
}

function flawOfUndo({ answer, rehearse, image = [], ...values }: Values): string | null {
  if (values['list-models'] || answer !== undefined || rehearse || image.length > 0)
    return 'undo, rollback and redo accept only --resume, --continue, --conversation, --anyway and --preview.'
  return null
}

function answerFlaw(words: readonly string[], { image = [] }: Values): string | null {
  if (image.length > 0) return '--image belongs to a task and cannot be used with --answer.'
  return words.length > 0 ? null : '--answer REQUEST_ID must be followed by sign or refuse, or by the answers to its questions.'
}

function flawOfValues(values: Values, providers: readonly ProviderEntry[]): string | null {
  const empty = VALUED.find((name) => values[name]?.trim() === '')
  if (empty) return `--${empty} needs a value; it was empty.`
  const { provider, approve, effort, mode, image = [] } = values
  if (image.includes('')) return '--image needs a value; it was empty.'
  if (image.length > MAX_PICTURES) return `--image can be given at most ${MAX_PICTURES} times.`
  if (image.length > 0 && values.rehearse) return '--rehearse has its own task and takes no --image.'
  if (provider !== undefined) {
    const can = selectable(providers).map(({ id }) => id)
    const entry = providers.find(({ id }) => id === provider)
    const known = `Supported: ${can.join(', ')}.`
    if (!entry) return `There is no provider "${provider}". ${known}`
    if (!can.includes(entry.id))
      return `--provider does not take "${provider}"${entry.id === 'rehearsal' ? ': use --rehearse' : ' yet'}. ${known}`
  }
  if (approve !== undefined && !APPROVE.some((one) => one === approve)) return `--approve takes none, edits or all, not "${approve}".`
  if (sandboxUse(values.sandbox) === null) return `--sandbox takes ${SANDBOX_USES.join(', ')}, not "${values.sandbox}".`
  if (mode !== undefined && !APPROVAL_MODES.some((one) => one === mode)) return `--mode takes ${APPROVAL_MODES.join(', ')}, not "${mode}".`
  if (mode !== undefined && approve !== undefined) return '--mode and --approve set the same thing: give only one.'
  if (values.course !== undefined && !COURSES.some((one) => one === values.course))
    return `--course takes ${COURSES.join(', ')}, not "${values.course}".`
  if (effort !== undefined && !EFFORTS.some((one) => one === effort)) return `--effort takes ${EFFORTS.join(', ')}, not "${effort}".`
  const whole = COUNTS.find((name) => values[name] !== undefined && !/^[1-9]\d{0,8}$/.test(values[name]))
  if (whole) return `--${whole} takes a whole number from 1.`
  if (values.price !== undefined && priceIn(values.price) === null)
    return `--price takes IN,OUT or IN,OUT,CACHE_READ,CACHE_WRITE in US dollars, like 3,15, not "${values.price}".`
  const wait = values['retry-for']
  if (wait !== undefined && !(/^\d{1,4}$/.test(wait) && Number(wait) <= 3600)) return '--retry-for takes whole seconds from 0 to 3600.'
  const usd = SPENDING.find((name) => values[name] !== undefined && !isAmount(values[name]))
  return usd ? `--${usd} takes an amount above 0, like 0.50, not "${values[usd]}".` : null
}

/** Null if not given, or if it is not a price. */
function priceIn(text: string | undefined): PersonPrice | null {
  if (text === undefined || !/^\d{1,5}(\.\d{1,6})?(,\d{1,5}(\.\d{1,6})?){1,3}$/.test(text)) return null
  const [input = 0, output = 0, cacheRead, cacheWrite] = text.split(',').map(Number)
  if (cacheRead !== undefined && cacheWrite === undefined) return null
  return { input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) }
}

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))
const isAmount = (usd: string): boolean => /^\d{1,6}(?:\.\d{1,6})?$/.test(usd) && Number(usd) > 0

const FLAGS = ['pause', 'continue', 'beside', 'pty', 'rehearse', 'list-models', 'json', 'conversation', 'anyway', 'preview'] as const
const SPENDING = ['max-usd', 'max-turn-usd'] as const
const COUNTS = ['max-rounds', 'max-tokens', 'max-turn-tokens', 'idle-limit', 'context-window'] as const
const CHOICES = ['provider', 'approve', 'mode', 'course', 'effort', 'sandbox', 'note', 'price', 'retry-for'] as const

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    allowNegative: true,
    options: {
      ...each([...VALUED, ...CHOICES, ...COUNTS, ...SPENDING], { type: 'string' }),
      ...each(FLAGS, { type: 'boolean' }),
      image: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
}

function each<const Name extends string, const Option>(names: readonly Name[], option: Option): { readonly [_ in Name]: Option } {
  return Object.fromEntries(names.map((name) => [name, option])) as { readonly [_ in Name]: Option }
}
