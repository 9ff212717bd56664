import { logging, type OperationRecord } from './logging.ts'
import { readOnly } from './read-only.ts'
import type { ExecutionEnvironment, HostEnvironment, RawAccess } from './environment-types.ts'
import { hostEnvironment } from './host-environment.ts'
import { seedEnvironment } from './seed-environment.ts'

/** The same environment, telling of each operation when it has ended. Results and failures pass unchanged. */
export function loggingEnvironment(env: HostEnvironment, record: (entry: OperationRecord) => void): ExecutionEnvironment & RawAccess {
  return seedEnvironment(logging(hostEnvironment(env), record))
}

/** The same environment for an agent that may only look: whatever writes, and every command, rejects with code `EROFS`. */
export function readOnlyEnvironment(env: HostEnvironment): ExecutionEnvironment & RawAccess {
  return seedEnvironment(readOnly(hostEnvironment(env)))
}
