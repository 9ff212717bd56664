import { describe, expect, test } from 'vitest'
import {
  completePlan,
  filesOf,
  planMarkdown,
  plansCommand,
  plansFile,
  runsPlanned,
  withoutDropped,
} from '../../../shared/workflow/work-plan.ts'
import { runsTests } from '../../../shared/workflow/plan-test-runs.ts'
import { planDocument, planFromMarkdown } from '../../../shared/workflow/plan-from-markdown.ts'

describe('a plan as Markdown (R-55)', () => {
  test('numbered items become steps, with the paths and commands in their code spans', () => {
    const plan = planFromMarkdown(
      '# Dates\n\nBecause of zones.\n\n1. Change `src/a.ts`\n   - and its **test**\n2. Run `npm test -- dates`\n',
      '',
    )
    expect(plan).toMatchObject({ title: 'Dates', summary: 'Because of zones.' })
    expect(plan.steps).toEqual([
      { id: '1', title: 'Change `src/a.ts`', details: '- and its **test**', files: ['src/a.ts'], commands: [], check: '' },
      { id: '2', title: 'Run `npm test -- dates`', details: '', files: [], commands: ['npm test -- dates'], check: '' },
    ])
  })

  test.each([
    ['bullets are steps', '- one\n- two', ['one', 'two']],
    ['prose is not a step', 'Write a.txt.', []],
    ['the entries of a task list are steps', '- [ ] one\n- [x] two', ['one', 'two']],
  ])('%s', (_, text, titles) => {
    expect(planFromMarkdown(text, '').steps.map(({ title }) => title)).toEqual(titles)
  })

  test('is written with its steps, lists and condition', () => {
    const plan = completePlan({ title: 'T', steps: [{ title: 'one', files: ['a.ts'], check: 'it works' }], dependencies: ['zod'] })
    expect(planMarkdown(plan, 'No zod.')).toBe(
      '# T\n\n1. one\n   Files: `a.ts`\n   Shown by: it works\n\n## Dependencies\n\n- zod\n\n## Condition\n\nNo zod.',
    )
  })
})

test('a plan written as Markdown is read back unchanged, with its condition', () => {
  const plan = completePlan({
    title: 'Dates',
    summary: 'Because of zones.\n\nIn two steps.',
    steps: [
      { title: 'Parse', details: 'With the zone.\n- and tests', files: ['src/a.ts', 'Makefile'], commands: ['make'], check: 'it runs' },
      { title: 'Print' },
    ],
    files_to_create: [{ path: 'src/a.ts', purpose: 'reads `x`: all' }],
    files_to_modify: [{ path: 'src/b.ts', changes: 'calls it' }],
    commands: ['make', 'npm test -- dates'],
    tests: [{ path: 'test/a.ts', coverage: 'zones' }],
    dependencies: ['zod, for input'],
    open_questions: ['Which zone?'],
  })
  expect(planDocument(planMarkdown(plan, 'No zod.'))).toEqual({ plan, condition: 'No zod.' })
  expect(planDocument(planMarkdown(plan).replaceAll('\n', '\r\n'))).toEqual({ plan, condition: null })
})

test('in a plan written by a user, a command under Tests counts as a command, not as a test, and other sections become the summary', () => {
  const plan = planFromMarkdown(
    '# T\n\n## Why\n\nZones.\n\n## Steps\n\n1. Change `src/a.ts`\n\n## Tests\n\n- `npm test`\n- `a.test.ts`\n',
    '',
  )
  expect(plan).toMatchObject({ title: 'T', summary: 'Zones.', commands: ['npm test'], tests: [{ path: 'a.test.ts', coverage: '' }] })
  expect(plan.steps).toMatchObject([{ title: 'Change `src/a.ts`', files: ['src/a.ts'] }])
})

test('what stands under a heading behind the steps belongs to the plan and stays after the last step is dropped', () => {
  const plan = planFromMarkdown('Why.\n\n1. Read `a.ts`\n2. Write `b.ts`\n   carefully\n\n## Risks\n\nOld data may be lost.', '')
  expect(plan.steps.map((step) => step.details)).toEqual(['', 'carefully'])
  expect(withoutDropped(plan, { ...plan, steps: plan.steps.slice(0, 1) }).summary).toBe('Why.\n\n\nRisks:\n\nOld data may be lost.')
})

test.each(['# Goal\n\nZones.\n\n1. Read', '## Goal\n\nZones.\n\n1. Read', 'Zones.\n\n# Steps\n\n1. Read'])(
  'a plan in Markdown is named after the request, never after a heading: %j',
  (text) => {
    expect(planFromMarkdown(text, 'Use ISO dates')).toMatchObject({ title: 'Use ISO dates', summary: 'Zones.' })
  },
)

