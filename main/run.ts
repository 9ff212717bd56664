import './preflight.mjs'
import { hideSecretVariables } from './environment/launch-environment.ts'
import { resolve } from 'node:path'
import { type App, createApp } from './compose/app.ts'
import type { AppParts } from './compose/app-parts.ts'
import { missingSandbox } from './compose/sandbox-use.ts'
import { realFolder } from './environment/real-folders.ts'
import { commandIn, type GivenCommand } from './headless/commands/all-commands.ts'
import type { CommandPlace } from './headless/commands/command.ts'
import { parseRunFlags, type RunFlags } from './headless/start/flags.ts'
import { givenInstructions } from './headless/start/option-files.ts'
import { headlessHost } from './headless/headless-host.ts'
import { leftWords, sentences, complain, failWith, openOutput } from './headless/report/standard-output.ts'
import { exitOnUncaughtErrors, troubleOfBug } from './headless/report/uncaught-errors.ts'
import { announceInstall, endPlace, givenPlace, placeTrusted } from './headless/start/given-place.ts'
import type { TrustedThere } from './rules/project-rules.ts'
import { PACKAGE_ROOT, invocationFolder } from './headless/start/invocation-folder.ts'
import { listenForStop } from './headless/stop-signals.ts'
import { runTaskOrRehearsal } from './headless/task-or-rehearsal.ts'
import { dataFolder } from './store/data-folder.ts'
import { VERSION } from './version.ts'

// Must run before any process is started, because a process would inherit these variables.
hideSecretVariables()

/** The headless shell. Runs one task, prints its events on standard output, and exits with a code that says how the task ended. */
const stopping = listenForStop()
const write = openOutput(stopping)
const here = invocationFolder({ env: process.env, cwd: process.cwd(), root: PACKAGE_ROOT })
let opened: App | null = null
exitOnUncaughtErrors(() => opened?.close() ?? Promise.resolve())

const argv = process.argv.slice(2)
const command = await commandIn(argv, here)
const given = parseRunFlags(argv, here)
if (command) process.exitCode = command.ok ? await guarded(carryOut(command.value)) : fail(`${command.failure}\n`, 2)
else if (given.ok) process.exitCode = await guarded(run(given.value))
else if (given.failure.help) write(given.failure.message)
else process.exitCode = fail(`${given.failure.message} Try: --help\n`, 2)

function guarded(work: Promise<number>): Promise<number> {
  return work.catch((error: unknown) => failWith(troubleOfBug(error)))
}

async function run(flags: RunFlags): Promise<number> {
  const folder = dataFolder({ data: flags.data === null ? undefined : resolve(here, flags.data) })
  if (!folder.ok) return failWith(folder.failure)
  const instructions = await givenInstructions(flags.instructions)
  if (!instructions.ok) return fail(`${instructions.failure}\n`, 2)
  const local = await realFolder(resolve(here, flags.cwd))
  let there: TrustedThere | null = null
  let made: string | null = null
  const partsFor = (trusted: string | null): AppParts => runParts(flags, { data: folder.value, instructions: instructions.value, trusted })
  if (flags.acp) {
    const { runAcp } = await import('./headless/run-acp.ts')
    return runAcp({
      flags,
      here: local,
      openApp: (trusted, { list }) => createApp({ ...partsFor(trusted), givenServers: list }),
      signal: stopping.signal,
    })
  }
  const trusted = flags.rehearse || flags.place !== null ? null : local
  const app = await createApp({ ...partsFor(trusted), trustedThere: () => there, mayInstall: announceInstall })
  if (!app.ok) return failWith(app.failure)
  opened = app.value
  // A failure is ignored here, because it is reported when the app closes.
  app.value.leftovers.settled.then(
    (ended) => ended.forEach((left) => complain(leftWords(left))),
    () => {},
  )
  for (const trouble of [...app.value.troubles, ...app.value.settings.troubles()]) complain(sentences(trouble))
  try {
    if (flags.place !== null) {
      const given = await givenPlace(app.value.places, flags.place, local, flags.session.kind !== 'new')
      if (!given.ok) return failWith(given.failure)
      made = given.value.made
      const found = await placeTrusted(app.value.workspaces, given.value.address)
      if (!found.ok) return failWith(found.failure)
      there = found.value
    }
    const cwd = there?.address ?? local
    if (flags.stateOf !== null)
      return (await import('./headless/report/print-session-state.ts')).printState(flags.stateOf, {
        store: app.value.store,
        asJson: flags.json ?? !process.stdout.isTTY,
        write,
      })
    if (flags.listModels) return await (await import('./headless/start/list-models.ts')).listModels({ app: app.value, flags, write })
    if (flags.undo)
      return await (await import('./headless/undo-steps.ts')).undoSteps({ app: app.value, flags, undo: flags.undo, cwd, write })
    if (flags.sandbox === 'require') {
      const missing = await missingSandbox(app.value.workspaces, cwd)
      if (missing !== null)
        return fail(`Commands cannot run in a copy of the folder, but --sandbox require demands it. ${missing} Nothing was run.\n`)
    }
    return await runTaskOrRehearsal({ app: app.value, flags, cwd, write, signal: stopping.signal })
  } finally {
    if (made !== null) await endPlace(app.value, made)
    await app.value.close()
  }
}

