import { describe, expect, test } from 'vitest'
import type { DurableEvent } from '../../../../shared/session/events.ts'
import { emptySession, fold } from '../../../../shared/session/fold/fold.ts'
import type { Item, SessionState } from '../../../../shared/session/state.ts'
import { changedFiles, changedFolders, createFilesOfItems } from '../../../../shared/session/fold/changed-files.ts'
import { begun, blobHash, callId, ended, SESSION, stamped } from '../../../agent/support/events.ts'

const stateOf = (...events: readonly DurableEvent[]): SessionState => fold(emptySession(SESSION), ...stamped(events))

describe('views', () => {
  const change = (shown: string, before: string | null, after: string | null) => ({
    path: `/code/${shown}`,
    shown,
    before: before === null ? null : blobHash(before),
    after: after === null ? null : blobHash(after),
    beforeBytes: 1,
    afterBytes: 1,
    beforeMode: null,
    afterMode: null,
    lines: null,
  })
  const changed = (id: string, ...files: readonly ReturnType<typeof change>[]): DurableEvent => ({
    kind: 'FILES_CHANGED',
    toolCallId: callId(id),
    files,
  })

  test('a file that could not be read after a step is reported with the reason', () => {
    const unread = [{ path: '/w/a', shown: 'a', why: 'The disk is full.' }]
    const state = stateOf(begun('a', 'write_file'), { kind: 'FILES_CHANGED', toolCallId: callId('a'), files: [], unread }, ended('a'))
    expect(state.items.filter(({ kind }) => kind === 'notice')).toMatchObject([
      {
        level: 'info',
        trouble: { code: 'not_captured', what: 'The step’s changes to a (The disk is full) could not be recorded.' },
      },
    ])
  })

  test('a changed file is listed with its steps and its bytes before the first and after the last of them, and is left out if it was restored', () => {
    const state = stateOf(
      begun('a', 'edit_file'),
      changed('a', change('b.txt', '1', '2'), change('a.txt', null, '3')),
      ended('a'),
      begun('b', 'edit_file'),
      changed('b', change('b.txt', '2', '4'), change('c.txt', '5', '6')),
      ended('b'),
      begun('c', 'edit_file'),
      changed('c', change('c.txt', '6', '5')),
    )
    expect(changedFiles(state.items)).toEqual([
      { path: '/code/a.txt', shown: 'a.txt', before: null, after: blobHash('3'), steps: [1], madeBy: [] },
      { path: '/code/b.txt', shown: 'b.txt', before: blobHash('1'), after: blobHash('4'), steps: [1, 2], madeBy: [] },
    ])
  })

  test('when entries are added to a list, its files are found without reading the earlier entries again', () => {
    const reads: number[] = []
    const call = (step: number, ...files: readonly ReturnType<typeof change>[]) =>
      ({
        kind: 'call',
        step,
        get files() {
          reads.push(step)
          return files
        },
      }) as unknown as Item
    const first = call(1, change('b', '1', '2'))
    const second = call(2, change('a', null, '3'))
    const third = call(3, change('b', '2', '4'))
    const changedFilesOfEntries = createFilesOfItems()
    expect(changedFilesOfEntries([first]).map(({ shown }) => shown)).toEqual(['b'])
    reads.length = 0
    expect(changedFilesOfEntries([first, second, third])).toEqual(changedFiles([first, second, third]))
    expect(reads.slice(0, 2)).toEqual([2, 3])
    // These lists do not continue the earlier one: they belong to another session, or an entry has changed.
    expect(changedFilesOfEntries([second, third])).toEqual(changedFiles([second, third]))
    expect(changedFilesOfEntries([second])).toEqual(changedFiles([second]))
    expect(changedFilesOfEntries([])).toEqual([])
  })

  test('an undo changes files like a step, and belongs to the step before it', () => {
    const { items } = stateOf(
      begun('a', 'edit_file'),
      changed('a', change('back.txt', '1', '2'), change('merged.txt', '1', '2')),
      ended('a'),
    )
    const undo = { kind: 'rollback', files: [change('back.txt', '2', '1'), change('merged.txt', '2', '3')] } as unknown as Item
    expect(changedFiles([...items, undo]).map(({ shown, after, steps }) => [shown, after, steps])).toEqual([
      ['merged.txt', blobHash('3'), [1]],
    ])
  })

  test('a changed folder is listed with its mode bits before the first and after the last change, and is left out if a file in it changed', () => {
    const folder = (path: string, before: number | null, after: number | null) => ({ path: `/code/${path}`, shown: path, before, after })
    const withFolders = (
      id: string,
      folders: readonly ReturnType<typeof folder>[],
      ...files: readonly ReturnType<typeof change>[]
    ): DurableEvent => ({
      kind: 'FILES_CHANGED',
      toolCallId: callId(id),
      files,
      folders,
    })
    const folders = [folder('b', null, 0o755), folder('filled', null, 0o755), folder('gone', 0o700, null), folder('back', 0o755, null)]
    const state = stateOf(
      begun('a', 'shell'),
      withFolders('a', folders, change('filled/f', null, '1')),
      ended('a'),
      begun('b', 'shell'),
      withFolders('b', [folder('b', 0o755, 0o700), folder('back', null, 0o755)]),
    )
    expect(changedFolders(state.items)).toEqual([folder('b', null, 0o700), folder('gone', 0o700, null)])
  })
})
