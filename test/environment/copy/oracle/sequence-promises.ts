import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasNoCopies, openCopies, treeOf } from '../support.ts'

const path = fc.constantFrom('a', 'b', 'd/x', 'd/y', 'd/e/z', 'n')
const place = fc.constantFrom('a', 'b', 'd', 'd/e', 'n')

/** The commands read no file that the user may be changing. */
const line = fc.oneof(
  fc.tuple(path, fc.integer({ min: 0, max: 9 })).map(([to, value]) => `echo ${value} > ${to}`),
  place.map((gone) => `rm -rf ${gone}`),
  place.map((made) => `mkdir -p ${made}`),
  fc.tuple(place, place).map(([from, to]) => `mv -T ${from} ${to}`),
  fc.tuple(place, fc.constantFrom('700', '755')).map(([of, mode]) => `chmod u+rw,${mode} ${of}`),
)

/** How a user changes a file. `null`: the user does not change it. */
interface Edit {
  readonly path: string
  readonly how: 'in place' | 'by renaming' | 'remove'
  /** Whether the user edits while the command runs, or while its changes wait for an answer. */
  readonly when: 'running' | 'waiting'
}

interface Step {
  readonly line: string
  readonly isSigned: boolean
  readonly edit: Edit | null
}

const step: fc.Arbitrary<Step> = fc.record({
  line,
  isSigned: fc.boolean(),
  edit: fc.option(
    fc.record({
      path,
      how: fc.constantFrom('in place', 'by renaming', 'remove'),
      when: fc.constantFrom('running', 'waiting'),
    }),
  ),
})

/** Changes the file as the user's editor would. The text occurs nowhere else. Fails like an editor if the folder is gone. */
function perform(folder: string, { path: to, how }: Edit, text: string): void {
  const at = join(folder, to)
  try {
    if (how === 'remove') rmSync(at)
    else if (how === 'in place') writeFileSync(at, text)
    else {
      writeFileSync(`${at}.swap`, text)
      renameSync(`${at}.swap`, at)
    }
  } catch {
    // `rmSync` with `force` would still fail (ENOTDIR) if a file is in the place of the folder.
    if (existsSync(`${at}.swap`)) rmSync(`${at}.swap`)
  }
}

const bash = (folder: string, command: string): unknown => execFileSync('bash', ['-c', command], { cwd: folder })
const commandOf = (text: string): string => `umask 022; echo started; { ${text}; } 2>/dev/null; true`

/** The number of sequences per random seed. A longer run prints how many have passed, so that a stopped run still has a result. */
const SLICE = 100

/**
 * Tests random commands that are signed or refused at random while a user edits. The folder always matches the model, and no bytes of the
 * user are lost. Without a `seed`, each run tests other commands.
 */
export function sequencePromises(numRuns: number, seed?: number): void {
  it.skipIf(hasNoCopies)(
    `after each of ${numRuns} random sequences of commands and answers, while a user edits, the folder matches the model`,
    async () => {
      for (let passed = 0; passed < numRuns; passed += SLICE) {
        const size = Math.min(SLICE, numRuns - passed)
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
            const opened = openCopies({ a: '1', b: '2', 'd/x': '3', 'd/y': '4', 'd/e/z': '5' })
            for (const [at, one] of steps.entries()) await take(one, `the user ${at}`, opened)
            await opened.copies.cleanup()
            rmSync(opened.base, { recursive: true, force: true })
          }),
          { numRuns: size, ...(seed !== undefined && { seed }) },
        )
        if (numRuns > SLICE) process.stderr.write(`${passed + size} of ${numRuns} sequences in copies passed\n`)
      }
    },
    4 * 3_600_000,
  )
}

async function take({ line: text, isSigned, edit }: Step, typed: string, opened: ReturnType<typeof openCopies>): Promise<void> {
  const { copies, folder, base } = opened
  const copyOf = (name: string): string => {
    const to = join(base, name)
    rmSync(to, { recursive: true, force: true })
    cpSync(folder, to, { recursive: true })
    return to
  }
  const [edited, first, second] = ['edited', 'first', 'second'].map(copyOf) as [string, string, string]
  if (edit) {
    perform(edited, edit, typed)
    perform(first, edit, typed)
  }
  for (const model of [first, second]) bash(model, commandOf(text))
  if (edit) perform(second, edit, typed)
  let hasEdited = false
  const now = (): void => {
    if (edit && !hasEdited) perform(folder, edit, typed)
    hasEdited = true
  }
  const ended = await copies.run(commandOf(text), { onOutput: () => edit?.when === 'running' && now() })
  now()
  if (!isSigned || ended.changeSet.obstacles.length > 0) {
    await ended.drop()
    return expect(treeOf(folder)).toEqual(treeOf(edited))
  }
  const { kind } = await ended.apply()
  // The command may have come before or after the user's edit.
  const allowed = kind === 'refused' ? [edited] : [first, second]
  expect(allowed.map((at) => treeOf(at))).toContainEqual(treeOf(folder))
}
