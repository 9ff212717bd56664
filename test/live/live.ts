import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp } from '../../main/compose/app.ts'
import { headlessHost } from '../../main/headless/headless-host.ts'
import { type ProviderEntry, PROVIDERS } from '../../main/providers/provider-registry.ts'
import { providerVariables } from '../../main/settings/provider-variables.ts'
import { livePlace } from './live-place.ts'
import { FIRST_STEPS, type LiveDesk } from './first-steps.ts'

const HELP = `The first steps of S-45 against a real service. They cost what some dozen requests cost.

  npm run live -- --provider NAME [--model NAME]

Or a container or a pod of a session's own, on a real engine or cluster, without a model:

  npm run live -- --place k8s://CONTEXT/NAMESPACE?image=NAME

Key and address come from the environment. Without a key nothing is asked: skipped, exit code 0.
Exit code: 0 every step is as it should be, or all were skipped; 1 a step is not; 2 wrong use.
`
/** Maximum number of tokens that a run may use. It is checked before each request. */
const MAX_TOKENS = 2_000_000
const MAX_ROUNDS = 30

process.exitCode = await live(process.argv.slice(2))

async function live(argv: readonly string[]): Promise<number> {
  const asked = options(argv)
  if (asked?.place !== undefined) return inFolder((base) => livePlace(base, asked.place ?? '', say))
  const entry = PROVIDERS.find(({ id, key }) => id === asked?.provider && key !== 'none')
  if (!asked || !entry) {
    process.stderr.write(HELP)
    return 2
  }
  const why = whySkipped(entry)
  if (why !== null) {
    say(`Skipped: ${why}`)
    return 0
  }
  return inFolder((base) => stepsIn(base, entry, asked.model))
}

async function inFolder(run: (base: string) => Promise<number>): Promise<number> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-live-')))
  try {
    return await run(base)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function options(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: { provider: { type: 'string' }, model: { type: 'string' }, place: { type: 'string' } } })
      .values
  } catch {
    return null
  }
}

function whySkipped({ id, label, key: needs, keyVariables, baseUrl: defaultUrl, baseUrlVariable }: ProviderEntry): string | null {
  const { key, baseUrl } = providerVariables(id)
  if (needs === 'needed' && key === null) return `there is no key for ${label} in the environment (${keyVariables.join(' or ')}).`
  if (defaultUrl === null && baseUrl === null) return `there is no address for ${label} in the environment (${baseUrlVariable}).`
  return null
}

async function stepsIn(base: string, { id, label }: ProviderEntry, model: string | undefined): Promise<number> {
  const folder = join(base, 'project')
  const dataFolder = join(base, 'data')
  mkdirSync(folder)
  const limits = { limits: { maxRounds: MAX_ROUNDS }, lease: { tokens: MAX_TOKENS } }
  const parts = { version: '0', openFolder: null, watched: false, whenUnsaved: 'fail', trusted: folder } as const
  const app = await createApp({ host: headlessHost(), dataFolder, ...limits, ...parts })
  if (!app.ok) throw new Error(app.failure.what)
  try {
    const started = await app.value.starter.start(folder, { provider: id, ...(model ? { model } : {}), mode: 'full' })
    const session = started.ok ? started.value.running() : null
    if (!started.ok || !session) throw new Error(started.ok ? 'The session does not run.' : started.failure.what)
    const events = (): ReturnType<LiveDesk['events']> => [...app.value.store.log(session.record.sessionId).read()].map(({ event }) => event)
    say(`${label}, ${session.record.state().config.model}`)
    const failures = await play({ folder, session, events })
    const { usage, costUsd } = session.record.state()
    say(
      `${FIRST_STEPS.length - failures} of ${FIRST_STEPS.length} steps. ${usage.input + usage.cacheRead} tokens in, ${usage.output} out, ${costUsd === null ? 'cost unknown' : `${costUsd.toFixed(3)} US dollars`}.`,
    )
    return failures === 0 ? 0 : 1
  } finally {
    await app.value.close()
  }
}

async function play(desk: LiveDesk): Promise<number> {
  let failures = 0
  for (const { name, run } of FIRST_STEPS) {
    const wrong = await run(desk).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    say(wrong === null ? `✓ ${name}` : `✗ ${name}: ${wrong}`)
    if (wrong !== null) failures += 1
  }
  return failures
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
