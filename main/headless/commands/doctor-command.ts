import { createDoctor } from '../../store/doctor/doctor.ts'
import { databaseClass } from '../../store/database/database.ts'
import { hasLiveHolders } from '../../store/claims/life-lock.ts'
import { createHistorySearch, indexAll } from '../../history/history-search.ts'
import { join } from 'node:path'
import { isDamage, type DoctorReport } from '../../../shared/api/doctor.ts'
import { ok, type Result } from '../../../shared/lib/result.ts'
import { VERSION } from '../../version.ts'
import type { CommandValues, CommandWork } from './command.ts'
import { visibleLine } from '../report/visible-text.ts'
import { complain, failWith, type Write } from '../report/standard-output.ts'

/** Does not need the app, so it works even if the history cannot be opened. */
export function doctorCommand(_words: readonly string[], { json = false, repair = false }: CommandValues): Result<CommandWork, string> {
  return ok(({ dataFolder, write }) => examine({ json, repair }, dataFolder, write))
}

interface Examination {
  readonly json: boolean
  readonly repair: boolean
}

/** Returns the exit code: 0 if nothing is damaged, or all damage was repaired. */
async function examine({ json, repair }: Examination, dataFolder: string, write: Write): Promise<number> {
  // The module is loaded only here, because most runs do not need it.
  const doctor = createDoctor({
    dataFolder,
    version: VERSION,
    now: Date.now,
    isShared: () => isOpen(dataFolder),
    beforeRepair: async () => {},
    afterRepair: () => reindexed(dataFolder),
  })
  const { report, trouble } = await doctor.run(repair)
  if (trouble) return failWith(trouble)
  if (!report) {
    complain('Nothing was checked.\n')
    return 1
  }
  write(json ? `${JSON.stringify(report)}\n` : `${readable(report)}${await aboutLayers()}`)
  return report.findings.some(isDamage) ? 1 : 0
}

/** A line about how sessions work beside a folder, if they could do that in less time and space. */
async function aboutLayers(): Promise<string> {
  const { whyClones } = await import('../../host-process/in-layer/session-layers.ts')
  const why = await whyClones()
  return why === null ? '' : `Sessions beside a folder work in a clone of it, which takes time and space. ${why}\n`
}

/** Whether a process has the data folder open. */
async function isOpen(dataFolder: string): Promise<boolean> {
  return hasLiveHolders(await databaseClass(), join(dataFolder, 'leases'), null)
}

/** Builds the search index again before the process ends. */
async function reindexed(dataFolder: string): Promise<void> {
  const search = createHistorySearch(dataFolder)
  // Indexing does not keep the process alive, so a timer does.
  const alive = setInterval(() => {}, 1_000)
  await indexAll(search)
  clearInterval(alive)
  await search.close()
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
