import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { APPROVAL_MODES, type ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { OwnPrice } from '../../../shared/session/settings/model-facts.ts'
import { type Effort, EFFORTS } from '../../../shared/session/settings/effort.ts'
import { MAX_PICTURES } from '../../../shared/session/picture.ts'
import { checkBaseUrl, type ProviderEntry, PROVIDERS } from '../../providers/registry.ts'
import { wrongOption } from '../../wrong-option.ts'

/** What `run` was asked to do (D-44…D-49). */
export interface RunFlags {
  readonly cwd: string
  readonly task: string
  /** Pictures that belong to the task: absolute paths. */
  readonly images: readonly string[]
  readonly provider: ProviderId | null
  readonly model: string | null
  readonly baseUrl: string | null
  readonly approve: 'none' | 'edits' | 'all'
  /** What `--mode` or `--approve` say; null: neither was given (a new session: `ask`; a stored one: its own). */
  readonly mode: ApprovalMode | null
  readonly session:
    | { readonly kind: 'new' }
    | { readonly kind: 'newest' }
    | { readonly kind: 'id'; readonly id: string }
    /** The one in which this request waits, to be answered first. */
    | { readonly kind: 'request'; readonly id: string; readonly sign: boolean; readonly note: string | null }
  /** A request that nobody is there to sign is left waiting, instead of being refused. */
  readonly pause: boolean
  /** Absolute path of a file with the user's own instructions. */
  readonly instructions: string | null
  /** Null: no limit (D-43). */
  readonly maxRounds: number | null
  /** Of the whole run, its subagents included; null: as the settings say. */
  readonly maxTokens: number | null
  readonly maxUsd: number | null
  /** Of the one turn that the task is, its subagents included; null: as the settings say. */
  readonly maxTurnTokens: number | null
  readonly maxTurnUsd: number | null
  readonly effort: Effort | null
  /** Milliseconds without a byte of an answer (L-26); null: as the settings say. */
  readonly idleLimitMs: number | null
  /** Tokens; null: as it is known. */
  readonly contextWindow: number | null
  /** US dollars per million tokens; null: as it is known. */
  readonly price: OwnPrice | null
  /** Milliseconds for which a failing service is asked again; null: as the settings say. */
  readonly retryForMs: number | null
  readonly data: string | null
  /** Commands run in terminals of their own (DESIGN §5), though nobody watches them. */
  readonly pty: boolean
  readonly rehearse: boolean
  /** Instead of a task: the models of the provider, asked of its service. */
  readonly listModels: boolean
  readonly json: boolean | null
}

/** What `--help` prints; only what this version can do. */
function runHelp(providers: readonly ProviderEntry[] = PROVIDERS): string {
  const known = speakable(providers)
  return `Countersign without a window: gives one task to the agent and says how it ended.

  npm run -s agent -- [options] "task"
  npm run -s agent -- --continue ["task"], or --resume ID ["task"]
  npm run -s agent -- --answer REQUEST_ID sign, or refuse

  --cwd DIR            the project folder (default: where you are). Naming it is trust enough to read its documents
  --provider NAME      ${known.map(({ id }) => id).join(', ')}
  --model NAME         as the provider calls it
  --base-url URL       another address of the provider
  --effort LEVEL       none, minimal, low, medium, high, xhigh, max; what a model does not take becomes the nearest
                       that it does
  --image PATH         a picture for the task (PNG, JPEG, GIF, WebP, at most 3.75 MB); can be given again, at most 20
  --approve WHAT       none (default): asks on a terminal, refuses elsewhere
                       edits: edits of files inside the folder pass, commands are asked or refused
                       all: edits and commands pass. Commands are not confined to the folder (there is no sandbox
                       yet): they can read, change and send whatever your user can. Control files and edits
                       outside the folder are still asked or refused; of commands, those that name such a file as
                       written, or whose written files cannot be determined
  --mode MODE          plan (changes nothing), ask, accept-edits, auto or full, instead of --approve
  --pause              leaves what nobody is there to sign waiting, and ends with exit code 3, instead of refusing it
  --answer REQUEST_ID  signs or refuses (--note TEXT tells the agent why) a request that waits, and goes on to the next one
                       or the end. REQUEST_ID is the approvalId of its APPROVAL_REQUESTED
  --resume ID          goes on with a stored session of this folder: with a further task, or where its last turn was cut
                       short. Provider, model, effort and mode stay as they were unless they are given
  --continue           the same with the newest session of this folder
  --instructions FILE  your own instructions, which come last in the prompt and win
  --max-rounds N       stops after N rounds of tool calls (default: no limit)
  --max-tokens N       makes no request after N tokens are used up, those of subagents included (default: as the
                       settings say)
  --max-usd N          makes no request after N US dollars are spent, by the known prices (default: as the settings say).
                       A model without a known price is then not asked, unless it runs on this machine
  --max-turn-tokens N, --max-turn-usd N
                       the same for one turn, of which a task without a window is one
  --idle-limit MS      gives an answer up after MS milliseconds without a byte (default: as the settings say)
  --context-window N   tokens that the model can take, in place of what is known of it
  --price IN,OUT       what the model costs in US dollars per million tokens; also IN,OUT,CACHE_READ,CACHE_WRITE
  --retry-for SECONDS  goes on asking a service that is overloaded, limits requests or cannot be reached (default: as the
                       settings say, 600). 0: two retries, about 3 s
  --pty                commands run in terminals of their own, as at the desk (default: on pipes, as in CI). Nobody can
                       type into them: one that waits for input ends by its time limit, at the latest 2 min after it
  --data DIR           where sessions are kept (default: COUNTERSIGN_HOME, or the system's own place)
  --list-models        asks the provider for its models and lists them, instead of working on a task. A name that is not listed can be given all the same
  --json, --no-json    events as JSON lines, or readable progress (default: JSON lines unless on a terminal)
  --rehearse           plays the rehearsal on a copy of the sample project, which is removed at the end; a script plays
                       the model and the person; needs no key

Folders and pictures are relative to where you are. Keys come from the environment:
${known.map((entry) => `  ${entry.id.padEnd(20)} ${variables(entry)}`).join('\n')}

A JSON line is {seq, sessionId, after, at, event, blobs}; \`blobs\` gives the files of the data folder that hold
what the event names by hash: outputs above 64 KB, files before and after. \`seq\` is null of live events, which are not
kept. \`saved: false\` stands in a line that could not be stored yet: it may be lost. Of a stored session the lines begin
where the run goes on.

At a question: y signs, n refuses, anything else is a refusal with that message to the agent; Ctrl+D refuses this
and all that come, Ctrl+C stops the turn.

Exit code: 0 the agent came to its natural end (a rehearsal: and the sample's tests pass)
           Requests that were refused since nobody was there to sign do not change it: the last line on
           standard error counts them
           1 it did not: error, limit, stopped, or the reader of the output went away (| head)
           2 wrong use
           3 it paused (--pause): requests wait for a signature
           130 a second Ctrl+C or signal ended it at once
`
}

/** Providers that can be named on the command line: the rehearsal has an option of its own. */
const speakable = (providers: readonly ProviderEntry[]): readonly ProviderEntry[] =>
  providers.filter(({ id, available }) => available && id !== 'rehearsal')

const variables = ({ keyVariables, baseUrlVariable }: ProviderEntry): string =>
  [keyVariables.join(' or '), ...(baseUrlVariable ? [`address: ${baseUrlVariable}`] : [])].join('; ')

/** Given, they must say something: an empty one is a shell variable that was not set. */
const VALUED = ['data', 'cwd', 'model', 'base-url', 'resume', 'answer', 'instructions'] as const

/** A failure is a sentence for stderr; the exit code is then 2. `help` means that help was asked for. */
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
  if (values.help) return failed({ help: true, message: runHelp(providers) })
  const flaw = flawOfTask(positionals, values) ?? flawOfValues(values, providers)
  if (flaw !== null) return wrong(flaw)
  const provider = providers.find(({ id }) => id === values.provider)?.id ?? null
  const address = values['base-url'] === undefined ? ok(null) : checkBaseUrl(provider ?? 'anthropic', values['base-url'])
  if (!address.ok) return wrong(`--base-url: ${address.failure}`)
  return ok({
    cwd: values.cwd ?? here,
    task: values.answer === undefined ? (positionals[0] ?? '') : '',
    session: choiceIn(values, positionals),
    pause: values.pause ?? false,
    instructions: values.instructions === undefined ? null : resolve(here, values.instructions),
    mode: APPROVAL_MODES.find((one) => one === values.mode) ?? modeOf(values.approve),
    images: (values.image ?? []).map((path) => resolve(here, path)),
    provider,
    model: values.model ?? null,
    // Without --provider its form is the business of the provider that the settings name.
    baseUrl: provider ? address.value : (values['base-url'] ?? null),
    approve: APPROVE.find((one) => one === values.approve) ?? 'none',
    maxRounds: values['max-rounds'] === undefined ? null : Number(values['max-rounds']),
    maxTokens: values['max-tokens'] === undefined ? null : Number(values['max-tokens']),
    maxUsd: values['max-usd'] === undefined ? null : Number(values['max-usd']),
    maxTurnTokens: values['max-turn-tokens'] === undefined ? null : Number(values['max-turn-tokens']),
    maxTurnUsd: values['max-turn-usd'] === undefined ? null : Number(values['max-turn-usd']),
    effort: EFFORTS.find((one) => one === values.effort) ?? null,
    idleLimitMs: values['idle-limit'] === undefined ? null : Number(values['idle-limit']),
    contextWindow: values['context-window'] === undefined ? null : Number(values['context-window']),
    price: priceIn(values.price),
    retryForMs: values['retry-for'] === undefined ? null : Number(values['retry-for']) * 1000,
    data: values.data ?? null,
    pty: values.pty ?? false,
    rehearse: values.rehearse ?? false,
    listModels: values['list-models'] ?? false,
    json: values.json ?? null,
  })
}

