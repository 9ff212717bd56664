import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isDamage, type DoctorReport } from '../../shared/api/doctor.ts'
import type { Trouble } from '../../shared/session/events.ts'
import { visibleLine } from './report/visible-text.ts'
import { complain, sentences, type Write } from './report/standard-output.ts'

export interface DoctorCommand {
  readonly data: string | null
  readonly json: boolean
  readonly repair: boolean
}

/** Part of `--help`. */
export const DOCTOR_HELP = `  doctor               checks everything that is stored: the database, each event and stored content, the list and the search
                       index. --repair rebuilds the list and the search index from the log and sets damaged events aside;
                       no other Countersign may have the data folder open. Exits with code 1 if damage remains`

/** Null if the arguments are a task. */
export function doctorCommandIn(argv: readonly string[]): DoctorCommand | null {
  const flag = { type: 'boolean' } as const
  try {
    const options = { data: { type: 'string' }, cwd: { type: 'string' }, json: flag, repair: flag } as const
    const { positionals, values } = parseArgs({ args: [...argv], allowPositionals: true, allowNegative: true, options })
    if (positionals.length !== 1 || positionals[0] !== 'doctor') return null
    return { data: values.data ?? null, json: values.json ?? false, repair: values.repair ?? false }
  } catch {
    return null
  }
}

/** Returns the exit code: 0 if nothing is damaged, or all damage was repaired. Opens no session and needs no key. */
export async function runDoctorCommand(
  { json, repair }: DoctorCommand,
  { dataFolder, version }: { readonly dataFolder: string; readonly version: string },
  write: Write,
): Promise<number> {
  // The module is loaded only here, because most runs do not need it.
  const { createDoctor } = await import('../store/doctor/doctor.ts')
  const doctor = createDoctor({
    dataFolder,
    version,
    now: Date.now,
    isShared: () => isOpen(dataFolder),
    beforeRepair: async () => {},
    afterRepair: () => reindexed(dataFolder),
  })
  const { report, trouble } = await doctor.run(repair)
  if (trouble || !report) return wrong(trouble)
  write(json ? `${JSON.stringify(report)}\n` : readable(report))
  return report.findings.some(isDamage) ? 1 : 0
}

/** Whether a process has the data folder open. */
async function isOpen(dataFolder: string): Promise<boolean> {
  const { databaseClass } = await import('../store/database/database.ts')
  const { hasLiveHolders } = await import('../store/claims/life-lock.ts')
  return hasLiveHolders(await databaseClass(), join(dataFolder, 'leases'), null)
}

/** Builds the search index again before the process ends. */
async function reindexed(dataFolder: string): Promise<void> {
  const { createHistorySearch, indexAll } = await import('../history/history-search.ts')
  const search = createHistorySearch(dataFolder)
  // Indexing does not keep the process alive, so a timer does.
  const alive = setInterval(() => {}, 1_000)
  await indexAll(search)
  clearInterval(alive)
  await search.close()
}

function wrong(trouble: Trouble | null): number {
  complain(trouble ? sentences(trouble) : 'Nothing was checked.\n')
  return 1
}

function readable(report: DoctorReport): string {
  const { onDisk, listed, readable: read, events, blobs, blobBytes, durationMs, findings, more, repaired } = report
  const damage = findings.filter(isDamage).length
  return [
    `Sessions: ${onDisk} on disk · ${listed} listed · ${read} readable`,
    `Read ${events} events and ${blobs} stored contents (${blobBytes} bytes) in ${durationMs} ms.`,
    ...repaired.map((sentence) => `Repaired: ${visibleLine(sentence)}`),
    damage === 0 ? 'No damage found.' : `Problems found: ${damage}${more > 0 ? ` and ${more} more` : ''}.`,
    ...findings.flatMap(({ what, kept, todo }) => ['', visibleLine(what), `  Kept: ${visibleLine(kept)}`, `  To do: ${visibleLine(todo)}`]),
    '',
  ].join('\n')
}
