import './preflight.mjs'
import { hideSecretVariables } from './environment/launch-environment.ts'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type App, createApp } from './compose/app.ts'
import { missingSandbox } from './compose/sandbox-use.ts'
import { realFolder } from './environment/real-folders.ts'
import { type DoctorCommand, doctorCommandIn, runDoctorCommand } from './headless/doctor-command.ts'
import { parseRunFlags, type RunFlags } from './headless/start/flags.ts'
import { givenInstructions } from './headless/start/option-files.ts'
import { mcpCommandIn, type McpCommand, runMcpCommand } from './headless/mcp-command.ts'
import { type HistoryCommand, historyCommandIn, runHistoryCommand } from './headless/history-command.ts'
import { headlessHost } from './headless/headless-host.ts'
import { leftWords, sentences, complain, openOutput } from './headless/report/standard-output.ts'
import { exitOnUncaughtErrors, troubleOfBug } from './headless/report/uncaught-errors.ts'
import { PACKAGE_ROOT, invocationFolder } from './headless/start/invocation-folder.ts'
import { listenForStop } from './headless/stop-signals.ts'
import { runTaskOrRehearsal, terminalFor } from './headless/task-or-rehearsal.ts'
import type { ChosenServers } from './settings/foreign-mcp-servers.ts'
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

const doctor = doctorCommandIn(process.argv.slice(2))
const stored = historyCommandIn(process.argv.slice(2), here)
const mcp = mcpCommandIn(process.argv.slice(2))
const given = parseRunFlags(process.argv.slice(2), here)
if (doctor) process.exitCode = await checkStored(doctor).catch((error: unknown) => fail(sentences(troubleOfBug(error))))
else if (stored)
  process.exitCode = stored.ok
    ? await aboutHistory(stored.value).catch((error: unknown) => fail(sentences(troubleOfBug(error))))
    : fail(`${stored.failure}\n`, 2)
else if (mcp)
  process.exitCode = mcp.ok
    ? await aboutServers(mcp.value).catch((error: unknown) => fail(sentences(troubleOfBug(error))))
    : fail(`${mcp.failure}\n`, 2)
else if (given.ok) process.exitCode = await run(given.value).catch((error: unknown) => fail(sentences(troubleOfBug(error))))
else if (given.failure.help) write(given.failure.message)
else process.exitCode = fail(`${given.failure.message} Try: --help\n`, 2)

async function run(flags: RunFlags): Promise<number> {
  const folder = dataFolder({ data: flags.data === null ? undefined : resolve(here, flags.data) })
  if (!folder.ok) return fail(sentences(folder.failure))
  const instructions = await givenInstructions(flags.instructions)
  if (!instructions.ok) return fail(`${instructions.failure}\n`, 2)
  const cwd = await realFolder(resolve(here, flags.cwd))
  const app = await createApp({
    host: headlessHost(),
    dataFolder: folder.value,
    version: VERSION,
    openFolder: null,
    watched: false,
    takesQuestions: true,
    attended: Boolean(process.stdin.isTTY && process.stdout.isTTY),
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
      ...(instructions.value !== null && { userInstruction: instructions.value }),
      ...(flags.contextWindow !== null && { contextWindowSize: flags.contextWindow }),
      ...(flags.price !== null && { price: flags.price }),
    },
    ...(flags.idleLimitMs !== null && { idleLimitMs: flags.idleLimitMs }),
    // Nobody watches output that goes to a pipe, so the rehearsal does not need pauses.
    ...(!process.stdout.isTTY && { rehearsalPaceMs: 0 }),
    trusted: flags.rehearse ? null : cwd,
  })
  if (!app.ok) return fail(sentences(app.failure))
  opened = app.value
  // A failure is ignored here, because it is reported when the app closes.
  app.value.leftovers.settled.then(
    (ended) => ended.forEach((left) => complain(leftWords(left))),
    () => {},
  )
  for (const trouble of [...app.value.troubles, ...app.value.settings.troubles()]) complain(sentences(trouble))
  try {
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
    await app.value.close()
  }
}

/** The doctor does not need the app, so it works even if the history cannot be opened. */
async function checkStored(command: DoctorCommand): Promise<number> {
  const folder = dataFolder({ data: command.data === null ? undefined : resolve(here, command.data) })
  if (!folder.ok) return fail(sentences(folder.failure))
  return runDoctorCommand(command, { dataFolder: folder.value, version: VERSION }, write)
}

/** Runs a command about stored sessions. No agent runs, and no folder is trusted. */
function aboutHistory(command: HistoryCommand): Promise<number> {
  return withApp(command.data, {}, (app) => runHistoryCommand(command, app, write))
}

/** Runs a command about MCP servers. Naming the folder trusts it for this run, as for a task. */
async function aboutServers(command: McpCommand): Promise<number> {
  const folder = await realFolder(resolve(here, command.cwd ?? here))
  return withApp(command.data, { trusted: folder }, async ({ mcp, redactor }, data) => {
    const { foreignServers, importServers } = await import('./settings/foreign-mcp-servers.ts')
    const places = { dataFolder: data, home: homedir(), folder }
    const foreign = {
      preview: () => foreignServers(places),
      add: (chosen: ChosenServers) => importServers({ ...places, keepSecrets: mcp.keepSecrets }, chosen),
    }
    const hidden = (text: string): void => write(redactor.text(text))
    return runMcpCommand(command, { servers: mcp, folder, write: hidden, terminal: terminalFor(false), foreign })
  })
}

/** Opens the app for work without an agent, and closes it afterwards. `data`: the data folder that the flags name, or null. */
async function withApp(
  data: string | null,
  more: { readonly trusted?: string },
  work: (app: App, dataFolder: string) => Promise<number>,
): Promise<number> {
  const folder = dataFolder({ data: data === null ? undefined : resolve(here, data) })
  if (!folder.ok) return fail(sentences(folder.failure))
  const parts = { host: headlessHost(), dataFolder: folder.value, version: VERSION, openFolder: null, watched: false } as const
  const app = await createApp({ ...parts, ...more, whenUnsaved: 'fail' })
  if (!app.ok) return fail(sentences(app.failure))
  opened = app.value
  try {
    return await work(app.value, folder.value)
  } finally {
    await app.value.close()
  }
}

function fail(words: string, code = 1): number {
  complain(words)
  return code
}