interface RunFolders {
  readonly data: string
  /** The user's own instructions. Null if none were given. */
  readonly instructions: string | null
  readonly trusted: string | null
}

function runParts(flags: RunFlags, { data, instructions, trusted }: RunFolders): AppParts {
  return {
    host: headlessHost(),
    dataFolder: data,
    version: VERSION,
    openFolder: null,
    watched: false,
    takesQuestions: true,
    attended: flags.acp || Boolean(process.stdin.isTTY && process.stdout.isTTY),
    inTerminals: flags.pty,
    sandbox: flags.sandbox,
    whenUnsaved: 'fail',
    limits: { maxRounds: flags.maxRounds ?? 0 },
    turnLease: {
      ...(flags.maxTurnTokens !== null && { tokens: flags.maxTurnTokens }),
      ...(flags.maxTurnUsd !== null && { costUsd: flags.maxTurnUsd }),
    },
    lease: { ...(flags.maxTokens !== null && { tokens: flags.maxTokens }), ...(flags.maxUsd !== null && { costUsd: flags.maxUsd }) },
    session: {
      ...(flags.retryForMs !== null && { retryForMs: flags.retryForMs }),
      ...(instructions !== null && { userInstruction: instructions }),
      ...(flags.contextWindow !== null && { contextWindowSize: flags.contextWindow }),
      ...(flags.price !== null && { price: flags.price }),
    },
    ...(flags.idleLimitMs !== null && { idleLimitMs: flags.idleLimitMs }),
    // Nobody watches output that goes to a pipe, so the rehearsal does not need pauses.
    ...(!process.stdout.isTTY && { rehearsalPaceMs: 0 }),
    trusted,
  }
}

async function carryOut({ data, work }: GivenCommand): Promise<number> {
  const folder = dataFolder({ data: data === null ? undefined : resolve(here, data) })
  if (!folder.ok) return failWith(folder.failure)
  const withApp: CommandPlace['withApp'] = async (inApp, trusted) => {
    const parts = { host: headlessHost(), dataFolder: folder.value, version: VERSION, openFolder: null, watched: false } as const
    const app = await createApp({ ...parts, ...(trusted !== undefined && { trusted }), whenUnsaved: 'fail' })
    if (!app.ok) return failWith(app.failure)
    opened = app.value
    try {
      return await inApp(app.value)
    } finally {
      await app.value.close()
    }
  }
  return work({ dataFolder: folder.value, write, withApp })
}

function fail(words: string, code = 1): number {
  complain(words)
  return code
}
