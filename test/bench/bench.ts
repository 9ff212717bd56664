import { availableParallelism, cpus } from 'node:os'
import { benchAgent } from './agent.bench.ts'
import { benchDeltas } from './agent-deltas.bench.ts'
import { benchRequests } from './agent-requests.bench.ts'
import { benchEdits } from './edits.bench.ts'
import { benchEnvironment } from './environment.bench.ts'
import { print } from './figures.ts'
import { benchScale } from './scale.bench.ts'
import { benchTerminal } from './terminal.bench.ts'

const write = (text: string): void => void process.stdout.write(text)

write(
  `Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}. Ratios hold from machine to machine, milliseconds do not.\n\n`,
)
print(await benchAgent(), write)
print(benchRequests(), write)
print(await benchDeltas(), write)
print(await benchEdits(), write)
print(await benchEnvironment(), write)
print(await benchTerminal(), write)
print(await benchScale(), write)
