import Database from 'better-sqlite3'
import { openDatabase } from '../../../main/store/database/database.ts'
import { THREE_STEPS } from '../support/steps.ts'
import { say } from './say.ts'

/** Opens a database file and migrates it to the newest schema. */
const [file = ''] = process.argv.slice(2)
say({ kind: 'begins' })
const opened = await openDatabase(Database, file, THREE_STEPS)
if (!opened.ok) throw new Error(opened.failure.what)
say({ kind: 'done', version: opened.value.db.pragma('user_version', { simple: true }) })
opened.value.db.close()
