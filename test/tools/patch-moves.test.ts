import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { patchBench, patchOf } from './patch-bench.ts'
import { effectsOf } from './workbench.ts'

const { bench, at, put, now, apply } = patchBench()

describe('D-32, T-17: moves', () => {
  it('a move keeps the mode and bytes and needs no hunk', async () => {
    put('run.sh', Buffer.from('#!/bin/sh\r\necho caf\xe9\n', 'latin1'))
    chmodSync(at('run.sh'), 0o755)
    await apply('*** Update File: run.sh', '*** Move to: bin/run.sh')
    expect([statSync(at('bin/run.sh')).mode & 0o777, readFileSync(at('bin/run.sh'), 'latin1')]).toEqual([
      0o755,
      '#!/bin/sh\r\necho caf\xe9\n',
    ])
    expect(existsSync(at('run.sh'))).toBe(false)
  })

  it('the request shows a moved file’s original path and diff, even after several moves', async () => {
    put('a.txt', 'one\ntwo\n')
    const moved = await bench().prepare('apply_patch', {
      patch: patchOf(
        '*** Update File: a.txt',
        '*** Move to: b.txt',
        '-two',
        '+2',
        '*** Update File: b.txt',
        '*** Move to: c.txt',
        '*** Add File: d.txt',
        '+x',
      ),
    })
    const told = effectsOf(moved).map((effect) =>
      effect.kind === 'write' ? [effect.shown, effect.movedFrom?.shown, effect.lines] : [effect.kind],
    )
    expect(told).toEqual([['delete'], ['c.txt', 'a.txt', { added: 1, removed: 1 }], ['d.txt', undefined, { added: 1, removed: 0 }]])
  })

  it('if a new file takes the old path, nothing is shown as moved', async () => {
    put('a.txt', 'one\n')
    const moved = await bench().prepare('apply_patch', {
      patch: patchOf('*** Update File: a.txt', '*** Move to: b.txt', '*** Add File: a.txt', '+new'),
    })
    expect(effectsOf(moved).map((effect) => ('movedFrom' in effect ? effect.movedFrom : null))).toEqual([null, null])
  })

  it('a move onto itself is an update', async () => {
    put('a.txt', 'one\n')
    expect(await apply('*** Update File: a.txt', '*** Move to: ./a.txt', '-one', '+two')).toMatchObject({ isError: false })
    expect(now('a.txt')).toBe('two\n')
  })
  it('a link cannot be removed or moved', async () => {
    put('real.txt', 'one\n')
    symlinkSync(at('real.txt'), at('link'))
    expect(await apply('*** Delete File: link')).toMatchObject({ isError: true })
    expect(await apply('*** Update File: link', '*** Move to: x', '-one', '+two')).toMatchObject({ isError: true })
    expect([now('real.txt'), existsSync(at('link'))]).toEqual(['one\n', true])
  })
})
