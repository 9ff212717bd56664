import { localHost, startHostProgram } from '../../main/host-process/near/local-host.ts'
import { startHostProcess } from '../../main/host-process/near/start-host-process.ts'

/** A near side for tests that kill it. Runs a command over the folder, and prints the far side's pid and the command's output. */
const [folder = '', command = '', silenceMs = '30000'] = process.argv.slice(2)
const { argv, env, build } = await localHost()
const start = () => startHostProgram(argv, env)
const host = await startHostProcess({ start, build, folder, data: null, silenceMs: Number(silenceMs) })
process.stdout.write(`${host.facts.pid}\n`)
await host.environment.execCommand(command, { timeoutMs: 120_000, onOutput: ({ text }) => process.stdout.write(text) })
