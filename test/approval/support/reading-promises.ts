import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeCommand } from '../../../main/approval/command-line/judge-command.ts'
import { CORPUS, madeLine } from './reading-lines.ts'
import { createReadingOracle, hasBubblewrap, type ReadingOracle } from './reading-oracle.ts'

/** `oneIn`: every `oneIn`th hand-written line is run. `made`: the number of generated lines. */
export interface OracleSize {
  readonly oneIn: number
  readonly made: number
}

/** Tests that run lines in real bash if the policy judges them to be read-only. */
export function readingPromises({ oneIn, made }: OracleSize): void {
  describe.skipIf(!hasBubblewrap)(
    'lines judged to be read-only write nothing and start only programs that they name (needs bubblewrap)',
    () => {
      let oracle: ReadingOracle
      beforeAll(() => {
        oracle = createReadingOracle()
      })
      afterAll(() => oracle.remove())

      const passes = (line: string): boolean =>
        judgeCommand(line, { cwd: oracle.root, root: oracle.root, home: oracle.home })?.reads === true

      function expectHarmless(line: string): void {
        const { started, changed } = oracle.run(line)
        expect(changed, line).toEqual([])
        expect(
          started.filter((name) => !line.includes(name)),
          line,
        ).toEqual([])
      }

      it('the oracle notices writes and started programs', () => {
        expect(oracle.run('ls > out').changed).not.toEqual([])
        expect(oracle.run('git -c alias.z="!id" z').started).toContain('id')
        expect(oracle.run("sed -n '1e id' a.ts").started.length).toBeGreaterThan(0)
      })

      it(`${CORPUS.length} hand-written lines`, () => {
        const passing = CORPUS.filter(passes)
        expect(CORPUS.length).toBeGreaterThanOrEqual(400)
        expect(passing.length).toBeGreaterThanOrEqual(195)
        for (const line of passing.filter((_, at) => at % oneIn === 0)) expectHarmless(line)
      }, 120_000)

      it(`${made} lines generated from the grammar of bash`, () => {
        let passed = 0
        fc.assert(
          fc.property(madeLine, (line) => {
            if (!passes(line)) return
            passed++
            expectHarmless(line)
          }),
          { numRuns: made },
        )
        expect(passed).toBeGreaterThan(made / 50)
      }, 600_000)
    },
  )
}
