import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasNoCopies, openCopies, treeOf } from './support.ts'

const paths = fc.constantFrom('a', 'b', 'd', 'd/x', 'd/y', 'd/e', 'd/e/z', 'n', 'n/m', 'with space', "qu'ote")
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`

/**
 * A line of shell that may fail. The copy and the model run the same line. `cp -r` is left out, because how far it copies a folder into
 * itself depends on the order of the entries.
 */
const line = fc.oneof(
  fc.tuple(paths, fc.integer({ min: 0, max: 9 })).map(([path, value]) => `echo ${value} > ${quoted(path)}`),
  paths.map((path) => `rm -rf ${quoted(path)}`),
  paths.map((path) => `mkdir -p ${quoted(path)}`),
  fc.tuple(paths, paths).map(([from, to]) => `mv -T ${quoted(from)} ${quoted(to)}`),
  fc.tuple(paths, paths).map(([to, path]) => `ln -sfn ${quoted(to)} ${quoted(path)}`),
  fc
    .tuple(paths, fc.constantFrom('700', '755', '644', '600'))
    .map(([path, mode]) => `test -h ${quoted(path)} || chmod u+rw,${mode} ${quoted(path)}`),
  fc.tuple(paths, paths).map(([from, to]) => `cp ${quoted(from)} ${quoted(to)}`),
)

it.skipIf(hasNoCopies)(
  'applying gives the same folder as running the commands for real',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
        const { copies, folder, base } = openCopies({ a: '1', b: '2', 'd/x': '3', 'd/y': '4', 'd/e/z': '5' })
        const model = join(base, 'model')
        cpSync(folder, model, { recursive: true })
        const command = `umask 022; { ${lines.join('; ')}; } 2>/dev/null; true`
        execFileSync('bash', ['-c', command], { cwd: model })
        const ended = await copies.run(command)
        expect(await ended.apply()).toEqual({ kind: 'applied' })
        expect(treeOf(folder)).toEqual(treeOf(model))
      }),
      { numRuns: 25 },
    )
  },
  120_000,
)