const APPROVE = ['none', 'edits', 'all'] as const

/** The mode that `--approve` stands for (D-44); null: it was not given. */
function modeOf(approve: string | undefined): ApprovalMode | null {
  const modes: Readonly<Record<RunFlags['approve'], ApprovalMode>> = { none: 'ask', edits: 'accept-edits', all: 'full' }
  return approve === undefined ? null : modes[APPROVE.find((one) => one === approve) ?? 'none']
}

type Values = ReturnType<typeof parse>['values']

function choiceIn({ resume, answer, note, ...values }: Values, [word]: readonly string[]): RunFlags['session'] {
  if (answer !== undefined) return { kind: 'request', id: answer, sign: word === 'sign', note: note ?? null }
  if (resume !== undefined) return { kind: 'id', id: resume }
  return { kind: values.continue ? 'newest' : 'new' }
}

const STORED = ['resume', 'continue', 'answer'] as const

function flawOfTask(words: readonly string[], values: Values): string | null {
  if (values['list-models']) return words.length > 0 ? '--list-models works on no task: leave it out.' : null
  const [first, second] = STORED.filter((name) => values[name] !== undefined)
  if (first && second) return `--${first} and --${second} cannot be given together.`
  if (values.rehearse && first) return `--rehearse plays in a session of its own: leave --${first} out.`
  if (values.rehearse) return words.length > 0 ? '--rehearse plays its own task: leave yours out.' : null
  if (values.note !== undefined && !(values.answer !== undefined && words[0] === 'refuse'))
    return '--note belongs to --answer REQUEST_ID refuse.'
  if (values.answer !== undefined) return answerFlaw(words, values)
  if (words.length > 1) return `One task at a time: put it in quotes. There were ${words.length} words.`
  const isEmpty = words.every((word) => word.trim() === '')
  if (isEmpty && first && (values.image?.length ?? 0) === 0) return null
  return isEmpty ? 'There is no task. Give it as the last argument, in quotes.' : null
}

