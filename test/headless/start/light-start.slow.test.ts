import { expect, onTestFinished, test } from 'vitest'
import { builtShells } from '../../support/built-shell.ts'
import { startResponsesServer } from '../../bench/responses-server.ts'
import { runAgent } from '../support/agent-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Node's HTTP client, and modules that Node loads when all exports of `node:util` and `node:process` are read, as an import does. */
const UNWANTED = ['undici', 'myers_diff', 'process/report']
const REPORT = `process.on('exit', () => console.error(process.moduleLoadList.filter((name) => ${JSON.stringify(UNWANTED)}.some((one) => name.includes(one))).join()))`

test.skipIf(builtShells() === null)(
  'a built shell calls a service without loading Node’s HTTP client or other modules that it does not use',
  async () => {
    const server = await startResponsesServer({ kind: 'shell', what: 'true', deltas: 1 })
    onTestFinished(() => server.close())
    const env = { OPENAI_API_KEY: 'sk-test', NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT)}` }
    const options = { env, cwd: temporaryFolder('project'), data: temporaryFolder('data') }
    const flags = ['--provider', 'openai', '--model', 'test', '--base-url', server.url, '--approve', 'all']
    const outcome = await runAgent([...flags, 'Do it'], options)
    expect([outcome.code, server.exchanges.length]).toEqual([0, 2])
    expect(outcome.stderr).toBe('\n')
  },
)
