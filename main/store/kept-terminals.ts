import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SessionId, ToolCallId } from '../../shared/lib/ids.ts'

const KeptTerminal = z.object({
  sessionId: SessionId,
  toolCallId: ToolCallId,
  name: z.string(),
  isInLayer: z.boolean(),
  /** The output that restores the last screen in an empty terminal. */
  screen: z.string(),
  /** The process that had it open. */
  pid: z.number(),
})
export type KeptTerminal = Omit<z.infer<typeof KeptTerminal>, 'pid'>

/** The screens of the user's own terminals, in files that only the user can read. No work is lost with them. */
export interface KeptTerminals {
  /** The terminals of processes that have ended, oldest first. They now belong to this process. */
  take(): readonly KeptTerminal[]
  save(terminal: KeptTerminal): void
  drop(toolCallId: ToolCallId): void
}

/** In the folder `terminals` of the data folder, one file for each terminal. A full disk is ignored. */
export function createKeptTerminals(dataFolder: string): KeptTerminals {
  const folder = join(dataFolder, 'terminals')
  const fileOf = (id: ToolCallId): string => join(folder, `${id}.json`)
  const save: KeptTerminals['save'] = (terminal) => {
    const file = fileOf(terminal.toolCallId)
    ignoringFailure(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.new`, JSON.stringify({ ...terminal, pid: process.pid }), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    })
  }
  return {
    take() {
      const found = namesIn(folder).flatMap((name) => readTerminal(join(folder, name)) ?? [])
      const free = found.filter(({ pid }) => pid === process.pid || !isAlive(pid))
      for (const terminal of free) save(terminal)
      return free
    },
    save,
    drop: (id) => ignoringFailure(() => rmSync(fileOf(id), { force: true })),
  }
}

function ignoringFailure(work: () => void): void {
  try {
    work()
  } catch {
    // The terminal itself still works.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
  } catch {
    return []
  }
}

function readTerminal(file: string): z.infer<typeof KeptTerminal> | null {
  try {
    return KeptTerminal.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
