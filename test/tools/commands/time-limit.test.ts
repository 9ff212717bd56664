import { expect, it, onTestFinished } from 'vitest'
import { commandTimeLimit, runsLong } from '../../../main/tools/commands/prepare-command.ts'
import { createWorkbench, effectsOf } from '../workbench.ts'

it.each([
  ['the default, if no limit is set (P2-44)', {}, 10_000],
  ['the profile’s limit, if it is the only one', { profile: 120_000 }, 120_000],
  ['the session’s limit before the profile’s', { session: 30_000, profile: 120_000 }, 30_000],
  ['the call’s limit before all others', { call: 5_000, session: 30_000, profile: 120_000 }, 5_000],
  ['the maximum, if the call’s limit is higher (D-08)', { call: 10_000_000 }, 600_000],
  ['the maximum, if the profile’s limit is higher', { profile: 10_000_000 }, 600_000],
  ['a given maximum, if the call’s limit is higher', { call: 5_000, cap: 1_000 }, 1_000],
  ['the next valid limit, if a limit is invalid', { call: Number.NaN, session: -1, profile: 7 }, 7],
  ['at least one millisecond', { call: 0.2 }, 1],
])('D-46, T-05: the time limit of a command is %s', (_, limits, ms) => {
  expect(commandTimeLimit(limits)).toBe(ms)
})

it.each([
  'npm test',
  'npm t',
  'npm run build',
  'npm run -s types',
  'CI=1 yarn test:unit',
  'cd app && pnpm --filter=web run test -- --run x',
  'npx vitest run test/a.test.ts',
  './node_modules/.bin/tsc --noEmit',
  './gradlew assemble',
  'cargo +nightly test || cargo test',
  'go test ./... 2>&1 | tail -20',
  'python -m pytest -q',
  'python3 -m unittest',
  '.venv/bin/pytest tests',
  'node --test',
  'make -j4 all',
  'pip install -e .',
])('a test or build is recognized: %s', (command) => {
  expect(runsLong(command)).toBe(true)
})

it.each([
  'ls',
  'git log --grep test',
  'cat build/make.log',
  'echo making',
  'npm ls',
  'npm view typescript',
  'go version',
  'node server.js',
  'rg "npm"',
])('any other command is not: %s', (command) => {
  expect(runsLong(command)).toBe(false)
})

it.each([
  ['ls', {}, {}, 10_000],
  ['npm test', {}, {}, 120_000],
  ['npm test', { timeout_ms: 5000 }, {}, 5000],
  ['npm test', { timeout: 30 }, {}, 30_000],
  ['npm test', {}, { sessionCommandMs: 20_000 }, 20_000],
  ['npm test', {}, { defaultCommandMs: 200_000 }, 200_000],
])('%s with %j under %j may take %i ms', async (command, args, set, ms) => {
  const bench = createWorkbench(undefined, undefined, { defaultCommandMs: 10_000, longCommandMs: 120_000, maxCommandMs: 600_000, ...set })
  onTestFinished(() => bench.dispose())
  expect(effectsOf(await bench.prepare('shell', { command, ...args }))).toMatchObject([{ timeoutMs: ms }])
})
