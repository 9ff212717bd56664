import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readInPlace } from '../../../main/environment/process/read-in-place.ts'

const printing = (script: string): ChildProcess => spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
const outputOf = (child: ChildProcess): Socket => child.stdout as Socket
const lines = (word: string): string => `${word}\n`.repeat(200_000)
const prints = (word: string): string => `process.stdout.write(${JSON.stringify(word)}.concat("\\n").repeat(200000))`

describe('output that is read into one block', () => {
  it('is complete and is not mixed when two programs print at once', async () => {
    const texts = await Promise.all(
      ['one', 'another'].map(async (word) => {
        let text = ''
        await once(
          readInPlace(outputOf(printing(prints(word))), (bytes) => (text += bytes.toString())),
          'end',
        )
        return text === lines(word)
      }),
    )
    expect(texts).toEqual([true, true])
  })

  it('is not delivered while reading is paused, even if the program ends meanwhile', async () => {
    let text = ''
    const child = printing('console.log("late")')
    const reader = readInPlace(outputOf(child), (bytes) => (text += bytes.toString()))
    reader.pause()
    await once(child, 'exit')
    // Two turns of the event loop: Node reads the streams of a program that has ended in the first.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(text).toBe('')
    await once(reader.resume(), 'end')
    expect(text).toBe('late\n')
  })

  it('reuses one block of memory, so each piece overwrites the piece before it', async () => {
    const blocks = new Set<ArrayBufferLike>()
    const reader = readInPlace(outputOf(printing(prints('word'))), ({ buffer }) => blocks.add(buffer))
    await once(reader, 'end')
    expect(blocks.size).toBe(1)
  })
})