test('a heading that only divides the steps adds nothing to the summary', () => {
  const plan = planFromMarkdown('Why.\n\n## Phase 1\n\n1. Read `a.ts`\n\n## Phase 2\n\n2. Write `b.ts`', '')
  expect(plan.steps.map((step) => step.title)).toEqual(['Read `a.ts`', 'Write `b.ts`'])
  expect(plan.summary).toBe('Why.')
})

test('in a plan without steps, each file, test and command becomes a step (R-54)', () => {
  const plan = completePlan({ files_to_create: [{ path: 'a', purpose: 'x' }], tests: [{ path: 't', coverage: 'y' }], commands: ['make'] })
  expect(plan.steps.map(({ title }) => title)).toEqual(['Create a', 'Test: t', 'Run make'])
})

const PLAN = completePlan({
  steps: [{ title: 's', files: ['./src/a.ts', 'docs/'], commands: ['npm test'] }],
  commands: ['git  commit', 'cd app && npm ci'],
})

test.each([
  ['src/a.ts', true],
  ['lib/src/a.ts', true],
  ['docs/x/y.md', true],
  ['src/a.tsx', false],
  ['docs2/x.md', false],
])('whether the plan includes the file %s: %s', (path, named) => expect(plansFile(PLAN, path)).toBe(named))

test.each(['.', './', '**', './**'])('the path %s in a plan means every file of the project, but no file outside', (path) => {
  const plan = completePlan({ files_to_modify: [{ path, changes: 'all' }] })
  expect([plansFile(plan, 'src/a.ts'), plansFile(plan, '/etc/hosts'), plansFile(plan, '../a.ts')]).toEqual([true, false, false])
})

test.each([
  ['npm test', true],
  ['npm  test -- dates', true],
  ['cd src && npm test', true],
  ['npm test && git commit -m x', true],
  ['cd app && npm ci', true],
  ['npm test; rm -rf src', false],
  ['npm tests', false],
  ['npm install', false],
])('whether the plan includes the command %s: %s', (line, named) => expect(plansCommand(PLAN, line)).toBe(named))

test.each([
  ['npm run lint -- --fix', true],
  ['cd src && npm run  lint; git status', true],
  ['npm run lint:fix', false],
  ['echo npm run lint', false],
])('whether %s runs the planned command npm run lint: %s', (line, runs) => expect(runsPlanned('npm run lint', line)).toBe(runs))

test.each([
  ['cd app && npm ci && npm test', true],
  ['npm ci; npm test -- dates', true],
  ['npm ci', false],
])('whether %s runs the planned line cd app && npm ci && npm test: %s', (line, runs) =>
  expect(runsPlanned('cd app && npm ci && npm test', line)).toBe(runs),
)

const TESTED = completePlan({ tests: [{ path: 'src/dates.check.ts', coverage: 'zones' }], commands: ['node check.js'] })

test.each([
  ['npm test -- dates', true],
  ['cd app && npx vitest run', true],
  ['./run-tests.sh', true],
  ['CI=1 npm run test:unit 2>&1 | tail -20', true],
  ['cat tests/a.test.ts; npm test', true],
  ['node check.js', true],
  ['echo y | npm test', true],
  ['cd app && yes | npm test', true],
  ["printf 'a | b\\n' | cat - in.txt | npx vitest", true],
  ['cat in.txt | node check.js', true],
  ['cat tests/a.test.ts | grep zone', false],
  ['cat tests/a.test.ts | node', false],
  ['yes | cp a.test.ts b.test.ts', false],
  ["echo 'x | npm test'", false],
  ['cd missing', false],
  ['grep -rn zone tests/', false],
  ['ls test/missing && cat test/a.ts', false],
  ['mkdir -p tests', false],
  ['test -f src/a.ts', false],
  ['find-and-run.sh tests', true],
  ['git add src/a.test.ts', false],
  ["cat > tests/a.test.ts <<'END'\ntest('a', () => {})\nEND", false],
  ["cat > tests/a.test.ts <<'END'\ntest('a', () => {})\nEND\nnpm test", true],
])('whether %j is a test run of the plan: %s', (line, runs) => expect(runsTests(TESTED, line)).toBe(runs))

test('an empty planned command matches no command line', () => expect(runsPlanned('', 'rm -rf src')).toBe(false))

test('files and commands of dropped steps are removed from the plan unless another step has them', () => {
  const proposed = completePlan({
    steps: [
      { title: 'a', files: ['a'], commands: ['make a'] },
      { title: 'b', files: ['a', 'b'], commands: ['make b'] },
    ],
    files_to_modify: ['a', 'b'].map((path) => ({ path, changes: '' })),
    commands: ['make a', 'make b'],
  })
  const approved = withoutDropped(proposed, { ...proposed, steps: proposed.steps.slice(0, 1) })
  expect([filesOf(approved), approved.commands]).toEqual([['a'], ['make a']])
})
