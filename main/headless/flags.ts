import { parseArgs } from 'node:util'
import { type Result, failed, ok } from '../../shared/lib/result.ts'
import type { ProviderId } from '../../shared/session/content.ts'

/** What `run` was asked to do (D-44…D-49). */
export interface RunFlags {
  readonly cwd: string
  readonly task: string
  readonly provider: ProviderId | null
  readonly model: string | null
  readonly baseUrl: string | null
  readonly approve: 'none' | 'edits' | 'all'
  /** Null: no limit (D-43). */
  readonly maxRounds: number | null
  readonly effort: 'low' | 'medium' | 'high' | null
  readonly data: string | null
  readonly rehearse: boolean
  readonly json: boolean | null
}

export const RUN_HELP = `Countersign without a window: gives one task to the agent and says how it ended.

  npm run -s agent -- [options] "task"

  --cwd DIR            the project folder (default: where you are)
  --provider NAME      anthropic, openai, gemini, openai-compatible
  --model NAME         as the provider calls it
  --base-url URL       another address of the provider
  --effort LEVEL       low, medium, high
  --approve WHAT       none (default): asks on a terminal, refuses elsewhere
                       edits: edits inside the folder pass
                       all: everything inside the folder passes; what always asks is still asked or refused.
                       commands are not confined (there is no sandbox yet): they can do whatever your user can
  --max-rounds N       stops after N rounds of tool calls
  --data DIR           where sessions are kept
  --json, --no-json    events as JSON lines, or readable progress (default: JSON lines unless on a terminal)
  --rehearse           plays the rehearsal on a throw-away sample project; needs no key

Keys come from the environment: ANTHROPIC_API_KEY and the like.

Exit code: 0 the agent came to its natural end (a rehearsal: and the sample's tests pass); 1 it did not (error, limit, stopped); 2 wrong use.
`

const PROVIDERS: readonly string[] = ['anthropic', 'openai', 'gemini', 'openai-compatible']

/** Given, they must say something: an empty one is a shell variable that was not set. */
const VALUED = ['data', 'cwd', 'model', 'base-url'] as const

/** A failure is a sentence for stderr; the exit code is then 2. `help` means that help was asked for. */
export function parseRunFlags(
  argv: readonly string[],
  here: string,
): Result<RunFlags, { readonly help: boolean; readonly message: string }> {
  const wrong = (message: string) => failed({ help: false, message })
  let parsed
  try {
    parsed = parse(argv)
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = parsed
  if (values.help) return failed({ help: true, message: RUN_HELP })
  const empty = VALUED.find((name) => values[name]?.trim() === '')
  if (empty) return wrong(`--${empty} needs a value; it was empty.`)
  if (values.rehearse && positionals.length > 0) return wrong('--rehearse plays its own task: leave yours out.')
  if (!values.rehearse && positionals.every((word) => word.trim() === ''))
    return wrong('There is no task. Give it as the last argument, in quotes.')
  if (positionals.length > 1) return wrong(`One task at a time: put it in quotes. There were ${positionals.length} words.`)
  if (values.provider !== undefined && !PROVIDERS.includes(values.provider))
    return wrong(`There is no provider "${values.provider}". Known: ${PROVIDERS.join(', ')}.`)
  const approve = oneOf(values.approve, ['none', 'edits', 'all'] as const)
  if (approve === undefined) return wrong(`--approve takes none, edits or all, not "${values.approve}".`)
  const effort = oneOf(values.effort, ['low', 'medium', 'high'] as const)
  if (values.effort !== undefined && !effort) return wrong(`--effort takes low, medium or high, not "${values.effort}".`)
  const maxRounds = values['max-rounds'] === undefined ? null : Number(values['max-rounds'])
  if (maxRounds !== null && (!Number.isInteger(maxRounds) || maxRounds < 1)) return wrong('--max-rounds takes a whole number from 1.')
  return ok({
    cwd: values.cwd ?? here,
    task: positionals[0] ?? '',
    provider: (values.provider as ProviderId | undefined) ?? null,
    model: values.model ?? null,
    baseUrl: values['base-url'] ?? null,
    approve: approve ?? 'none',
    maxRounds,
    effort: effort ?? null,
    data: values.data ?? null,
    rehearse: values.rehearse ?? false,
    json: values.json ?? null,
  })
}

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
      'max-rounds': { type: 'string' },
      effort: { type: 'string' },
      data: { type: 'string' },
      rehearse: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
}

/** Null: left out. Undefined: not one of them. */
function oneOf<T extends string>(value: string | undefined, known: readonly T[]): T | null | undefined {
  if (value === undefined) return null
  return known.find((one) => one === value)
}