function answerFlaw(words: readonly string[], { image = [] }: Values): string | null {
  if (image.length > 0) return '--image belongs to a task: leave it out of an answer.'
  return words.length === 1 && (words[0] === 'sign' || words[0] === 'refuse')
    ? null
    : '--answer REQUEST_ID needs one word behind it: sign or refuse.'
}

function flawOfValues(values: Values, providers: readonly ProviderEntry[]): string | null {
  const empty = VALUED.find((name) => values[name]?.trim() === '')
  if (empty) return `--${empty} needs a value; it was empty.`
  const { provider, approve, effort, mode, image = [] } = values
  if (image.includes('')) return '--image needs a value; it was empty.'
  if (image.length > MAX_PICTURES) return `--image can be given ${MAX_PICTURES} times at most.`
  if (image.length > 0 && values.rehearse) return '--rehearse plays its own task: leave --image out.'
  if (provider !== undefined) {
    const can = speakable(providers).map(({ id }) => id)
    const entry = providers.find(({ id }) => id === provider)
    const known = `${can.length > 1 ? 'Those that it can talk to' : 'The one that it can talk to'}: ${can.join(', ')}.`
    if (!entry) return `There is no provider "${provider}". ${known}`
    if (!can.includes(entry.id))
      return `This version cannot talk to "${provider}"${entry.id === 'rehearsal' ? ': use --rehearse' : ' yet'}. ${known}`
  }
  if (approve !== undefined && !APPROVE.some((one) => one === approve)) return `--approve takes none, edits or all, not "${approve}".`
  if (mode !== undefined && !APPROVAL_MODES.some((one) => one === mode)) return `--mode takes ${APPROVAL_MODES.join(', ')}, not "${mode}".`
  if (mode !== undefined && approve !== undefined) return '--mode and --approve say the same: give one of them.'
  if (effort !== undefined && !EFFORTS.some((one) => one === effort)) return `--effort takes ${EFFORTS.join(', ')}, not "${effort}".`
  const whole = (['max-rounds', 'max-tokens', 'max-turn-tokens', 'idle-limit', 'context-window'] as const).find(
    (name) => values[name] !== undefined && !/^[1-9]\d{0,8}$/.test(values[name]),
  )
  if (whole) return `--${whole} takes a whole number from 1.`
  if (values.price !== undefined && priceIn(values.price) === null)
    return `--price takes IN,OUT or IN,OUT,CACHE_READ,CACHE_WRITE in US dollars, like 3,15, not "${values.price}".`
  const wait = values['retry-for']
  if (wait !== undefined && !(/^\d{1,4}$/.test(wait) && Number(wait) <= 3600)) return '--retry-for takes whole seconds from 0 to 3600.'
  const usd = (['max-usd', 'max-turn-usd'] as const).find((name) => values[name] !== undefined && !isAmount(values[name]))
  return usd ? `--${usd} takes an amount above 0, like 0.50, not "${values[usd]}".` : null
}

