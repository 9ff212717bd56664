import { app } from 'electron'

/** What the launcher adds, for Chromium and V8. */
const OF_LAUNCHER = ['--ozone-platform=headless', '--js-flags=--min-semi-space-size=4']

/** The arguments after `agent` in `countersign agent …`. Null if a window is to be opened. */
export function agentArguments(argv: readonly string[]): readonly string[] | null {
  const own = argv.slice(argv.findIndex((word) => !OF_LAUNCHER.includes(word)))
  return own[0] === 'agent' ? own.slice(1) : null
}

/**
 * Runs the agent in the terminal, in Electron's main process: the installed app contains no other runtime, and its Electron cannot run as
 * Node. `run`: the headless shell, which reads `process.argv` and sets `process.exitCode`.
 */
export async function runAgentInTerminal(given: readonly string[], run: () => Promise<unknown>): Promise<void> {
  process.argv = [process.execPath, 'countersign agent', ...given]
  app.dock?.hide()
  // Chromium turns Ctrl+C and SIGTERM into a quit. The headless shell handles SIGINT and stops its turn first.
  app.on('before-quit', (event) => {
    event.preventDefault()
    process.emit('SIGINT')
  })
  await run()
  app.exit(Number(process.exitCode ?? 0))
}
