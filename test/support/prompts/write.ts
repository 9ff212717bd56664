import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promptDumps } from './dump.ts'

/** `npm run prompts`: writes the first requests of each model to `docs/prompts`, so that people can read them. */
const folder = join(import.meta.dirname, '../../../docs/prompts')
mkdirSync(folder, { recursive: true })
for (const [name, text] of promptDumps()) writeFileSync(join(folder, name), text)
