import { availableParallelism, cpus } from 'node:os'
import { benchAgent } from './agent.bench.ts'
import { benchBeside } from './beside.bench.ts'
import { benchBringIn } from './bring-in.bench.ts'
import { benchCopies } from './copies.bench.ts'
import { benchDeltas } from './agent-deltas.bench.ts'
import { benchRequests } from './agent-requests.bench.ts'
import { benchDesk } from './desk.bench.ts'
import { benchDeskTerminal } from './desk-terminal.bench.ts'
import { benchDiff } from './diff.bench.ts'
import { benchEdits } from './edits.bench.ts'
import { benchEncodings } from './encodings.bench.ts'
import { benchEnvironment } from './environment.bench.ts'
import { benchFind } from './find.bench.ts'
import { benchFindPage } from './find-page.bench.ts'
import { print } from './figures.ts'
import { benchHugeDiff } from './huge-diff.bench.ts'
import { benchHistory } from './history.bench.ts'
import { benchImport } from './import.bench.ts'
import { benchLayers } from './layers.bench.ts'
import { benchOverlayLayers } from './overlay-layers.bench.ts'
import { benchLists } from './lists.bench.ts'
import { benchMainTasks } from './main-tasks.bench.ts'
import { benchPeers } from './peers.bench.ts'
import { benchPlaces } from './places.bench.ts'
import { benchScale } from './scale.bench.ts'
import { benchHooks } from './hooks.bench.ts'
import { benchStore } from './store.bench.ts'
import { benchMcp } from './mcp.bench.ts'
import { benchOtherAgents } from './other-agents.bench.ts'
import { benchTerminal } from './terminal.bench.ts'

const write = (text: string): void => void process.stdout.write(text)

write(
  `Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}. Ratios hold from machine to machine, milliseconds do not.\n\n`,
)
const BENCHES = {
  peers: benchPeers,
  agent: benchAgent,
  requests: benchRequests,
  deltas: benchDeltas,
  edits: benchEdits,
  encodings: benchEncodings,
  environment: benchEnvironment,
  copies: benchCopies,
  terminal: benchTerminal,
  desk: benchDesk,
  'desk-terminal': benchDeskTerminal,
  'main-tasks': benchMainTasks,
  scale: benchScale,
  layers: async () => [...(await benchLayers()), ...(await benchOverlayLayers()), ...(await benchBeside()), ...(await benchBringIn())],
  'other-agents': benchOtherAgents,
  lists: benchLists,
  'huge-diff': benchHugeDiff,
  find: benchFind,
  'find-page': benchFindPage,
  history: benchHistory,
  import: benchImport,
  store: benchStore,
  diff: benchDiff,
  hooks: benchHooks,
  mcp: benchMcp,
  places: benchPlaces,
}

/** The arguments name the benchmarks to run, as in `npm run bench -- lists`. Without arguments, all benchmarks run. */
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. Choose from: ${Object.keys(BENCHES).join(', ')}`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) print(await bench(), write)
}
