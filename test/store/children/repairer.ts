import { join } from 'node:path'
import Database from 'better-sqlite3'
import { takeRepairLock } from '../../../main/store/claims/life-lock.ts'
import { say } from './say.ts'

/** Acquires the right to repair the store of a folder and keeps it until stdin ends. */
const [folder = ''] = process.argv.slice(2)
const right = takeRepairLock(Database, join(folder, 'leases'))
say({ kind: right ? 'got' : 'refused' })
process.stdin.resume()
process.stdin.on('end', () => right?.dispose())
