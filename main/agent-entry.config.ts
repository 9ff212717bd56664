import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { output, settings, threads } from './rolldown.config.ts'

const entry = fileURLToPath(new URL('agent-entry.ts', import.meta.url))

/** `countersign/agent`, in a folder of its own with its threads: the shells and the packaged app have nothing of it. */
export default defineConfig([{ ...settings, input: { 'agent-entry': entry }, output: { ...output, dir: 'dist/agent' } }, ...threads])
