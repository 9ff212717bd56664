import { buildShell } from '../support/built-shell.ts'

export default buildShell
