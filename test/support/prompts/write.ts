import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promptDumps } from './dump.ts'

/** `npm run prompts`: writes what each model gets first to `docs/prompts`, to be read by people. */
const folder = join(import.meta.dirname, '../../../docs/prompts')
mkdirSync(folder, { recursive: true })
for (const [name, text] of promptDumps()) writeFileSync(join(folder, name), text)