/** Null: it is not given, or no price. */
function priceIn(text: string | undefined): OwnPrice | null {
  if (text === undefined || !/^\d{1,5}(\.\d{1,6})?(,\d{1,5}(\.\d{1,6})?){1,3}$/.test(text)) return null
  const [input = 0, output = 0, cacheRead, cacheWrite] = text.split(',').map(Number)
  if (cacheRead !== undefined && cacheWrite === undefined) return null
  return { input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) }
}

const isAmount = (usd: string): boolean => /^\d{1,6}(?:\.\d{1,6})?$/.test(usd) && Number(usd) > 0

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    allowNegative: true,
    options: {
      cwd: { type: 'string' },
      provider: { type: 'string' },
      model: { type: 'string' },
      'base-url': { type: 'string' },
      approve: { type: 'string' },
      mode: { type: 'string' },
      pause: { type: 'boolean' },
      answer: { type: 'string' },
      note: { type: 'string' },
      resume: { type: 'string' },
      continue: { type: 'boolean' },
      instructions: { type: 'string' },
      'max-rounds': { type: 'string' },
      'max-tokens': { type: 'string' },
      'max-usd': { type: 'string' },
      'max-turn-tokens': { type: 'string' },
      'max-turn-usd': { type: 'string' },
      effort: { type: 'string' },
      image: { type: 'string', multiple: true },
      'idle-limit': { type: 'string' },
      'context-window': { type: 'string' },
      price: { type: 'string' },
      'retry-for': { type: 'string' },
      data: { type: 'string' },
      pty: { type: 'boolean' },
      rehearse: { type: 'boolean' },
      'list-models': { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
}
